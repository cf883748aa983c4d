"""What one group of blocks (a site, or one variant of a site) did in each step.

The histories answer the one question that growth turns on: *which steps do the survivors come
from?* They hold counts and bytes by birth step, how long the freed blocks lived, and how many
blocks of the same sizes were freed that the window did not see born.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, Int32, Int64


@dataclass(frozen=True, slots=True)
class History:
    """One group over `N` steps; every array but `survivors` has one entry a step.

    `kept` counts survivors by birth step; `carried_bytes` is what blocks born in a step still held
    when that step ended (`carried_requested` as they were asked for: allocators round); `replaced`
    counts pre-window blocks of the survivors' sizes that were
    freed in a step, the share of this group. `lag` is the largest age in steps at which a block was
    freed (-1: none was). `early` counts survivors born before the first step.
    """

    group: int
    survivors: Int64
    born: Int64
    kept: Int64
    kept_bytes: Int64
    freed: Int64
    carried: Int64
    carried_bytes: Int64
    carried_requested: Int64
    replaced: Float64
    lag: int
    usual_lag: int
    early: int

    @property
    def steps(self) -> int:
        """The number of steps of the window."""
        return len(self.born)


class Histories:
    """The histories of all groups of one memory, made one at a time on demand."""

    def __init__(
        self, blocks: Blocks, block_steps: BlockSteps, group: Int32, step_count: int
    ) -> None:
        self._blocks, self._steps, self._count = blocks, block_steps, step_count
        chosen = np.flatnonzero(group >= 0)
        order = chosen[np.argsort(group[chosen], kind="stable")]
        self._order = order
        self._begin = np.searchsorted(group[order], np.arange(int(group.max(initial=-1)) + 2))
        self._replacements = _Replacements(blocks, block_steps, step_count)

    def __len__(self) -> int:
        return len(self._begin) - 1

    def rows(self, group: int) -> Int64:
        """Return the blocks of a group in order of birth."""
        return self._order[self._begin[group] : self._begin[group + 1]]

    def of(self, group: int) -> History:
        """Return the history of one group."""
        rows = self.rows(group)
        birth, free = self._steps.birth[rows], self._steps.free[rows]
        size = np.maximum(self._blocks.allocation_bytes[rows], 0)
        asked = self._blocks.requested_bytes[rows]
        asked = np.where(asked > 0, asked, size)
        survives = self._blocks.end[rows] == BlockEnd.SURVIVED
        freed = (self._blocks.end[rows] == BlockEnd.FREED) & (birth >= 0)
        ages = (free - birth)[freed]
        stays = (birth >= 0) & (survives | (freed & (free > birth)))
        survivors = rows[survives]
        return History(
            group=group,
            survivors=survivors,
            born=self._by_step(birth, birth >= 0),
            kept=self._by_step(birth, survives & (birth >= 0)),
            kept_bytes=self._by_step(birth, survives & (birth >= 0), size),
            freed=self._by_step(free, freed),
            carried=self._by_step(birth, stays),
            carried_bytes=self._by_step(birth, stays, size),
            carried_requested=self._by_step(birth, stays, asked),
            replaced=self._replacements.of(survivors),
            lag=int(ages.max(initial=-1)),
            usual_lag=int(np.median(ages)) if len(ages) else -1,
            early=int(np.count_nonzero(survives & (birth < 0))),
        )

    def _by_step(self, step: Int32, where: Bool, weight: Int64 | None = None) -> Int64:
        counted = np.bincount(
            step[where],
            weights=None if weight is None else weight[where].astype(np.float64),
            minlength=self._count,
        )
        return counted.astype(np.int64)


class _Replacements:
    """Pre-window blocks that the window freed, shared out among survivors of the same size.

    A cache that was full before the window frees an old block for each new one it keeps. Which
    group an unborn block belongs to is not known, only its requested size; each group takes the
    share that its survivors are of all survivors of that size.
    """

    def __init__(self, blocks: Blocks, block_steps: BlockSteps, step_count: int) -> None:
        self._count = step_count
        unborn = np.flatnonzero(blocks.birth_event == UNKNOWN)
        survivors = np.flatnonzero(
            (blocks.end == BlockEnd.SURVIVED) & (blocks.birth_event != UNKNOWN)
        )
        self._size = _size_key(blocks)
        self._unborn_size = self._size[unborn]
        self._unborn_step = block_steps.free[unborn]
        sizes, counts = np.unique(self._size[survivors], return_counts=True)
        self._sizes, self._survivors_of_size = sizes, counts

    def of(self, survivors: Int64) -> Float64:
        """Return the expected number of replaced blocks in each step."""
        result = np.zeros(self._count)
        if not len(self._unborn_size) or not len(survivors):
            return result
        sizes, counts = np.unique(self._size[survivors], return_counts=True)
        share = counts / self._survivors_of_size[np.searchsorted(self._sizes, sizes)]
        place = np.minimum(np.searchsorted(sizes, self._unborn_size), len(sizes) - 1)
        mine = (sizes[place] == self._unborn_size) & (self._unborn_step >= 0)
        np.add.at(result, self._unborn_step[mine], share[place[mine]])
        return result


def _size_key(blocks: Blocks) -> Int64:
    """Return the requested size, the allocated one (negative) where the request is not told."""
    told = blocks.requested_bytes > 0
    return np.where(told, blocks.requested_bytes, -blocks.allocation_bytes - 1)
