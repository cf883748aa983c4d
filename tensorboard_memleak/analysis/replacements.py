"""Pre-window blocks that the window frees, set against the survivors that may replace them.

A cache that was full before the window frees an old block for each new one it keeps: nothing
grows. Which group an unborn block belonged to is not known, only its size; each group is given the
share that its survivors are of all survivors of that requested size.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, Int64

OFFSET: Final = 0.5
"""Share of the kept blocks and bytes from which pre-window blocks of like sizes cast doubt."""
ALIKE: Final = 2
"""Sizes are alike within this factor of the smallest and largest that a group keeps."""
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
        # Before the first step a capture frees the temporaries of the step that it cut in two.
        unborn = unborn[block_steps.free[unborn] >= 0]
        survivors = np.flatnonzero(
            (blocks.end == BlockEnd.SURVIVED) & (blocks.birth_event != UNKNOWN)
        )
        self._unborn_size, self._unborn_step = self._size[unborn], block_steps.free[unborn]
        self._rows = survivors
        self._sizes, self._survivors = np.unique(self._size[survivors], return_counts=True)
        self._unborn = _counts_of(self._unborn_size, self._sizes)
        odd = unborn[_beyond(self._unborn_size, self._sizes, self._survivors)]
        self._odd_step, self._odd_size = block_steps.free[odd], self._size[odd]

    @property
    def unmatched_survivors(self) -> int:
        """Survivors beyond one for each pre-window block of their size that was freed."""
        return int(np.maximum(self._survivors - self._unborn, 0).sum())

    def offset(self, occasions: Int64, survivors: Int64, replaceable: Int64) -> bool:
        """Tell whether pre-window blocks may make up for what a group kept.

        They may if blocks of its exact sizes and, where its sizes vary, others about as large that
        no survivor has the size of, were freed throughout the steps in which it kept something,
        half as many and half as many bytes: a full queue of ragged batches. `replaceable` is the
        number of pre-window blocks of its exact sizes by step.
        """
        first, last = int(occasions[0]), int(occasions[-1])
        kept = self._size[survivors]
        low, high = int(kept.min()), int(kept.max())
        ragged = low < high  # what keeps one size only replaces blocks of that size
        alike = ragged & (self._odd_size >= low / ALIKE) & (self._odd_size <= high * ALIKE)
        freed = replaceable + np.bincount(self._odd_step[alike], minlength=self._count)
        parts = np.array_split(freed[first : last + 1], OFFSET_PARTS)
        throughout = all(part.any() for part in parts if len(part))
        freed_bytes = self._odd_size[alike].sum() + replaceable.sum() * kept.mean()
        enough = min(freed.sum() / len(kept), freed_bytes / kept.sum())
        return throughout and float(enough) >= OFFSET

    def share_of_blocks(self) -> Float64:
        """Return for each block the chance that it replaced a pre-window block; 0 if it went."""
        share = np.zeros(len(self._size))
        if len(self._sizes):
            ratio = np.minimum(self._unborn / self._survivors, 1.0)
            share[self._rows] = ratio[np.searchsorted(self._sizes, self._size[self._rows])]
        return share

    def by_step(self, survivors: Int64) -> tuple[Float64, Int64]:
        """Return how many blocks a group replaced in each step: as expected, and at most."""
        if not len(self._unborn_size) or not len(survivors):
            return np.zeros(self._count), np.zeros(self._count, np.int64)
        sizes, counts = np.unique(self._size[survivors], return_counts=True)
        share = counts / self._survivors[np.searchsorted(self._sizes, sizes)]
        place = np.minimum(np.searchsorted(sizes, self._unborn_size), len(sizes) - 1)
        mine = sizes[place] == self._unborn_size
        step = self._unborn_step[mine]
        expected = np.bincount(step, share[place[mine]], minlength=self._count)
        at_most = np.bincount(step, minlength=self._count)
        return expected.astype(np.float64), at_most.astype(np.int64)


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
    """Return the requested size, or the allocated one where the request is not told."""
    told = blocks.requested_bytes > 0
    return np.where(told, blocks.requested_bytes, np.maximum(blocks.allocation_bytes, 1))
