"""Pre-window blocks that the window frees, set against the survivors that may replace them.

A cache that was full before the window frees an old block for each new one it keeps: nothing
grows. Which group an unborn block belonged to is not known, only its size; each group is given the
share that its survivors are of all survivors of that requested size.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, Int32, Int64

OFFSET: Final = 0.5
"""Share of the kept bytes from which freed pre-window blocks of other sizes cast doubt."""
OFFSET_PARTS: Final = 4
"""Parts of a growth's span that must each have freed pre-window blocks."""


class Replacements:
    """The pre-window blocks of one memory by size, shared out among its survivors."""

    def __init__(
        self, blocks: Blocks, block_steps: BlockSteps, step_count: int, lost_births: Int64
    ) -> None:
        """Take the blocks without a birth, less those whose birth is known to be lost (sizes)."""
        self._count = step_count
        self._size = _size_key(blocks)
        unborn = np.flatnonzero(blocks.birth_event == UNKNOWN)
        lost_sizes, lost_counts = np.unique(lost_births, return_counts=True)
        unborn = unborn[_beyond(blocks.allocation_bytes[unborn], lost_sizes, lost_counts)]
        survivors = np.flatnonzero(
            (blocks.end == BlockEnd.SURVIVED) & (blocks.birth_event != UNKNOWN)
        )
        self._unborn_size, self._unborn_step = self._size[unborn], block_steps.free[unborn]
        self._sizes, self._survivors = np.unique(self._size[survivors], return_counts=True)
        self._unborn = _counts_of(self._unborn_size, self._sizes)
        odd = unborn[_beyond(self._unborn_size, self._sizes, self._survivors)]
        odd = odd[block_steps.free[odd] >= 0]
        size = np.maximum(blocks.allocation_bytes[odd], 0)
        self._odd_bytes = _sum_by_step(block_steps.free[odd], size, step_count)
        self._change_bytes = _changes(blocks, block_steps, step_count)

    @property
    def unmatched_survivors(self) -> int:
        """Survivors beyond one for each pre-window block of their size that was freed."""
        return int(np.maximum(self._survivors - self._unborn, 0).sum())

    def offset(self, occasions: Int64, kept_bytes: int) -> bool:
        """Tell whether pre-window blocks of other sizes may make up for what a group kept.

        They may if blocks that no survivor has the size of were freed throughout the steps in which
        it kept something, as many bytes of them, while the memory as a whole did not grow by what
        was kept.
        """
        first, last = int(occasions[0]), int(occasions[-1])
        freed = self._odd_bytes[first : last + 1]
        parts = np.array_split(freed, OFFSET_PARTS)
        throughout = all(part.any() for part in parts if len(part))
        grown = int(self._change_bytes[first : last + 1].sum())
        enough = OFFSET * kept_bytes
        return throughout and int(freed.sum()) >= enough and grown < enough

    def by_step(self, survivors: Int64) -> tuple[Float64, Int64]:
        """Return how many blocks a group replaced in each step: as expected, and at most."""
        if not len(self._unborn_size) or not len(survivors):
            return np.zeros(self._count), np.zeros(self._count, np.int64)
        sizes, counts = np.unique(self._size[survivors], return_counts=True)
        share = counts / self._survivors[np.searchsorted(self._sizes, sizes)]
        place = np.minimum(np.searchsorted(sizes, self._unborn_size), len(sizes) - 1)
        mine = (sizes[place] == self._unborn_size) & (self._unborn_step >= 0)
        step = self._unborn_step[mine]
        expected = np.bincount(step, share[place[mine]], minlength=self._count)
        at_most = np.bincount(step, minlength=self._count)
        return expected.astype(np.float64), at_most.astype(np.int64)


def _changes(blocks: Blocks, block_steps: BlockSteps, step_count: int) -> Int64:
    """Return by how much the memory as a whole grew in each step."""
    size = np.maximum(blocks.allocation_bytes, 0)
    change = np.zeros(step_count, np.int64)
    for step, sign in ((block_steps.birth, 1), (block_steps.free, -1)):
        inside = step >= 0
        change += sign * _sum_by_step(step[inside], size[inside], step_count)
    return change


def _sum_by_step(step: Int32, size: Int64, step_count: int) -> Int64:
    return np.bincount(step, size, minlength=step_count).astype(np.int64)


def _beyond(values: Int64, sizes: Int64, counts: Int64) -> Bool:
    """Return which values come after the first `counts[i]` of their size, in order."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    rank = np.arange(len(values)) - np.searchsorted(ranked, ranked)
    place = np.minimum(np.searchsorted(sizes, ranked), max(len(sizes) - 1, 0))
    known = np.zeros(len(values), np.int64)
    if len(sizes):
        known = np.where(sizes[place] == ranked, counts[place], 0)
    beyond = np.empty(len(values), np.bool_)
    beyond[order] = rank >= known
    return beyond


def _counts_of(values: Int64, sizes: Int64) -> Int64:
    """Return how often each of the sorted `sizes` occurs among `values`."""
    if not len(sizes):
        return np.zeros(0, np.int64)
    place = np.minimum(np.searchsorted(sizes, values), len(sizes) - 1)
    return np.bincount(place[sizes[place] == values], minlength=len(sizes))


def _size_key(blocks: Blocks) -> Int64:
    """Return the requested size, the allocated one (negative) where the request is not told."""
    return np.where(
        blocks.requested_bytes > 0, blocks.requested_bytes, -blocks.allocation_bytes - 1
    )
