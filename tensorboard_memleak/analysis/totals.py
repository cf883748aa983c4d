"""Counts and bytes of one memory over the window."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.blocks import Balance, BlockEnd, Blocks
from tensorboard_memleak.model.findings import Forecast, Totals
from tensorboard_memleak.model.trace import UNKNOWN, EventKind, Int64, MemoryEvents

_PS_PER_NS = 1000


def count_totals(
    events: MemoryEvents,
    blocks: Blocks,
    balance: Balance,
    growth_bytes_per_step: int | None,
    ahead: Forecast | None,
) -> Totals:
    """Sum up one memory.

    Peak is the largest stack + heap after any event, as the allocator tells; capacity is stack +
    heap + free at that moment.
    """
    used = events.bytes_in_use + np.maximum(events.bytes_reserved, 0)
    told = events.bytes_in_use != UNKNOWN
    peak = int(np.argmax(np.where(told, used, UNKNOWN))) if told.any() else None
    survives = (blocks.end == BlockEnd.SURVIVED) & (blocks.birth_event != UNKNOWN)
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
        steps_to_oom=ahead.steps if ahead else None,
        steps_to_oom_low=ahead.steps_low if ahead else None,
        steps_to_oom_high=ahead.steps_high if ahead else None,
    )


def _capacity(events: MemoryEvents, used: Int64, peak: int | None) -> int | None:
    if peak is None or events.bytes_available[peak] == UNKNOWN:
        return None
    return int(used[peak] + events.bytes_available[peak])


def _known(value: int) -> int | None:
    return None if value == UNKNOWN else value
