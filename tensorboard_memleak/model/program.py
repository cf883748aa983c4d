"""One compiled HLO module: its instructions, and where the compiler put every buffer.

Conventions shared with `model.trace`: text is interned in `Program.strings` (index 0 is "not
told"), a quantity that the proto does not tell is `UNKNOWN`, and columns of one table have the
same length. A *row* is a position in such a table; a reference that leads nowhere is row -1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from tensorboard_memleak.model.shapes import Shape
from tensorboard_memleak.model.trace import Bool, Int32, Int64, Notice, Stacks, UInt8

NO_ROW: Final = -1


class AllocationKind(IntEnum):
    """What an allocation is for; where several hold, the first of this order."""

    PARAMETER = 1
    OUTPUT = 2
    THREAD_LOCAL = 3
    CONSTANT = 4
    TEMPORARY = 5


class HeapEventKind(IntEnum):
    """What the compiler's heap simulator did with a buffer."""

    ALLOC = 0
    FREE = 1
    SHARE = 2


@dataclass(frozen=True, slots=True)
class Instructions:
    """One row an instruction, computation by computation.

    `operands[operand_start[i]:operand_start[i + 1]]` are the rows of the operands of row i, and
    `called` with `called_start` the same for the computations it calls. `position` is its place in
    program order (called computations stand before their caller), `NO_ROW` if not scheduled.
    `stack` is a node of `Program.stacks`; `tuple_index` is the part that a get-tuple-element takes.
    """

    id: Int64
    name: Int32
    opcode: Int32
    computation: Int32
    shape: Int32
    op_name: Int32
    source_file: Int32
    source_line: Int32
    stack: Int32
    parameter_number: Int64
    tuple_index: Int64
    position: Int32
    operand_start: Int32
    operands: Int32
    called_start: Int32
    called: Int32
    constant_digest: Int64

    def __len__(self) -> int:
        return len(self.id)

    def operands_of(self, row: int) -> list[int]:
        """Return the rows of the operands of an instruction, unknown ones left out."""
        found = self.operands[self.operand_start[row] : self.operand_start[row + 1]].tolist()
        return [operand for operand in found if operand != NO_ROW]

    def called_by(self, row: int) -> list[int]:
        """Return the rows of the computations that an instruction calls."""
        found = self.called[self.called_start[row] : self.called_start[row + 1]].tolist()
        return [computation for computation in found if computation != NO_ROW]


@dataclass(frozen=True, slots=True)
class Computations:
    """One row a computation; its instructions are rows `first[i]` to `first[i + 1]`."""

    id: Int64
    name: Int32
    first: Int32
    root: Int32

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True, slots=True)
class Allocations:
    """One row an allocation: one piece of memory that buffers share."""

    index: Int64
    size_bytes: Int64
    memory_space: Int64
    kind: UInt8
    is_output: Bool
    is_aliased: Bool
    is_tuple: Bool
    parameter_number: Int64
    parameter_index: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.index)

    @property
    def whole_program(self) -> Bool:
        """Whether each lives as long as the program runs: everything but temporaries."""
        whole: Bool = self.kind != AllocationKind.TEMPORARY
        return whole


@dataclass(frozen=True, slots=True)
class Buffers:
    """One row a logical buffer: one array value, its definition and its place in an allocation.

    `size_bytes` is with padding, `unpadded_bytes` the elements alone (`UNKNOWN` if not told).
    `shape` is that of the part at `shape_index`.
    """

    id: Int64
    size_bytes: Int64
    unpadded_bytes: Int64
    memory_space: Int64
    instruction: Int32
    shape_index: tuple[tuple[int, ...], ...]
    shape: Int32
    allocation: Int32
    offset_bytes: Int64

    def __len__(self) -> int:
        return len(self.id)


@dataclass(frozen=True, slots=True)
class HeapTrace:
    """What the compiler's simulation of one heap did, event by event.

    `instruction` is the one that defines the event's buffer, whatever the event; `canonical` is
    the buffer whose memory a SHARE event takes part in.
    """

    kind: UInt8
    buffer: Int32
    instruction: Int32
    canonical: Int32

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True)
class Alias:
    """One output that takes over the memory of a parameter."""

    output_index: tuple[int, ...]
    parameter_number: int
    parameter_index: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """One HLO module as compiled.

    `buffers`, `allocations` and `traces` may be empty: `notices` then tells why. `donors` are the
    parameters (number and tuple index) that the caller gives up and no output takes.
    `generated_code_bytes` is the sum that the instructions tell, `None` if none does.
    """

    name: str
    program_id: int
    path: str
    strings: tuple[str, ...]
    shapes: tuple[Shape, ...]
    stacks: Stacks
    computations: Computations
    instructions: Instructions
    entry: int
    allocations: Allocations
    buffers: Buffers
    traces: tuple[HeapTrace, ...]
    aliases: tuple[Alias, ...]
    donors: tuple[tuple[int, tuple[int, ...]], ...]
    generated_code_bytes: int | None
    notices: tuple[Notice, ...] = field(default=())
