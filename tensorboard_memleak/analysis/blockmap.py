"""Blocks as rectangles, address by time, few enough to draw.

Addresses are laid on a compact axis: stretches that no block ever used are cut down, so that pools
terabytes apart stand beside each other. What is smaller than a pixel is merged with its like: same
cell of time and address, same site, same end. A survivor is never merged with what was freed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.packing import alike
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64, UInt64

MOST_RECTANGLES: Final = 20_000
_COARSER: Final = 2
_GAP_SHARE: Final = 64
"""A stretch that nothing uses is cut out if it is longer than 1/64 of what is used."""


@dataclass(frozen=True, slots=True)
class Region:
    """Consecutive addresses that lie together on the compact axis."""

    address: int
    offset: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class BlockMap:
    """Rectangles in order of site and time; `end` is a `BlockEnd`, or 0 for a pre-window block.

    `blocks` is how many blocks lie in the range. A rectangle of `count` 1 is block `block` itself;
    of more, `block` is its oldest one and its extent is the hull of all.
    """

    start_ps: Int64
    end_ps: Int64
    offset: Int64
    size_bytes: Int64
    site: Int64
    end: Int64
    count: Int64
    block: Int64
    regions: tuple[Region, ...]
    length_bytes: int
    blocks: int

    def __len__(self) -> int:
        return len(self.block)


def block_map(
    analysis: MemoryAnalysis,
    start_ps: int,
    end_ps: int,
    low: int | None,
    high: int | None,
    width: int,
    height: int,
) -> BlockMap:
    """Return what to draw of a range of time and of compact addresses on so many pixels."""
    blocks = analysis.blocks
    sized = np.flatnonzero(blocks.allocation_bytes > 0)
    offset, regions, length = compact_axis(blocks.address[sized], blocks.allocation_bytes[sized])
    low, high = low or 0, length if high is None else high
    size = blocks.allocation_bytes[sized]
    inside = (
        (blocks.born_ps[sized] <= end_ps)
        & (blocks.freed_ps[sized] >= start_ps)
        & (offset < high)
        & (offset + size > low)
    )
    rows, offset = sized[inside], offset[inside]
    cell_ps = max((end_ps - start_ps) // max(width, 1), 1)
    cell_bytes = max((high - low) // max(height, 1), 1)
    group = _merge(analysis, rows, offset, cell_ps, cell_bytes)
    # Coarser cells until it is few enough, or until one cell holds everything.
    while len(np.unique(group)) > MOST_RECTANGLES and (
        cell_ps <= end_ps - start_ps or cell_bytes <= high - low
    ):
        cell_ps, cell_bytes = cell_ps * _COARSER, cell_bytes * _COARSER
        group = _merge(analysis, rows, offset, cell_ps, cell_bytes)
    return _hulls(analysis, rows, offset, group, regions, length)


def compact_axis(address: UInt64, size: Int64) -> tuple[Int64, tuple[Region, ...], int]:
    """Return the offset of each extent, the regions of the axis and its length in bytes."""
    if not len(address):
        return np.zeros(0, np.int64), (), 0
    order = np.argsort(address, kind="stable")
    begin = address[order]
    reach = np.maximum.accumulate(begin + size[order].astype(np.uint64))
    gap = np.append(0, np.where(begin[1:] > reach[:-1], begin[1:] - reach[:-1], 0).astype(np.int64))
    used = int(np.uint64(reach[-1] - begin[0])) - int(gap.sum())
    cut = np.where(gap > used // _GAP_SHARE, gap, 0)
    shift = begin[0] + np.cumsum(cut).astype(np.uint64)
    offset = np.empty(len(address), np.int64)
    offset[order] = (begin - shift).astype(np.int64)
    first = np.flatnonzero(np.append(True, cut[1:] > 0))
    last = np.append(first[1:], len(begin)) - 1
    regions = tuple(
        Region(int(begin[a]), int(offset[order[a]]), int(reach[b]) - int(begin[a]))
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    )
    return offset, regions, regions[-1].offset + regions[-1].size_bytes


def ends_of(blocks: Blocks, rows: Int64) -> Int64:
    """Return how blocks end, 0 for those that were born before the window."""
    early = blocks.birth_event[rows] == UNKNOWN
    return np.where(early, 0, blocks.end[rows]).astype(np.int64)


def _merge(
    analysis: MemoryAnalysis,
    rows: Int64,
    offset: Int64,
    cell_ps: int,
    cell_bytes: int,
) -> Int64:
    """Return a group for each block: its own, or that of the small ones in its cell."""
    blocks = analysis.blocks
    lasts = blocks.freed_ps[rows] - blocks.born_ps[rows]
    small: Bool = (lasts < cell_ps) | (blocks.allocation_bytes[rows] < cell_bytes)
    key = [
        analysis.sites.of_block[rows].astype(np.int64),
        ends_of(blocks, rows),
        blocks.born_ps[rows] // cell_ps,
        blocks.freed_ps[rows] // cell_ps,
        offset // cell_bytes,
    ]
    merged = np.arange(len(rows), 2 * len(rows))
    merged[small] = alike([column[small] for column in key])[1]
    return merged


def _hulls(
    analysis: MemoryAnalysis,
    rows: Int64,
    offset: Int64,
    group: Int64,
    regions: tuple[Region, ...],
    length: int,
) -> BlockMap:
    """Return one rectangle a group."""
    blocks = analysis.blocks
    order = np.lexsort((blocks.born_ps[rows], group))
    rows, offset, group = rows[order], offset[order], group[order]
    begin = np.flatnonzero(np.append(True, group[1:] != group[:-1]))[: len(rows)]
    top = offset + blocks.allocation_bytes[rows]
    low = _reduce(np.minimum, offset, begin)
    found = BlockMap(
        start_ps=_reduce(np.minimum, blocks.born_ps[rows], begin),
        end_ps=_reduce(np.maximum, blocks.freed_ps[rows], begin),
        offset=low,
        size_bytes=_reduce(np.maximum, top, begin) - low,
        site=analysis.sites.of_block[rows][begin].astype(np.int64),
        end=ends_of(blocks, rows)[begin],
        count=np.diff(np.append(begin, len(rows))),
        block=rows[begin],
        regions=regions,
        length_bytes=length,
        blocks=len(rows),
    )
    return _sorted(found)


def _reduce(function: np.ufunc, values: Int64, begin: Int64) -> Int64:
    if not len(begin):
        return np.zeros(0, np.int64)
    reduced: Int64 = function.reduceat(values, begin)
    return reduced


def _sorted(found: BlockMap) -> BlockMap:
    """Order by site and time, survivors last: what stands out is drawn on top."""
    order = np.lexsort((found.start_ps, found.site, found.end == BlockEnd.SURVIVED))
    return replace(
        found,
        start_ps=found.start_ps[order],
        end_ps=found.end_ps[order],
        offset=found.offset[order],
        size_bytes=found.size_bytes[order],
        site=found.site[order],
        end=found.end[order],
        count=found.count[order],
        block=found.block[order],
    )
