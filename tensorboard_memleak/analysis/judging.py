"""All groups of one memory judged, at both levels: the site, then its variants.

A leak whose shape varies is one leak of its site. But a healthy crowd of one shape can hide a leak
of another at the same site, so a site that does not grow as a whole is asked variant by variant.
Last, what the window itself leaves open lowers the confidence of what grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from tensorboard_memleak.analysis.balance import Losses
from tensorboard_memleak.analysis.confidence import CEILING, SUSPICION
from tensorboard_memleak.analysis.growth import FEWEST_OCCASIONS, judge
from tensorboard_memleak.analysis.histories import Histories, History
from tensorboard_memleak.analysis.net_growth import by_size, net
from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps, Steps
from tensorboard_memleak.model.findings import Sites
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Bool, Int64

LOST: Final = 0.5
"""Share of a group's survivors that lost releases must be able to explain to cast doubt."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement with the site it belongs to."""

    site: int
    judgement: Judgement


def judge_sites(
    blocks: Blocks,
    block_steps: BlockSteps,
    sites: Sites,
    steps: Steps,
    losses: Losses,
) -> tuple[Judged, ...]:
    """Return a judgement of every group that left survivors."""
    return tuple(_Judge(blocks, block_steps, sites, steps, losses).all())


class _Judge:
    def __init__(
        self,
        blocks: Blocks,
        block_steps: BlockSteps,
        sites: Sites,
        steps: Steps,
        losses: Losses,
    ) -> None:
        self._blocks, self._sites, self._steps = blocks, sites, steps
        self._replacements = Replacements(blocks, block_steps, len(steps), losses.births)
        shared = (len(steps), self._replacements)
        self._by_site = Histories(blocks, block_steps, sites.of_block, *shared)
        self._by_variant = Histories(blocks, block_steps, sites.variant_of_block, *shared)
        self._lost_sizes = losses.releases

    def all(self) -> Iterator[Judged]:
        survives = (self._blocks.end == BlockEnd.SURVIVED) & (self._sites.of_block >= 0)
        variants = _variants_worth_asking(self._sites, survives)
        for site in np.unique(self._sites.of_block[survives]).tolist():
            for judgement in self._site(site, variants.get(site, [])):
                yield Judged(site, judgement)

    def _site(self, site: int, variants: list[int]) -> Iterator[Judgement]:
        history = self._by_site.of(site)
        whole = judge(history)
        if whole is None:
            return
        if whole.kind == "growth":
            second = net(history) if whole.doubt else None
            yield self._doubted(second or whole, history)
            return
        growing = list(self._growing_variants(variants))
        if not growing:
            hidden = by_size(history) or (net(history) if whole.kind != "retained" else None)
            growing = [self._doubted(hidden, history)] if hidden else []
        yield from growing or [whole]

    def _growing_variants(self, variants: list[int]) -> Iterator[Judgement]:
        for variant in variants:
            history = self._by_variant.of(variant)
            judgement = judge(history)
            if judgement is not None and judgement.kind == "growth":
                yield self._doubted(judgement, history)

    def _doubted(self, one: Judgement, history: History) -> Judgement:
        """Lower a confidence to what the window allows, and say why."""
        ceiling, why = self._ceiling(one, history)
        if one.confidence is None or one.confidence <= ceiling:
            return one
        return replace(one, confidence=ceiling, doubt=one.doubt or why)

    def _ceiling(self, one: Judgement, history: History) -> tuple[float, str]:
        if one.pattern is not Pattern.BY_SIZE:
            kept_bytes = self._blocks.allocation_bytes[one.survivors]
            if self._replacements.offset(one.occasions, kept_bytes, history.replaced):
                return SUSPICION, "as many such blocks from before the capture were freed meanwhile"
            if self._lost(one.survivors) >= LOST * len(one.survivors):
                return SUSPICION, "the capture has lost the release of as many such blocks"
        return CEILING[self._steps.source], _WHY_STEPS.get(self._steps.source, "")

    def _lost(self, survivors: Int64) -> int:
        """Return how many lost releases have the size of one of these blocks."""
        sizes = np.unique(self._blocks.allocation_bytes[survivors])
        left, right = (np.searchsorted(self._lost_sizes, sizes, side) for side in _SIDES)
        return int((right - left).sum())


_SIDES: Final[tuple[Literal["left"], Literal["right"]]] = ("left", "right")
_WHY_STEPS: Final = {
    "modules": "the steps are the launches of a program",
    "pattern": "nothing marks the steps; they are inferred from what recurs",
    "slices": "nothing marks the steps; equal slices of time stand for them",
    "none": "nothing marks the steps",
}


def _variants_worth_asking(sites: Sites, survives: Bool) -> dict[int, list[int]]:
    """Return, by site, the variants with enough survivors to grow, where there are several."""
    kept = np.bincount(sites.variant_of_block[survives], minlength=len(sites.variants))
    several = np.bincount(sites.variants.site, minlength=len(sites.sites)) > 1
    chosen = np.flatnonzero((kept >= FEWEST_OCCASIONS) & several[sites.variants.site])
    result: dict[int, list[int]] = {}
    for variant in chosen.tolist():
        result.setdefault(int(sites.variants.site[variant]), []).append(variant)
    return result
