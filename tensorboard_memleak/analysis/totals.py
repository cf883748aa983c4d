"""Counts and bytes of one memory over the window."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.blocks import Balance, BlockEnd, Blocks
from tensorboard_memleak.model.findings import Totals
from tensorboard_memleak.model.trace import UNKNOWN, EventKind, Int64, MemoryEvents

_PS_PER_NS = 1000


def count_totals(
    events: MemoryEvents,
    blocks: Blocks,
    balance: Balance,
    growth_bytes_per_step: int | None,
) -> Totals:
    """Sum up one memory.

    Peak is the largest stack + heap after any event, as the allocator tells; capacity is stack +
    heap + free at that moment. `steps_to_oom` is what is free at the end over the growth.
    """
    used = events.bytes_in_use + np.maximum(events.bytes_reserved, 0)
    told = events.bytes_in_use != UNKNOWN
    peak = int(np.argmax(np.where(told, used, UNKNOWN))) if told.any() else None
    survives = (blocks.end == BlockEnd.SURVIVED) & (blocks.birth_event != UNKNOWN)
    free = _last_told(events.bytes_available)
    return Totals(
        allocations=int(np.count_nonzero(events.kind == EventKind.ALLOCATION)),
        deallocations=int(np.count_nonzero(events.kind == EventKind.DEALLOCATION)),
        prewindow_deallocations=int(np.count_nonzero(blocks.birth_event == UNKNOWN)),
        lost=int(np.count_nonzero(blocks.end == BlockEnd.LOST)),
        baseline_bytes=balance.baseline_bytes if peak is not None else None,
        end_bytes=balance.end_bytes if peak is not None else None,
        peak_bytes=int(used[peak]) if peak is not None else None,
        peak_ns=int(events.time_ps[peak]) // _PS_PER_NS if peak is not None else None,
        capacity_bytes=_capacity(events, used, peak),
        lifetime_peak_bytes=_known(int(events.peak_bytes_in_use.max(initial=UNKNOWN))),
        survivor_blocks=int(np.count_nonzero(survives)),
        survivor_bytes=int(np.maximum(blocks.allocation_bytes[survives], 0).sum()),
        unaccounted_bytes=balance.unaccounted_bytes if peak is not None else None,
        growth_bytes_per_step=growth_bytes_per_step,
        steps_to_oom=steps_left(free, growth_bytes_per_step),
    )


def steps_left(free_bytes: int | None, growth_bytes_per_step: int | None) -> int | None:
    """Return after how many more steps the free bytes are used, `None` if nothing grows."""
    if free_bytes is None or not growth_bytes_per_step or growth_bytes_per_step < 0:
        return None
    return free_bytes // growth_bytes_per_step


def free_bytes_at_end(events: MemoryEvents) -> int | None:
    """Return what the allocator could still give at the end of the window."""
    return _last_told(events.bytes_available)


def _capacity(events: MemoryEvents, used: Int64, peak: int | None) -> int | None:
    if peak is None or events.bytes_available[peak] == UNKNOWN:
        return None
    return int(used[peak] + events.bytes_available[peak])


def _last_told(column: Int64) -> int | None:
    told = np.flatnonzero(column != UNKNOWN)
    return int(column[told[-1]]) if len(told) else None


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value
