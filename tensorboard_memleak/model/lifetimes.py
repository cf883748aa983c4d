"""When each buffer of a program lives, and how much memory that takes at each point."""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_memleak.model.trace import Bool, Int32, Int64, UInt8

NO_POINT = -1


@dataclass(frozen=True, slots=True)
class SpaceBytes:
    """Bytes of the allocations of one memory space by what they are for (`AllocationKind`).

    `output` counts every allocation that may hold an output, aliased parameters too, so that the
    parts may add up to more than `total`; `aliased` is what both `parameter` and `output` count.
    Thread-local allocations are not counted: they never are a piece of the heap.
    """

    total: int
    parameter: int
    output: int
    aliased: int
    constant: int
    temporary: int
    whole_program: int
    whole_program_unpadded: int
    untraced: int


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The life of one memory space in program order.

    A *point* is one event of the compiler's heap simulation; columns of points have one row each
    and tell the state *after* the event, what lives as long as the program included. `born` and
    `freed` have one row a buffer of the program: a buffer lives at point p if
    `born <= p < freed`; `NO_POINT` means that no trace mentions it. `holder` is the buffer whose
    memory it uses (itself, unless it shares); a holder's `freed` is that of the memory.
    `instruction` is the one that defines the event's buffer, on a FREE too: the compiler does not
    tell at which one a buffer dies.

    `lasting` says which allocations live as long as the program: all but temporaries, and
    temporaries of which no trace tells anything.
    """

    memory_space: int
    kind: UInt8
    instruction: Int32
    buffer: Int32
    heap_bytes: Int64
    unpadded_heap_bytes: Int64
    born: Int32
    freed: Int32
    holder: Int32
    lasting: Bool
    allocated: SpaceBytes
    peak_bytes: int
    peak_unpadded_bytes: int
    peak_point: int

    def __len__(self) -> int:
        return len(self.kind)
