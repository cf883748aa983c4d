"""Blocks as rectangles, address by time, few enough to draw.

What is smaller than a cell of time and address is merged with its like: same cells, same site, same
end. Cells are pixels. If that leaves too many, cells get coarser; before the picture would get
untrue, sites are given up, those of survivors last. A survivor is never merged with what was freed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from tensorboard_memleak.analysis.compact_axis import Region, compact_axis
from tensorboard_memleak.analysis.packing import alike
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64

MOST_RECTANGLES: Final = 20_000
_FINE: Final = (1, 2, 4)
"""Pixels a cell side may have while sites are told apart: more would show what is not there."""


@dataclass(frozen=True, slots=True)
class BlockMap:
    """Rectangles in order of site and time; `end` is a `BlockEnd`, or 0 for a pre-window block.

    `blocks` is how many blocks lie in the range. A rectangle of `count` 1 is block `block` itself;
    of more, `block` is its oldest one, its extent is the hull of all, and its site is -1 if they
    have several. `region` is the interned name of the profile's kind of memory (`temp`, `output`
    ...), -1 where blocks differ or it is not told. What is smaller than `cell_ps` or `cell_bytes`
    may have been merged.
    """

    start_ps: Int64
    end_ps: Int64
    offset: Int64
    size_bytes: Int64
    site: Int64
    region: Int64
    end: Int64
    count: Int64
    block: Int64
    regions: tuple[Region, ...]
    length_bytes: int
    blocks: int
    cell_ps: int
    cell_bytes: int

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
    most: int = MOST_RECTANGLES,
) -> BlockMap:
    """Return what to draw of a range of time and of compact addresses on so many pixels.

    There are never more than `most` rectangles, as long as those are a few dozen.
    """
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
    grain, group = _few_enough(
        analysis, rows, offset, (end_ps - start_ps, high - low), (width, height), most
    )
    return _hulls(analysis, rows, offset, group, grain, regions, length)


@dataclass(frozen=True, slots=True)
class _Grain:
    """How far apart blocks are told: cells, and which of them keep their sites."""

    cell_ps: int
    cell_bytes: int
    sites: Literal["all", "survivors", "none"]


def _few_enough(
    analysis: MemoryAnalysis,
    rows: Int64,
    offset: Int64,
    spans: tuple[int, int],
    pixels: tuple[int, int],
    most: int,
) -> tuple[_Grain, Int64]:
    """Return the finest grain that leaves few enough groups, and the group of each block."""
    for grain in _grains(spans, pixels):
        group = _merge(analysis, rows, offset, grain)
        if len(np.unique(group)) <= most:
            break
    return grain, group


def _grains(spans: tuple[int, int], pixels: tuple[int, int]) -> Iterator[_Grain]:
    """Yield ever coarser grains; in the last one a cell holds everything."""
    cell_ps, cell_bytes = (
        max(span // max(count, 1), 1) for span, count in zip(spans, pixels, strict=True)
    )
    for scale in _FINE:
        yield _Grain(cell_ps * scale, cell_bytes * scale, "all")
    for scale in _FINE:
        yield _Grain(cell_ps * scale, cell_bytes * scale, "survivors")
    scale = 1
    while cell_ps * scale <= 2 * spans[0] or cell_bytes * scale <= 2 * spans[1]:
        yield _Grain(cell_ps * scale, cell_bytes * scale, "none")
        scale *= 2
    yield _Grain(cell_ps * scale, cell_bytes * scale, "none")


def ends_of(blocks: Blocks, rows: Int64) -> Int64:
    """Return how blocks end, 0 for those that were born before the window."""
    early = blocks.birth_event[rows] == UNKNOWN
    return np.where(early, 0, blocks.end[rows]).astype(np.int64)


def _merge(analysis: MemoryAnalysis, rows: Int64, offset: Int64, grain: _Grain) -> Int64:
    """Return a group for each block: its own, or that of the small ones in its cell."""
    blocks = analysis.blocks
    lasts = blocks.freed_ps[rows] - blocks.born_ps[rows]
    size = blocks.allocation_bytes[rows]
    small: Bool = (lasts < grain.cell_ps) | (size < grain.cell_bytes)
    key = [
        _sites(analysis, rows, grain),
        ends_of(blocks, rows),
        blocks.born_ps[rows] // grain.cell_ps,
        blocks.freed_ps[rows] // grain.cell_ps,
        offset // grain.cell_bytes,
    ]
    merged = np.arange(len(rows), 2 * len(rows))
    merged[small] = alike([column[small] for column in key])[1]
    return merged


def _sites(analysis: MemoryAnalysis, rows: Int64, grain: _Grain) -> Int64:
    """Return the sites as far as they keep blocks apart, -1 where they do not."""
    site = analysis.sites.of_block[rows].astype(np.int64)
    if grain.sites == "all":
        return site
    kept = (analysis.blocks.end[rows] == BlockEnd.SURVIVED) & (grain.sites == "survivors")
    return np.where(kept, site, UNKNOWN)


def _hulls(
    analysis: MemoryAnalysis,
    rows: Int64,
    offset: Int64,
    group: Int64,
    grain: _Grain,
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
    site = analysis.sites.of_block[rows].astype(np.int64)
    found = BlockMap(
        start_ps=_reduce(np.minimum, blocks.born_ps[rows], begin),
        end_ps=_reduce(np.maximum, blocks.freed_ps[rows], begin),
        offset=low,
        size_bytes=_reduce(np.maximum, top, begin) - low,
        site=of_one_kind(site, begin),
        region=of_one_kind(regions_of_blocks(analysis)[rows], begin),
        end=ends_of(blocks, rows)[begin],
        count=np.diff(np.append(begin, len(rows))),
        block=rows[begin],
        regions=regions,
        length_bytes=length,
        blocks=len(rows),
        cell_ps=grain.cell_ps,
        cell_bytes=grain.cell_bytes,
    )
    return _sorted(found)


def of_one_kind(values: Int64, begin: Int64) -> Int64:
    """Return the value that all rows of a group share, -1 where they differ."""
    least, most = _reduce(np.minimum, values, begin), _reduce(np.maximum, values, begin)
    return np.where(least == most, least, UNKNOWN)


def regions_of_blocks(analysis: MemoryAnalysis) -> Int64:
    """Return the region that each block's birth tells, as an interned string; -1 if untold."""
    birth = analysis.blocks.birth_event
    region = analysis.memory.events.region
    if not len(region):
        return np.full(len(birth), UNKNOWN, np.int64)
    return np.where(birth == UNKNOWN, UNKNOWN, region[birth]).astype(np.int64)


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
        region=found.region[order],
        end=found.end[order],
        count=found.count[order],
        block=found.block[order],
    )
