"""One host's capture as columns: memory events, enclosing stacks, step marks, module runs.

Conventions shared by every column in this package:

* Times are `int64` picoseconds since `HostTrace.origin_ns` (when the profile was started, as
  wall-clock nanoseconds, where the capture tells; else its earliest line), so that absolute
  nanoseconds times 1000 can never overflow.
* An `int64` quantity that the profile does not tell is `UNKNOWN` (-1), `null` in JSON.
* Text is interned: a column holds indices into `HostTrace.strings`, and index 0 is "not told".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Int32 = NDArray[np.int32]
UInt64 = NDArray[np.uint64]
UInt8 = NDArray[np.uint8]
Float64 = NDArray[np.float64]
Bool = NDArray[np.bool_]

UNKNOWN: Final = -1
NO_STRING: Final = 0
NO_STACK: Final = 0


class EventKind(IntEnum):
    """What an allocator event did."""

    ALLOCATION = 1
    DEALLOCATION = 2


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the person must know about the input, with the next step to take."""

    code: str
    message: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Stacks:
    """Every distinct stack of enclosing trace events, as one tree.

    Node 0 is the empty stack; `parent[i] < i`. `frame[i]` is the string of the innermost frame of
    node i. Walking `parent` from a node gives the frames innermost first.
    """

    parent: Int32
    frame: Int32

    def path(self, node: int) -> tuple[int, ...]:
        """Return the string indices of a stack, innermost frame first."""
        frames: list[int] = []
        while node != NO_STACK:
            frames.append(int(self.frame[node]))
            node = int(self.parent[node])
        return tuple(frames)


@dataclass(frozen=True, slots=True)
class MemoryEvents:
    """The events of one allocator in true time, one row each; all columns have the same length.

    `bytes_in_use`, `bytes_reserved`, `bytes_available`, `peak_bytes_in_use` and `fragmentation` are
    the allocator's own counters *after* the event. `op`, `region`, `shape` and `dtype` are the
    annotation of the thread that made the event: on a deallocation that is not the block's own.
    """

    time_ps: Int64
    kind: UInt8
    address: UInt64
    requested_bytes: Int64
    allocation_bytes: Int64
    bytes_in_use: Int64
    bytes_reserved: Int64
    bytes_available: Int64
    peak_bytes_in_use: Int64
    fragmentation: Float64
    op: Int32
    region: Int32
    shape: Int32
    dtype: Int32
    step_id: Int64
    thread: Int32
    stack: Int32

    def __len__(self) -> int:
        return len(self.time_ps)


@dataclass(frozen=True, slots=True)
class Memory:
    """One allocator's memory on one host; `memory_id` is XProf's."""

    memory_id: str
    events: MemoryEvents


WORK_SPACES: Final = ("mklcpu",)
"""Memories that hold only the work space of running kernels (oneDNN's): tensors lie elsewhere."""


def only_work_space(memories: Sequence[Memory]) -> bool:
    """Whether there are memories, and none of them can hold a tensor."""
    return bool(memories) and all(one.memory_id in WORK_SPACES for one in memories)


@dataclass(frozen=True, slots=True)
class Thread:
    """One trace line; `thread_id` may be any signed 64-bit number."""

    thread_id: int
    name: str


@dataclass(frozen=True, slots=True)
class Spans:
    """Named intervals on threads, ordered by start: step marks or module runs.

    `number` is `step_num` for step marks and `program_id` for module runs, `UNKNOWN` if not told.
    A module run's name stands without the program id; on a host thread the run covers the whole
    launch, the allocation of its buffers included.
    `level` is the marker's `_r` level (0 where there is none).
    """

    name: Int32
    start_ps: Int64
    end_ps: Int64
    number: Int64
    level: Int32
    thread: Int32

    def __len__(self) -> int:
        return len(self.start_ps)


@dataclass(frozen=True, slots=True)
class ProgramRef:
    """Where one HLO module's serialized proto lies; it is parsed only when somebody asks.

    `name` is the producer's, such as `jit_step(8)`. `program_id` is the id read as a signed 64-bit
    number, as in `Spans.number`; names show hashes of 64 bits unsigned.
    """

    name: str
    program_id: int
    path: str
    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class HostTrace:
    """Everything one host's profile tells about memory."""

    host: str
    origin_ns: int
    start_ps: int
    end_ps: int
    strings: tuple[str, ...]
    stacks: Stacks
    threads: tuple[Thread, ...]
    memories: tuple[Memory, ...]
    step_marks: Spans
    module_runs: Spans
    programs: tuple[ProgramRef, ...]
    frameworks: tuple[str, ...]
    notices: tuple[Notice, ...]
