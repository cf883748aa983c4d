"""Blocks: the lives of addresses, paired from allocator events."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from tensorboard_memleak.model.trace import Int32, Int64, UInt8, UInt64


class BlockEnd(IntEnum):
    """How a block's life ends inside the window."""

    FREED = 1
    SURVIVED = 2
    LOST = 3  # its address was born again without a deallocation in between


@dataclass(frozen=True, slots=True)
class Blocks:
    """One row a block, ordered by birth; pre-window blocks stand first with `birth_event == -1`.

    `birth_event` and `free_event` index the memory's events (-1: outside the window).
    `born_ps` of a pre-window block is the start of the window, `freed_ps` of a survivor its end.
    A pre-window block takes its sizes from its deallocation.
    """

    birth_event: Int64
    free_event: Int64
    end: UInt8
    address: UInt64
    requested_bytes: Int64
    allocation_bytes: Int64
    born_ps: Int64
    freed_ps: Int64

    def __len__(self) -> int:
        return len(self.address)


@dataclass(frozen=True, slots=True)
class Balance:
    """The check `baseline + born - freed == bytes_in_use`, made after every event.

    `unaccounted_bytes` is the allocator's figure less ours after the last event; `worst_bytes` is
    the largest absolute difference after any event; `first_event` is where the two first part
    (-1: never).
    """

    baseline_bytes: int
    end_bytes: int
    unaccounted_bytes: int
    worst_bytes: int
    first_event: int


@dataclass(frozen=True, slots=True)
class Steps:
    """The iterations of the window in time order; `number` is `step_num` where a marker gave one.

    `source` is one of markers, modules, pattern, slices, none.
    """

    start_ps: Int64
    end_ps: Int64
    number: Int64
    source: str

    def __len__(self) -> int:
        return len(self.start_ps)


@dataclass(frozen=True, slots=True)
class BlockSteps:
    """The steps in which each block was born and freed, aligned to `Blocks` (-1: outside all)."""

    birth: Int32
    free: Int32
