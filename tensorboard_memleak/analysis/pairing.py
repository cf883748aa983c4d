"""From allocator events to blocks: which birth and which deallocation are one life of an address.

Events are put in order of address, then of time; inside one address a birth and the deallocation
that follows it are one block. What does not alternate is kept and said:

* a deallocation with no birth before it frees a *pre-window block*;
* a birth on an address that is still live closes the older block as `LOST`;
* a deallocation of an address that was freed before, with no birth in between, frees a block whose
  birth the capture does not have. It is listed like a pre-window block, born at the earliest
  moment that is possible: when the address was last freed.
"""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, EventKind, Int64, MemoryEvents


def pair(events: MemoryEvents, start_ps: int, end_ps: int) -> Blocks:
    """Return the blocks of one memory: those without a birth first, then by birth."""
    order = np.argsort(events.address, kind="stable")
    is_birth = events.kind[order] == EventKind.ALLOCATION
    same_as_next = np.zeros(len(order), bool)
    same_as_next[:-1] = events.address[order][1:] == events.address[order][:-1]
    follower = np.full(len(order), UNKNOWN, np.int64)
    follower[:-1][same_as_next[:-1]] = order[1:][same_as_next[:-1]]

    born = _births(events, order[is_birth], follower[is_birth], end_ps)
    previous = np.full(len(order), UNKNOWN, np.int64)
    previous[1:][same_as_next[:-1]] = order[:-1][same_as_next[:-1]]
    unborn = ~is_birth & _not_a_birth(events, previous)
    early = _orphans(events, order[unborn], previous[unborn], start_ps)
    return _join(early, born)


def _not_a_birth(events: MemoryEvents, event: Int64) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray((event == UNKNOWN) | (events.kind[event] != EventKind.ALLOCATION))


def _births(events: MemoryEvents, birth: Int64, follower: Int64, end_ps: int) -> Blocks:
    """Return one block a birth, in order of birth."""
    by_time = np.argsort(birth)
    birth, follower = birth[by_time], follower[by_time]
    freed = (follower != UNKNOWN) & (events.kind[follower] == EventKind.DEALLOCATION)
    lost = (follower != UNKNOWN) & ~freed
    end = np.full(len(birth), BlockEnd.SURVIVED, np.uint8)
    end[freed], end[lost] = BlockEnd.FREED, BlockEnd.LOST
    requested, allocated = events.requested_bytes[birth], events.allocation_bytes[birth]
    return Blocks(
        birth_event=birth,
        free_event=np.where(freed, follower, UNKNOWN),
        end=end,
        address=events.address[birth],
        requested_bytes=requested,
        # An allocator that does not round has no second size to tell.
        allocation_bytes=np.where(allocated == UNKNOWN, requested, allocated),
        born_ps=events.time_ps[birth],
        freed_ps=np.where(follower == UNKNOWN, end_ps, events.time_ps[follower]),
    )


def _orphans(events: MemoryEvents, free: Int64, previous: Int64, start_ps: int) -> Blocks:
    """Return the blocks that the window frees without having seen their birth."""
    by_time = np.argsort(free)
    free, previous = free[by_time], previous[by_time]
    requested, allocated = events.requested_bytes[free], events.allocation_bytes[free]
    allocated = np.where(allocated <= 0, requested, allocated)
    allocated = np.where(allocated <= 0, _drop(events, free), allocated)
    return Blocks(
        birth_event=np.full(len(free), UNKNOWN, np.int64),
        free_event=free,
        end=np.full(len(free), BlockEnd.FREED, np.uint8),
        address=events.address[free],
        # Allocators that do not know the request on a deallocation write zero.
        requested_bytes=np.where(requested <= 0, UNKNOWN, requested),
        allocation_bytes=allocated,
        born_ps=np.where(previous == UNKNOWN, start_ps, events.time_ps[previous]),
        freed_ps=events.time_ps[free],
    )


def _drop(events: MemoryEvents, event: Int64) -> Int64:
    """Return by how much the allocator's own counter fell at each event, `UNKNOWN` if untold."""
    before, after = events.bytes_in_use[event - 1], events.bytes_in_use[event]
    told = (event > 0) & (before != UNKNOWN) & (after != UNKNOWN) & (before >= after)
    return np.where(told, before - after, UNKNOWN)


def _join(first: Blocks, second: Blocks) -> Blocks:
    return Blocks(
        *(
            np.concatenate([getattr(first, name), getattr(second, name)])
            for name in Blocks.__slots__
        )
    )
