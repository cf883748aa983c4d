"""The address space at one moment, as pieces few enough to draw.

It lies on the compact axis of the block map, so that both pictures call one place by one offset.
Neighbours that are smaller than a pixel become one piece if they lie in the same pixel. Such a
piece may hold free and used bytes: `used_bytes` tells how much of it is in use, exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.addresses import AddressMap, Use, address_map
from tensorboard_memleak.analysis.blockmap import ends_of, of_one_kind, regions_of_blocks
from tensorboard_memleak.analysis.compact_axis import Region, compact_axis
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64

MIXED: Final = 3
"""Beside the values of `Use`: neighbours under one pixel that differ in use."""


@dataclass(frozen=True, slots=True)
class AddressPicture:
    """Pieces in order of offset; together they cover the axis of `length_bytes` without a gap.

    `use` is a `Use` or `MIXED`. `count` is how many blocks lie in a piece, `oldest` the oldest of
    them (-1: none), `block` the block of a piece that is nothing but that block (-1 elsewhere).
    `site`, `region` (an interned string) and `end` (as in the block map) are those that all its
    blocks share, -1 where they share none. `pieces` is how many there are before any are merged.
    """

    offset: Int64
    size_bytes: Int64
    used_bytes: Int64
    use: Int64
    site: Int64
    region: Int64
    end: Int64
    count: Int64
    oldest: Int64
    block: Int64
    regions: tuple[Region, ...]
    length_bytes: int
    pieces: int
    cell_bytes: int

    def __len__(self) -> int:
        return len(self.offset)


def address_picture(analysis: MemoryAnalysis, time_ps: int, pixels: int) -> AddressPicture:
    """Return the address space just after a moment; at most twice as many pieces as `pixels`."""
    blocks = analysis.blocks
    sized = np.flatnonzero(blocks.allocation_bytes > 0)
    _, regions, length = compact_axis(blocks.address[sized], blocks.allocation_bytes[sized])
    pieces = address_map(blocks, time_ps)
    offset = _on_axis(pieces, regions)
    inside = np.flatnonzero(offset != UNKNOWN)
    offset = offset[inside]
    size, use = pieces.size_bytes[inside], pieces.use[inside].astype(np.int64)
    block = pieces.block[inside]
    cell = max(length // pixels, 1)
    begin = np.flatnonzero(_apart(offset, size, cell))
    alone = np.diff(np.append(begin, len(offset))) == 1
    used = use == Use.IN_USE
    same_use = of_one_kind(use, begin)
    return AddressPicture(
        offset=offset[begin],
        size_bytes=_sums(size, begin),
        used_bytes=_sums(np.where(used, size, 0), begin),
        use=np.where(same_use == UNKNOWN, MIXED, same_use),
        site=_shared(analysis.sites.of_block.astype(np.int64), block, used, begin),
        region=_shared(regions_of_blocks(analysis), block, used, begin),
        end=_shared(ends_of(blocks, np.arange(len(blocks))), block, used, begin),
        count=_sums(used.astype(np.int64), begin),
        oldest=_oldest(block, used, begin),
        block=np.where(alone, block[begin], UNKNOWN),
        regions=regions,
        length_bytes=length,
        pieces=len(offset),
        cell_bytes=cell,
    )


def _on_axis(pieces: AddressMap, regions: tuple[Region, ...]) -> Int64:
    """Return the offset of each piece, -1 for what is cut out of the axis."""
    if not regions:
        return np.zeros(0, np.int64)
    begin = np.array([one.address for one in regions], np.uint64)
    part = np.searchsorted(begin, pieces.start, side="right") - 1
    into = (pieces.start - begin[part]).astype(np.int64)
    length = np.array([one.size_bytes for one in regions], np.int64)
    shift = np.array([one.offset for one in regions], np.int64)
    return np.where(into < length[part], into + shift[part], UNKNOWN)


def _apart(offset: Int64, size: Int64, cell: int) -> Bool:
    """Return which pieces do not belong to the one before them."""
    small, pixel = size < cell, offset // cell
    apart = np.ones(len(offset), np.bool_)
    apart[1:] = ~small[1:] | ~small[:-1] | (pixel[1:] != pixel[:-1])
    return apart


def _sums(values: Int64, begin: Int64) -> Int64:
    return np.add.reduceat(values, begin) if len(begin) else np.zeros(0, np.int64)


def _oldest(block: Int64, used: Bool, begin: Int64) -> Int64:
    """Return the first born block of each piece, -1 where there is none: blocks are so ordered."""
    if not len(begin):
        return np.zeros(0, np.int64)
    none = np.iinfo(np.int64).max
    least = np.minimum.reduceat(np.where(used, block, none), begin)
    return np.where(least == none, UNKNOWN, least)


def _shared(of_block: Int64, block: Int64, used: Bool, begin: Int64) -> Int64:
    """Return what all blocks of a piece have in common; free pieces beside them do not count."""
    if not len(begin):
        return np.zeros(0, np.int64)
    value = of_block[block]
    least = np.minimum.reduceat(np.where(used, value, np.iinfo(np.int64).max), begin)
    most = np.maximum.reduceat(np.where(used, value, UNKNOWN), begin)
    return np.where(least == most, most, UNKNOWN)
