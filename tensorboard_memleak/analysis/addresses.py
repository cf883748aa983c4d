"""The address space at one moment, as far as the events of the window show it.

Every range of addresses that any block of the window covers is known at every moment: it is in use
if a block that covers it is alive, else free. Whatever else was allocated before the window and
stays can only lie where no block of the window ever is; those gaps are unknown. So pieces called
free are surely free (if no event was lost), and the largest of them is a lower bound of the largest
free piece there is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tensorboard_memleak.analysis.live import alive_at
from tensorboard_memleak.model.blocks import Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Int64, UInt8, UInt64


class Use(IntEnum):
    """What a piece of the address space is at a moment."""

    UNKNOWN = 0
    FREE = 1
    IN_USE = 2


@dataclass(frozen=True, slots=True)
class AddressMap:
    """Pieces in order of address, from the lowest address that the window shows to the highest.

    `block` is the block that lies in a piece in use, -1 elsewhere. Neighbouring pieces differ in
    use or in block.
    """

    start: UInt64
    size_bytes: Int64
    use: UInt8
    block: Int64

    def largest_free(self) -> int:
        """Return the row of the largest piece that is surely free, -1 if there is none."""
        free = np.where(self.use == Use.FREE, self.size_bytes, UNKNOWN)
        return int(np.argmax(free)) if len(free) and free.max() > 0 else UNKNOWN

    def neighbours(self, row: int) -> tuple[int, int]:
        """Return the blocks that lie directly below and above a piece, -1 for none known."""
        below = int(self.block[row - 1]) if row > 0 else UNKNOWN
        above = int(self.block[row + 1]) if row + 1 < len(self.block) else UNKNOWN
        return below, above


def end_addresses(start: UInt64, size_bytes: Int64) -> UInt64:
    """Return the address behind each extent; none reaches beyond the largest address there is."""
    size = size_bytes.astype(np.uint64)
    return start + np.minimum(size, np.iinfo(np.uint64).max - start)


def address_map(blocks: Blocks, time_ps: int) -> AddressMap:
    """Return the address space just after a moment."""
    rows = np.flatnonzero(blocks.allocation_bytes > 0)
    start = blocks.address[rows]
    end = end_addresses(start, blocks.allocation_bytes[rows])
    alive = alive_at(blocks, time_ps)[rows]
    edges = np.unique(np.concatenate([start, end]))
    if len(edges) < 2:  # two are the least that a piece has
        none = np.zeros(0, np.int64)
        return AddressMap(edges[:0], none, none.astype(np.uint8), none)
    seen = _covered(edges, start, end) > 0
    used = _covered(edges, start[alive], end[alive]) > 0
    use = np.where(used, Use.IN_USE, np.where(seen, Use.FREE, Use.UNKNOWN)).astype(np.uint8)
    block = np.full(len(edges) - 1, UNKNOWN, np.int64)
    order = np.argsort(start[alive], kind="stable")
    owner = np.searchsorted(start[alive][order], edges[:-1], side="right") - 1
    block[used] = rows[alive][order][owner[used]]
    return _joined(edges, use, block)


def _covered(edges: UInt64, start: UInt64, end: UInt64) -> Int64:
    """Return how many of the ranges cover each piece between two edges."""
    count = len(edges)
    opened = np.bincount(np.searchsorted(edges, start), minlength=count)
    closed = np.bincount(np.searchsorted(edges, end), minlength=count)
    return np.asarray(np.cumsum(opened - closed)[:-1])


def _joined(edges: UInt64, use: UInt8, block: Int64) -> AddressMap:
    """Join neighbouring pieces that are the same."""
    new = np.append(True, (use[1:] != use[:-1]) | (block[1:] != block[:-1]))
    first = np.flatnonzero(new)
    start = edges[:-1][first]
    end = np.append(start[1:], edges[-1])
    size = np.minimum(end - start, np.uint64(np.iinfo(np.int64).max)).astype(np.int64)
    return AddressMap(start, size, use[first], block[first])
