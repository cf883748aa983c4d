"""One row a site: what it allocated, freed and kept over the window."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, Int64

_PS_PER_SECOND = 1e12


@dataclass(frozen=True, slots=True)
class SiteTable:
    """Columns aligned to `Sites.sites`; bytes are allocated bytes unless they say requested.

    `allocated_bytes` is the sum over all births of the window (churn), `peak_live_bytes` the most
    that the site's own blocks held at one time. `rounding_bytes` is what its blocks take beyond
    what was asked for, over all births.
    """

    allocations: Int64
    deallocations: Int64
    survivors: Int64
    survivor_bytes: Int64
    survivor_requested_bytes: Int64
    allocated_bytes: Int64
    rounding_bytes: Int64
    peak_live_bytes: Int64


def site_table(analysis: MemoryAnalysis) -> SiteTable:
    """Sum the blocks of one memory by site."""
    blocks, site = analysis.blocks, analysis.sites.of_block
    count = len(analysis.sites.sites)
    born = site >= 0
    size, asked = np.maximum(blocks.allocation_bytes, 0), np.maximum(blocks.requested_bytes, 0)
    survives = born & (blocks.end == BlockEnd.SURVIVED)
    told = born & (blocks.requested_bytes >= 0) & (blocks.allocation_bytes >= 0)

    def total(where: Bool, weight: Int64 | None = None) -> Int64:
        # bincount sums in floating point, exact up to 2**53: eight petabytes.
        weights = None if weight is None else weight[where]
        return np.bincount(site[where], weights, minlength=count).astype(np.int64)

    return SiteTable(
        allocations=total(born),
        deallocations=total(born & (blocks.end == BlockEnd.FREED)),
        survivors=total(survives),
        survivor_bytes=total(survives, size),
        survivor_requested_bytes=total(survives, asked),
        allocated_bytes=total(born, size),
        rounding_bytes=total(told, size - asked),
        peak_live_bytes=_peaks(blocks, site, count),
    )


def byte_seconds(blocks: Blocks, rows: Int64) -> Float64:
    """Return allocated bytes times the seconds that each block is alive inside the window.

    Blind spot: what a block lived before or lives after the window does not count.
    """
    seconds = (blocks.freed_ps[rows] - blocks.born_ps[rows]) / _PS_PER_SECOND
    weight: Float64 = np.maximum(blocks.allocation_bytes[rows], 0) * seconds
    return weight


def _peaks(blocks: Blocks, site: np.ndarray[tuple[int], np.dtype[np.int32]], count: int) -> Int64:
    """Return the highest running sum of each group's births and releases."""
    rows = np.flatnonzero(site >= 0)
    freed = rows[blocks.end[rows] != BlockEnd.SURVIVED]
    size = np.maximum(blocks.allocation_bytes, 0)
    group = np.concatenate([site[rows], site[freed]])
    time = np.concatenate([blocks.born_ps[rows], blocks.freed_ps[freed]])
    change = np.concatenate([size[rows], -size[freed]])
    # At one moment a release comes first: an address is freed before it is born again.
    order = np.lexsort((change, time, group))
    running, group = np.cumsum(change[order]), group[order]
    begin = np.flatnonzero(np.append(True, group[1:] != group[:-1]))[: len(group)]
    peaks = np.zeros(count, np.int64)
    if len(group):
        before = np.append(0, running)[begin]
        peaks[group[begin]] = np.maximum.reduceat(running, begin) - before
    return np.maximum(peaks, UNKNOWN + 1)
