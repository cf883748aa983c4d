"""All groups of one memory judged, at both levels: the site, then its variants.

A leak whose shape varies is one leak of its site. But a healthy crowd of one shape can hide a leak
of another at the same site, so a site that does not grow as a whole is asked variant by variant.
Only groups that can grow are looked at one by one; what the others are is told for all at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.balance import Losses
from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.doubts import Doubts
from tensorboard_memleak.analysis.growth import judge
from tensorboard_memleak.analysis.histories import Histories
from tensorboard_memleak.analysis.net_growth import FEWEST_RISES, by_size, net
from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.analysis.settling import FEWEST_OCCASIONS, Settled, settle
from tensorboard_memleak.analysis.summaries import Summaries, summarise
from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps, Steps
from tensorboard_memleak.model.findings import Sites
from tensorboard_memleak.model.judgement import Judgement
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int32, Int64


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement of growth with the site it belongs to."""

    site: int
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Judgements:
    """What the survivors of one memory are: growing groups, and the sites that do not grow.

    `settled` classifies every site, `resting` lists those with survivors that do not grow, with
    `lag` the age that their freed blocks do not exceed.
    """

    growing: tuple[Judged, ...]
    settled: Settled
    resting: Int64
    lag: Int64


def judge_sites(
    blocks: Blocks,
    block_steps: BlockSteps,
    sites: Sites,
    steps: Steps,
    losses: Losses,
    replacements: Replacements,
) -> Judgements:
    """Judge every site that left survivors, and its variants where the site does not grow."""
    share = replacements.share_of_blocks()
    doubts = Doubts(blocks, steps.source, losses, replacements)

    def level(group: Int32, count: int) -> _Level:
        summaries = summarise(blocks, block_steps, group, count, len(steps), share)
        histories = Histories(blocks, block_steps, group, len(steps), replacements)
        return _Level(summaries, settle(summaries), histories, doubts)

    by_site = level(sites.of_block, len(sites.sites))
    whole = dict(by_site.growing(np.flatnonzero(by_site.worth_asking())))
    ask = _variants_worth_asking(blocks, sites)
    found: list[Judged] = []
    parts: dict[int, list[Judgement]] = {}
    if ask.any():  # most memories have none: of many, each pays for what is done to empty columns
        by_variant = level(np.where(ask, sites.variant_of_block, UNKNOWN), len(sites.variants))
        for variant, judgement in by_variant.growing(np.flatnonzero(by_variant.settled.open)):
            parts.setdefault(int(sites.variants.site[variant]), []).append(judgement)
    for site in sorted(whole.keys() | parts.keys()):
        chosen = _the_better(whole.get(site), parts.get(site, []))
        found.extend(Judged(site, judgement) for judgement in chosen)
    left = np.flatnonzero(by_site.summaries.survivors > 0)
    taken = np.array([one.site for one in found], np.int64)
    resting = left[~np.isin(left, taken)]
    return Judgements(tuple(found), by_site.settled, resting, by_site.summaries.lag)


def _the_better(whole: Judgement | None, parts: list[Judgement]) -> list[Judgement]:
    """Choose between a site that grows as a whole and its variants that do.

    One variant that is as sure as the whole is the whole story; the site's other survivors are a
    healthy crowd. Several that are less sure are a leak whose shape varies.
    """
    if whole is None:
        return parts
    if len(parts) == 1 and (parts[0].confidence or 0) >= (whole.confidence or 0):
        return parts
    return [whole]


@dataclass(frozen=True, slots=True)
class _Level:
    """One way of grouping, with everything that judging its groups takes."""

    summaries: Summaries
    settled: Settled
    histories: Histories
    doubts: Doubts

    def worth_asking(self) -> Bool:
        """Return the groups that can grow by count, by size, or net of what they free."""
        one = self.summaries
        by_size = (one.carry_steps >= FEWEST_OCCASIONS + 2) & (one.survivors > 0)
        return np.asarray(self.settled.open | by_size | (one.survivors >= FEWEST_RISES))

    def growing(self, groups: Int64) -> Iterator[tuple[int, Judgement]]:
        """Yield the groups that grow."""
        for group in groups.tolist():
            history = self.histories.of(group)
            found = judge(history) if self.settled.open[group] else None
            if found is None or (found.confidence or 0) < SURE:
                found = by_size(history) or net(history) or found
            if found is not None:
                yield group, self.doubts.applied(found, history)


def _variants_worth_asking(blocks: Blocks, sites: Sites) -> Bool:
    """Return the blocks of variants with enough survivors to grow, where a site has several."""
    survives = (blocks.end == BlockEnd.SURVIVED) & (sites.of_block >= 0)
    kept = np.bincount(sites.variant_of_block[survives], minlength=len(sites.variants))
    several = np.bincount(sites.variants.site, minlength=len(sites.sites)) > 1
    chosen = np.append((kept >= FEWEST_OCCASIONS) & several[sites.variants.site], False)
    return np.asarray(chosen[sites.variant_of_block])
