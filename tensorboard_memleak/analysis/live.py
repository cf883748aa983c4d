"""What is live at one moment: complete, across steps, grouped and ranked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.steps import step_of
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int32, Int64


@dataclass(frozen=True, slots=True)
class LiveSet:
    """Blocks alive at a moment, one row a variant, the largest first.

    Ages are in steps at that moment, -1 where either end lies outside all steps. `before_bytes` is
    the rest of the heap that the allocator says is in use: allocated before the window, its origin
    unknown (`None` where the allocator tells no counter). `before_blocks` of them, with
    `before_known_bytes`, are known because the window frees them later. `stack_bytes` is what the
    allocator has reserved beside the heap.
    """

    time_ps: int
    variant: Int32
    blocks: Int64
    requested_bytes: Int64
    allocation_bytes: Int64
    youngest_steps: Int64
    oldest_steps: Int64
    heap_bytes: int | None
    stack_bytes: int | None
    before_bytes: int | None
    before_blocks: int
    before_known_bytes: int


def alive_at(blocks: Blocks, time_ps: int) -> Bool:
    """Return which blocks are alive just after a moment."""
    alive: Bool = (blocks.born_ps <= time_ps) & (
        (blocks.freed_ps > time_ps) | (blocks.end == BlockEnd.SURVIVED)
    )
    return alive


def live_at(analysis: MemoryAnalysis, time_ps: int) -> LiveSet:
    """Return the live set just after a moment; the peak's is at the time of the peak."""
    blocks = analysis.blocks
    alive = alive_at(blocks, time_ps)
    born = blocks.birth_event != UNKNOWN
    rows = np.flatnonzero(alive & born)
    before = np.flatnonzero(alive & ~born)
    size = np.maximum(blocks.allocation_bytes, 0)
    variant, where = np.unique(analysis.sites.variant_of_block[rows], return_inverse=True)
    held = np.bincount(where, size[rows], minlength=len(variant)).astype(np.int64)
    asked = np.bincount(where, np.maximum(blocks.requested_bytes[rows], 0), minlength=len(variant))
    youngest, oldest = _ages(analysis, rows, where, len(variant), time_ps)
    heap, stack = _counters_at(analysis, time_ps)
    order = np.argsort(-held, kind="stable")
    return LiveSet(
        time_ps=time_ps,
        variant=variant[order].astype(np.int32),
        blocks=np.bincount(where, minlength=len(variant))[order],
        requested_bytes=asked[order].astype(np.int64),
        allocation_bytes=held[order],
        youngest_steps=youngest[order],
        oldest_steps=oldest[order],
        heap_bytes=heap,
        stack_bytes=stack,
        before_bytes=None if heap is None else heap - int(held.sum()),
        before_blocks=len(before),
        before_known_bytes=int(size[before].sum()),
    )


def _ages(
    analysis: MemoryAnalysis, rows: Int64, group: Int64, count: int, time_ps: int
) -> tuple[Int64, Int64]:
    now = int(step_of(analysis.steps, np.array([time_ps], np.int64))[0])
    birth = analysis.block_steps.birth[rows]
    age = np.where((birth >= 0) & (now >= 0), now - birth, UNKNOWN).astype(np.int64)
    youngest, oldest = np.full(count, np.iinfo(np.int64).max), np.full(count, UNKNOWN, np.int64)
    np.minimum.at(youngest, group, age)
    np.maximum.at(oldest, group, age)
    return youngest, oldest


def _counters_at(analysis: MemoryAnalysis, time_ps: int) -> tuple[int | None, int | None]:
    """Return heap and stack as the allocator tells them just after a moment, `None` if untold."""
    events = analysis.memory.events
    until = int(np.searchsorted(events.time_ps, time_ps, side="right"))
    baseline = analysis.balance.baseline_bytes
    heap = _last_told(events.bytes_in_use[:until], None if baseline == UNKNOWN else baseline)
    return heap, _last_told(events.bytes_reserved[:until], None)


def _last_told(column: Int64, otherwise: int | None) -> int | None:
    told = np.flatnonzero(column != UNKNOWN)
    return int(column[told[-1]]) if len(told) else otherwise
