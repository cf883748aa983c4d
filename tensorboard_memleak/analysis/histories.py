"""What one group of blocks (a site, or one variant of a site) did in each step.

The histories answer the one question that growth turns on: *which steps do the survivors come
from?* They hold counts and bytes by birth step, how long the freed blocks lived, and how many
blocks of the same sizes were freed that the window did not see born.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.analysis.summaries import lag_of
from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps
from tensorboard_memleak.model.trace import Bool, Float64, Int32, Int64


@dataclass(frozen=True, slots=True)
class History:
    """One group over `N` steps; arrays have one entry a step unless they are blocks.

    Blocks are `survivors` with the steps they were born in, `carried_rows` that outlived their
    step, and `born_rows`, all that were born in a step.
    `kept` counts survivors by birth step; `carried` what blocks born in a step still held when
    that step ended (`carried_requested` in bytes as asked for: allocators round); `freed` counts
    releases by step, `released` those of blocks that outlived the step of their birth, and `lost`
    by step of birth. `replaced` counts pre-window blocks of the survivors' sizes freed in a step,
    the share of this group; `replaceable` all of them. `lag` is the age in steps that freed blocks
    do not exceed (-1: none was freed), `usual_lag` their median, `late_release_rate` the share of
    the blocks of an age that were freed at that age, over the older half of the ages up to the lag.
    """

    group: int
    survivors: Int64
    survivor_steps: Int32
    carried_rows: Int64
    born_rows: Int64
    born: Int64
    kept: Int64
    kept_bytes: Int64
    freed: Int64
    released: Int64
    lost: Int64
    carried: Int64
    carried_bytes: Int64
    carried_requested: Int64
    replaced: Float64
    replaceable: Int64
    lag: int
    usual_lag: int
    late_release_rate: float

    @property
    def steps(self) -> int:
        """The number of steps of the window."""
        return len(self.born)

    @property
    def in_bursts(self) -> bool:
        """Whether releases come in few steps, several steps' worth at a time."""
        return bool(2 * np.count_nonzero(self.released) <= np.count_nonzero(self.carried))


class Histories:
    """The histories of all groups of one memory, made one at a time on demand."""

    def __init__(
        self,
        blocks: Blocks,
        block_steps: BlockSteps,
        group: Int32,
        step_count: int,
        replacements: Replacements,
    ) -> None:
        self._blocks, self._steps, self._count = blocks, block_steps, step_count
        self._replacements = replacements
        chosen = np.flatnonzero(group >= 0)
        order = chosen[np.argsort(group[chosen], kind="stable")]
        self._order = order
        self._begin = np.searchsorted(group[order], np.arange(int(group.max(initial=-1)) + 2))

    def rows(self, group: int) -> Int64:
        """Return the blocks of a group in order of birth."""
        return self._order[self._begin[group] : self._begin[group + 1]]

    def of(self, group: int) -> History:
        """Return the history of one group."""
        rows = self.rows(group)
        birth, free = self._steps.birth[rows], self._steps.free[rows]
        end = self._blocks.end[rows]
        size = np.maximum(self._blocks.allocation_bytes[rows], 0)
        asked = self._blocks.requested_bytes[rows]
        asked = np.where(asked > 0, asked, size)
        inside, survives = birth >= 0, end == BlockEnd.SURVIVED
        freed = inside & (end == BlockEnd.FREED)
        late = freed & (free > birth)
        stays = late | (inside & survives)
        survivors = rows[survives]
        replaced, replaceable = self._replacements.by_step(survivors)
        ages = (free - birth)[freed]
        lag = lag_of(ages)
        lived = np.concatenate([ages, self._count - 1 - birth[inside & survives]])
        return History(
            group=group,
            survivors=survivors,
            survivor_steps=birth[survives],
            carried_rows=rows[stays],
            born_rows=rows[inside],
            born=self._by_step(birth, inside),
            kept=self._by_step(birth, inside & survives),
            kept_bytes=self._by_step(birth, inside & survives, size),
            freed=self._by_step(free, freed),
            released=self._by_step(free, late),
            lost=self._by_step(birth, inside & (end == BlockEnd.LOST)),
            carried=self._by_step(birth, stays),
            carried_bytes=self._by_step(birth, stays, size),
            carried_requested=self._by_step(birth, stays, asked),
            replaced=replaced,
            replaceable=replaceable,
            lag=lag,
            usual_lag=int(np.sort(ages)[len(ages) // 2]) if len(ages) else -1,
            late_release_rate=_release_rate(ages, lived, lag),
        )

    def _by_step(self, step: Int32, where: Bool, weight: Int64 | None = None) -> Int64:
        """Sum by step; floating point inside, exact up to 2**53."""
        weights = None if weight is None else weight[where].astype(np.float64)
        return np.bincount(step[where], weights, minlength=self._count).astype(np.int64)


def _release_rate(ages: Int32, lived: Int32, lag: int) -> float:
    """Return releases per block and step at risk, over ages from half the lag to the lag."""
    youngest = (lag + 1) // 2
    releases = int(np.count_nonzero((ages >= youngest) & (ages <= lag)))
    at_risk = int(np.clip(lived - youngest + 1, 0, lag - youngest + 1).sum())
    return releases / at_risk if at_risk else 0.0
