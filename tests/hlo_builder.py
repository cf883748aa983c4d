"""Writes HLO modules from literals, with an encoder of its own.

It shares no code with the readers, so that a wrong idea of the format cannot hide on both sides.

    hlo = Hlo("jit_step")
    main = hlo.computation("main")
    w = main.parameter(0, "w", f32(4, 4), op_name="params['w']")
    y = main.add("add", "y", f32(4, 4), [w, w], op_name="jit(step)/add", file="step.py", line=7)
    kept = hlo.buffer(y, 64)
    hlo.allocation(64, [(kept, 0)], live_out=True)
    hlo.trace(("alloc", kept), ("free", kept))
    data = hlo.encode()

The first computation is the entry, the last instruction of a computation its root, and the
schedule the order in which instructions were added.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.xspace_builder import bytes_field, number_field

PRED, S32, U8, BF16, F32, TUPLE, S4 = 1, 4, 6, 16, 11, 13, 21
_EVENT_KINDS = {"alloc": 0, "free": 1, "share": 2}


def message(number: int, *parts: bytes) -> bytes:
    """Encode a nested message."""
    return bytes_field(number, b"".join(parts))


def numbers(number: int, values: tuple[int, ...] | list[int]) -> bytes:
    """Encode a repeated integer, one field an item."""
    return b"".join(number_field(number, value) for value in values)


def array(
    element: int, *dimensions: int, space: int = 0, bits: int = 0, tile: tuple[int, ...] = ()
) -> bytes:
    """Encode the shape of an array with its default layout."""
    layout = [
        numbers(1, list(reversed(range(len(dimensions))))),
        message(6, numbers(1, tile)) if tile else b"",
        number_field(7, bits) if bits else b"",
        number_field(8, space) if space else b"",
    ]
    return b"".join([number_field(2, element), numbers(3, dimensions), message(5, *layout)])


def f32(*dimensions: int, **layout: int) -> bytes:
    """Encode the shape of a 32-bit float array."""
    return array(F32, *dimensions, **layout)


def tuple_of(*shapes: bytes) -> bytes:
    """Encode the shape of a tuple."""
    return number_field(2, TUPLE) + b"".join(message(4, shape) for shape in shapes)


@dataclass
class Instruction:
    """One instruction and its encoded fields."""

    id: int
    name: str
    computation: Computation
    encoded: bytes


@dataclass
class Computation:
    """One computation; its ids are 64-bit, as new compilers write them."""

    hlo: Hlo
    name: str
    id: int
    scheduled: bool
    instructions: list[Instruction] = field(default_factory=list)

    def add(
        self,
        opcode: str,
        name: str,
        shape: bytes,
        operands: list[Instruction] | tuple[Instruction, ...] = (),
        *,
        calls: list[Computation] | tuple[Computation, ...] = (),
        op_name: str = "",
        file: str = "",
        line: int = 0,
        frame: int = 0,
        extra: bytes = b"",
        operand_ids: tuple[int, ...] = (),
    ) -> Instruction:
        """Add an instruction; `extra` holds encoded fields, `operand_ids` operands by number."""
        number = (self.id << 32) | (len(self.instructions) + 1)
        metadata = [
            bytes_field(2, op_name.encode()),
            bytes_field(3, file.encode()) if file else b"",
            number_field(4, line) if line else b"",
            number_field(15, frame) if frame else b"",
        ]
        encoded = [
            bytes_field(1, name.encode()),
            bytes_field(2, opcode.encode()),
            message(3, shape),
            message(7, *metadata),
            number_field(35, number),
            numbers(36, [operand.id for operand in operands]),
            numbers(36, operand_ids),
            numbers(38, [computation.id for computation in calls]),
            extra,
        ]
        instruction = Instruction(number, name, self, b"".join(encoded))
        self.instructions.append(instruction)
        return instruction

    def parameter(self, number: int, name: str, shape: bytes, **more: object) -> Instruction:
        """Add a parameter."""
        return self.add("parameter", name, shape, extra=number_field(9, number), **more)  # type: ignore[arg-type]


@dataclass
class Hlo:
    """One module with its buffer assignment."""

    name: str
    module_id: int = 1
    computations: list[Computation] = field(default_factory=list)
    buffers: list[bytes] = field(default_factory=list)
    allocations: list[bytes] = field(default_factory=list)
    traces: list[bytes] = field(default_factory=list)
    aliases: list[bytes] = field(default_factory=list)
    donors: list[bytes] = field(default_factory=list)
    frames: list[tuple[str, int, str, int]] = field(default_factory=list)
    scheduled: bool = True
    _defined_by: dict[int, Instruction] = field(default_factory=dict)

    def computation(self, name: str, *, scheduled: bool = True) -> Computation:
        """Add a computation; those of fusions are not scheduled."""
        computation = Computation(self, name, len(self.computations) + 1, scheduled)
        self.computations.append(computation)
        return computation

    def buffer(
        self, made_by: Instruction, size: int, index: tuple[int, ...] = (), space: int = 0
    ) -> int:
        """Add a logical buffer and return its id; ids start at 100."""
        number = 100 + len(self.buffers)
        self._defined_by[number] = made_by
        place = message(3, numbers(3, index), number_field(4, made_by.id))
        fields = [number_field(1, number), number_field(2, size), place, number_field(4, space)]
        self.buffers.append(b"".join(fields))
        return number

    def allocation(
        self,
        size: int,
        buffers: list[tuple[int, int]] | tuple[tuple[int, int], ...] = (),
        *,
        parameter: int | None = None,
        parameter_index: tuple[int, ...] = (),
        live_out: bool = False,
        constant: bool = False,
        thread_local: bool = False,
        is_tuple: bool = False,
        space: int = 0,
        sizes: dict[int, int] | None = None,
    ) -> None:
        """Add an allocation that holds `buffers`: pairs of id and offset."""
        assigned = [
            message(
                9,
                numbers(1, [number]),
                numbers(2, [at]),
                numbers(3, [(sizes or {}).get(number, 0)]),
            )
            for number, at in buffers
        ]
        flags = {3: thread_local, 5: parameter is not None, 7: live_out, 11: is_tuple, 12: constant}
        fields = [
            number_field(1, len(self.allocations)),
            number_field(2, size),
            number_field(6, parameter or 0),
            number_field(8, space),
            numbers(10, parameter_index),
            *(number_field(number, 1) for number, is_set in flags.items() if is_set),
            *assigned,
        ]
        self.allocations.append(b"".join(fields))

    def trace(self, *events: tuple[str, int] | tuple[str, int, int]) -> None:
        """Add a heap trace of events (kind, buffer) or ("share", buffer, canonical buffer)."""
        encoded = []
        for kind, buffer, *canonical in events:
            made_by = self._defined_by.get(buffer)
            names = (made_by.computation.name, made_by.name) if made_by else ("", "")
            encoded.append(
                message(
                    1,
                    number_field(1, _EVENT_KINDS.get(kind, 7)),
                    number_field(2, buffer),
                    bytes_field(3, names[0].encode()),
                    bytes_field(4, names[1].encode()),
                    numbers(5, canonical),
                )
            )
        self.traces.append(b"".join(encoded))

    def alias(self, output: tuple[int, ...], parameter: int, index: tuple[int, ...] = ()) -> None:
        """Say that an output takes over a parameter's memory."""
        self.aliases.append(
            message(
                1,
                numbers(1, output),
                number_field(2, parameter),
                numbers(3, index),
                number_field(4, 1),
            )
        )

    def donor(self, parameter: int, index: tuple[int, ...] = ()) -> None:
        """Say that a parameter is given up and no output takes it."""
        self.donors.append(message(1, number_field(1, parameter), numbers(2, index)))

    def frame(self, file: str, line: int, function: str, parent: int = 0) -> int:
        """Add a frame of the source stack and return its id."""
        self.frames.append((file, line, function, parent))
        return len(self.frames)

    def encode(self) -> bytes:
        """Return the serialized HloProto."""
        assignment = [
            *(message(1, buffer) for buffer in self.buffers),
            *(message(3, allocation) for allocation in self.allocations),
            *(message(4, trace) for trace in self.traces),
        ]
        return message(1, self.encode_module()) + (message(3, *assignment) if assignment else b"")

    def encode_module(self) -> bytes:
        """Return the serialized HloModuleProto."""
        entry = self.computations[0]
        schedule = [
            message(
                1, number_field(1, c.id), message(2, numbers(1, [i.id for i in c.instructions]))
            )
            for c in self.computations
            if c.scheduled and self.scheduled
        ]
        return b"".join(
            [
                bytes_field(1, self.name.encode()),
                bytes_field(2, entry.name.encode()),
                *(message(3, _computation(c)) for c in self.computations),
                number_field(5, self.module_id),
                number_field(6, entry.id),
                message(7, *schedule) if schedule else b"",
                message(8, *self.aliases),
                message(17, *_frame_index(self.frames)),
                message(18, *self.donors),
            ]
        )


def _computation(computation: Computation) -> bytes:
    instructions = computation.instructions
    return b"".join(
        [
            bytes_field(1, computation.name.encode()),
            *(message(2, instruction.encoded) for instruction in instructions),
            number_field(5, computation.id),
            number_field(6, instructions[-1].id) if instructions else b"",
        ]
    )


def _frame_index(frames: list[tuple[str, int, str, int]]) -> list[bytes]:
    """Encode a table of files and functions, 1-based as XLA's, with one location a frame."""
    files = list(dict.fromkeys(file for file, *_ in frames))
    functions = list(dict.fromkeys(function for _, _, function, _ in frames))
    locations = [
        message(
            3,
            number_field(1, files.index(file) + 1),
            number_field(2, functions.index(function) + 1),
            number_field(3, line),
        )
        for file, line, function, _ in frames
    ]
    return [
        *(bytes_field(1, file.encode()) for file in files),
        *(bytes_field(2, function.encode()) for function in functions),
        *locations,
        *(
            message(4, number_field(1, place), number_field(2, parent))
            for place, (*_, parent) in enumerate(frames, start=1)
        ),
    ]
