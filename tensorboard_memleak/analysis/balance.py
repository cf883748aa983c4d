"""The check of our books against the allocator's: baseline + born - freed after every event.

Blind spot: the baseline is taken from the first event itself, so that what went missing before it
cannot show. Where the allocator tells no counter there is nothing to check against.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.blocks import Balance, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, Int64, MemoryEvents


def change_bytes(events: MemoryEvents, blocks: Blocks) -> Int64:
    """Return what each event adds to the bytes in use (a block of unknown size counts as 0)."""
    size = np.maximum(blocks.allocation_bytes, 0)
    change = np.zeros(len(events), np.int64)
    born, freed = blocks.birth_event != UNKNOWN, blocks.free_event != UNKNOWN
    change[blocks.birth_event[born]] = size[born]
    change[blocks.free_event[freed]] = -size[freed]
    return change


@dataclass(frozen=True, slots=True)
class Losses:
    """Allocated sizes of the births and releases that the capture has lost, each sorted."""

    births: Int64
    releases: Int64


def find_losses(events: MemoryEvents, blocks: Blocks) -> Losses:
    """Return what the allocator's counter tells of events that are not in the capture.

    Where one is missing, the counter moves by its block's size more than the next event tells.
    Blind spot: two that are lost in a row show as one of their summed size. Empty without counters.
    """
    told = np.flatnonzero(events.bytes_in_use != UNKNOWN)
    ours = np.cumsum(change_bytes(events, blocks))[told]
    jump = np.diff(events.bytes_in_use[told] - ours)
    return Losses(births=np.sort(jump[jump > 0]), releases=np.sort(-jump[jump < 0]))


def check(events: MemoryEvents, blocks: Blocks) -> Balance:
    """Compare the running sum of the blocks with the allocator's counter after each event."""
    told = np.flatnonzero(events.bytes_in_use != UNKNOWN)
    if not len(told):
        return Balance(UNKNOWN, UNKNOWN, 0, 0, -1)
    change = change_bytes(events, blocks)
    in_use = events.bytes_in_use[told]
    baseline = int(in_use[0] - change[: told[0] + 1].sum())
    difference = in_use - (baseline + np.cumsum(change)[told])
    apart = np.flatnonzero(difference)
    return Balance(
        baseline_bytes=baseline,
        end_bytes=int(in_use[-1]),
        unaccounted_bytes=int(difference[-1]),
        worst_bytes=int(np.abs(difference).max()),
        first_event=int(told[apart[0]]) if len(apart) else -1,
    )
