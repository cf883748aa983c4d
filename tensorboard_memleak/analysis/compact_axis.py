"""Addresses on a compact axis: stretches that nothing ever used are cut out.

Pools terabytes apart then stand beside each other; inside a region every distance is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.addresses import end_addresses
from tensorboard_memleak.model.trace import Int64, UInt64

_GAP_SHARE: Final = 64
"""A stretch that nothing uses is cut out if it is longer than 1/64 of what is used."""


@dataclass(frozen=True, slots=True)
class Region:
    """Consecutive addresses that lie together on the compact axis."""

    address: int
    offset: int
    size_bytes: int


def compact_axis(address: UInt64, size: Int64) -> tuple[Int64, tuple[Region, ...], int]:
    """Return the offset of each extent, the regions of the axis and its length in bytes."""
    if not len(address):
        return np.zeros(0, np.int64), (), 0
    order = np.argsort(address, kind="stable")
    begin = address[order]
    reach = np.maximum.accumulate(end_addresses(begin, size[order]))
    gap = np.zeros(len(begin), np.uint64)
    gap[1:] = np.where(begin[1:] > reach[:-1], begin[1:] - reach[:-1], 0)
    used = int(reach[-1] - begin[0]) - int(gap.sum())
    cut = np.where(gap > used // _GAP_SHARE, gap, 0)
    shift = begin[0] + np.cumsum(cut)
    offset = np.empty(len(address), np.int64)
    offset[order] = (begin - shift).astype(np.int64)
    first = np.flatnonzero(np.append(True, cut[1:] > 0))
    last = np.append(first[1:], len(begin)) - 1
    regions = tuple(
        Region(int(begin[a]), int(offset[order[a]]), int(reach[b]) - int(begin[a]))
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    )
    return offset, regions, regions[-1].offset + regions[-1].size_bytes
