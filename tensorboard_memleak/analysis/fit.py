"""Whether a request would fit: the largest free block, told in two ways that assume something.

*By the allocator.* It tells `fragmentation = 1 - largest free block / free bytes of its pool`, so
the largest free block is `(1 - fragmentation) * free bytes`, where the pool is taken to have grown
to its limit, as with preallocation. The pool's size is not told: where it has not grown so far,
its largest block is smaller, and it may grow by what is left.

*By the addresses.* The largest piece that the window shows to be free: see `addresses`. It is a
lower bound, since memory that the window never touches may be free too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tensorboard_memleak.analysis.addresses import AddressMap, address_map
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, Float64, MemoryEvents

Answer = Literal["yes", "if_preallocated", "if_pool_grows", "no", "unknown"]


@dataclass(frozen=True, slots=True)
class Fit:
    """The free memory at a moment. `None` is unknown.

    `below_block` and `above_block` hold the space around the largest free piece (-1: none known).
    """

    time_ps: int
    free_bytes: int | None
    largest_by_allocator_bytes: int | None
    largest_by_addresses_bytes: int | None
    below_block: int
    above_block: int

    def would_fit(self, request_bytes: int) -> Answer:
        """Tell whether a request of so many bytes, as the allocator rounds it, would fit.

        Yes if a hole of that size is seen, no if not even all free bytes would do. Between the
        two: surely if the pool was preallocated and its figure is large enough, else only if the
        pool can still grow.
        """
        if (self.largest_by_addresses_bytes or 0) >= request_bytes:
            return "yes"
        if self.free_bytes is None:
            return "unknown"
        if self.free_bytes < request_bytes:
            return "no"
        if (self.largest_by_allocator_bytes or 0) >= request_bytes:
            return "if_preallocated"
        return "if_pool_grows"


def fit_at(analysis: MemoryAnalysis, time_ps: int) -> Fit:
    """Return what is free just after a moment."""
    events = analysis.memory.events
    row = int(np.searchsorted(events.time_ps, time_ps, side="right")) - 1
    free = int(events.bytes_available[row]) if row >= 0 else UNKNOWN
    by_allocator = largest_by_allocator(events)[row] if row >= 0 else np.nan
    pieces = address_map(analysis.blocks, time_ps)
    largest = pieces.largest_free()
    below, above = pieces.neighbours(largest) if largest != UNKNOWN else (UNKNOWN, UNKNOWN)
    return Fit(
        time_ps=time_ps,
        free_bytes=None if free == UNKNOWN else free,
        largest_by_allocator_bytes=None if np.isnan(by_allocator) else int(by_allocator),
        largest_by_addresses_bytes=_size(pieces, largest),
        below_block=below,
        above_block=above,
    )


def largest_by_allocator(events: MemoryEvents) -> Float64:
    """Return the largest free block after each event as the allocator's figures tell it.

    nan where the allocator tells no fragmentation or no limit.
    """
    told = (events.bytes_available != UNKNOWN) & (events.fragmentation >= 0)
    share = 1.0 - np.clip(np.nan_to_num(events.fragmentation), 0.0, 1.0)
    return np.where(told, share * events.bytes_available, np.nan)


def _size(pieces: AddressMap, row: int) -> int | None:
    return None if row == UNKNOWN else int(pieces.size_bytes[row])
