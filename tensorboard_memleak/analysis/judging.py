"""All groups of one memory judged, at both levels: the site, then its variants.

A leak whose shape varies is one leak of its site. But a healthy crowd of one shape can hide a leak
of another at the same site, so a site that does not grow as a whole is asked variant by variant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.growth import FEWEST_OCCASIONS, SUSPICION, by_size, judge
from tensorboard_memleak.analysis.histories import Histories
from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps, Steps
from tensorboard_memleak.model.findings import Sites
from tensorboard_memleak.model.judgement import Judgement
from tensorboard_memleak.model.trace import Bool, Int32

CEILING: Final = {
    "markers": 1.0,
    "modules": 0.95,
    "pattern": SUSPICION,
    "slices": 0.6,
    "none": 0.5,
}
"""How sure growth can be, by where the steps come from: what recurs may be a loop inside a step."""


def judge_sites(
    blocks: Blocks, block_steps: BlockSteps, sites: Sites, steps: Steps
) -> list[tuple[int, Judgement]]:
    """Return a judgement of every group that left survivors, with the site it belongs to."""
    judged = _judge_all(blocks, block_steps, sites, len(steps))
    ceiling = CEILING[steps.source]
    return [(site, _at_most(one, ceiling)) for site, one in judged]


def _at_most(one: Judgement, ceiling: float) -> Judgement:
    if one.confidence is None:
        return one
    return replace(one, confidence=min(one.confidence, ceiling))


def _judge_all(
    blocks: Blocks, block_steps: BlockSteps, sites: Sites, step_count: int
) -> list[tuple[int, Judgement]]:
    survives = (blocks.end == BlockEnd.SURVIVED) & (sites.of_block >= 0)
    by_site = Histories(blocks, block_steps, sites.of_block, step_count)
    by_variant = Histories(blocks, block_steps, sites.variant_of_block, step_count)
    variants_of = _variants_worth_asking(sites, survives)
    judged: list[tuple[int, Judgement]] = []
    for site in np.unique(sites.of_block[survives]).tolist():
        history = by_site.of(site)
        verdict = judge(history)
        if verdict is None:
            continue
        if verdict.kind != "growth":
            grown = by_size(history)
            growing = [grown] if grown else _growing_variants(by_variant, variants_of.get(site, []))
            judged.extend((site, one) for one in growing)
            if growing:
                continue
        judged.append((site, verdict))
    return judged


def _growing_variants(histories: Histories, variants: list[int]) -> list[Judgement]:
    if len(variants) == 0:
        return []
    verdicts = [judge(histories.of(variant)) for variant in variants]
    return [verdict for verdict in verdicts if verdict is not None and verdict.kind == "growth"]


def _variants_worth_asking(sites: Sites, survives: Bool) -> dict[int, list[int]]:
    """Return, by site, the variants with enough survivors to grow, where there are several."""
    kept = np.bincount(sites.variant_of_block[survives], minlength=len(sites.variants))
    several = np.bincount(sites.variants.site, minlength=len(sites.sites)) > 1
    chosen = np.flatnonzero((kept >= FEWEST_OCCASIONS) & several[sites.variants.site])
    result: dict[int, list[int]] = {}
    owner: Int32 = sites.variants.site
    for variant in chosen.tolist():
        result.setdefault(int(owner[variant]), []).append(variant)
    return result
