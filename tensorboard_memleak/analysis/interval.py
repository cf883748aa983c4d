"""What a stretch of time made, freed and left behind, by site."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.live import alive_at
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.trace import Bool, Int64


@dataclass(frozen=True, slots=True)
class Interval:
    """One row a site that was touched in [start, end); site -1 is what was born before the window.

    Bytes are allocated bytes. `freed` counts what ended in the interval, whenever it was born;
    `net` is born less freed. `left` was born in it and is live at its end, `survived` is that part
    of it which is live at a third moment as well.
    """

    site: Int64
    born_blocks: Int64
    born_bytes: Int64
    freed_blocks: Int64
    freed_bytes: Int64
    left_blocks: Int64
    left_bytes: Int64
    survived_blocks: Int64
    survived_bytes: Int64

    @property
    def net_bytes(self) -> Int64:
        """Born less freed."""
        return self.born_bytes - self.freed_bytes


def interval(analysis: MemoryAnalysis, start_ps: int, end_ps: int, then_ps: int) -> Interval:
    """Sum up [start, end), and what of it is live at `then`; rows are ordered by what survived."""
    blocks = analysis.blocks
    site = analysis.sites.of_block.astype(np.int64)
    size = np.maximum(blocks.allocation_bytes, 0)
    born = (site >= 0) & (blocks.born_ps >= start_ps) & (blocks.born_ps < end_ps)
    ended = blocks.end != BlockEnd.SURVIVED
    freed = ended & (blocks.freed_ps >= start_ps) & (blocks.freed_ps < end_ps)
    # "Live at the end" of a half-open interval: just before the events at `end`.
    left = born & (~ended | (blocks.freed_ps >= end_ps))
    survived = left & alive_at(blocks, then_ps)
    touched = np.unique(site[born | freed])
    place = np.full(len(analysis.sites.sites) + 1, 0, np.int64)
    place[touched + 1] = np.arange(len(touched))

    def count(where: Bool) -> Int64:
        return np.bincount(place[site[where] + 1], minlength=len(touched)).astype(np.int64)

    def total(where: Bool) -> Int64:
        summed = np.bincount(place[site[where] + 1], size[where], minlength=len(touched))
        return summed.astype(np.int64)

    order = np.lexsort((-total(born), -total(left), -total(survived)))
    return Interval(
        touched[order],
        count(born)[order],
        total(born)[order],
        count(freed)[order],
        total(freed)[order],
        count(left)[order],
        total(left)[order],
        count(survived)[order],
        total(survived)[order],
    )
