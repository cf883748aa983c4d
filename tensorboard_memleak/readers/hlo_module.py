"""The instructions of a module: HLO computations -> columns with every reference a row."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.program import NO_ROW, Computations, Instructions
from tensorboard_memleak.model.trace import NO_STACK, UNKNOWN, Int32
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.hlo_order import program_order
from tensorboard_memleak.readers.hlo_shapes import Shapes
from tensorboard_memleak.readers.hlo_stacks import SourceStacks
from tensorboard_memleak.readers.proto import hlo_pb2
from tensorboard_memleak.readers.strings import Strings


@dataclass(frozen=True, slots=True)
class ModuleTables:
    """A module's tables; `row_of_id` finds an instruction, `entry` is a computation's row."""

    instructions: Instructions
    computations: Computations
    row_of_id: dict[int, int]
    entry: int


class Text:
    """Decodes and interns; a name that is not UTF-8 keeps what can be read of it."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings
        self._seen: dict[bytes, int] = {}

    def add(self, raw: bytes) -> int:
        """Return the index of a name."""
        index = self._seen.get(raw)
        if index is None:
            index = self._seen[raw] = self._strings.intern(raw.decode("utf-8", "replace"))
        return index


def read_module(
    module: hlo_pb2.Module, strings: Strings, shapes: Shapes, sources: SourceStacks, faults: Faults
) -> ModuleTables:
    """Read every computation of a module into columns."""
    protos = [proto for computation in module.computations for proto in computation.instructions]
    computations = module.computations
    computation_row = _rows(
        (c.id for c in computations), "computations with an id of another", faults
    )
    row_of_id = _rows((p.id for p in protos), "instructions with an id of another", faults)
    counts = [len(computation.instructions) for computation in computations]
    first = np.concatenate(([0], np.cumsum(counts, dtype=np.int64))).astype(np.int32)
    text = Text(strings)
    operand_start, operands = _references((p.operand_ids for p in protos), row_of_id)
    called_start, called = _references((p.called_computation_ids for p in protos), computation_row)
    faults.add("operands that do not exist", int((operands == NO_ROW).sum()))
    faults.add("called computations that do not exist", int((called == NO_ROW).sum()))
    entry = computation_row.get(module.entry_computation_id, NO_ROW)
    if entry == NO_ROW:
        faults.add("entry computations that cannot be found")
    position = program_order(
        module.schedule, module.entry_computation_id, protos, row_of_id, faults
    )
    metadata = [p.metadata for p in protos]
    files, lines, nodes = _sources(metadata, text, sources, faults)
    instructions = Instructions(
        id=np.array([p.id for p in protos], np.int64),
        name=np.array([text.add(p.name) for p in protos], np.int32),
        opcode=np.array([text.add(p.opcode) for p in protos], np.int32),
        computation=np.repeat(np.arange(len(counts)), counts).astype(np.int32),
        shape=np.array([shapes.add(p.shape) for p in protos], np.int32),
        op_name=np.array([text.add(m.op_name) for m in metadata], np.int32),
        source_file=files,
        source_line=lines,
        stack=nodes,
        parameter_number=np.array([_parameter_number(p) for p in protos], np.int64),
        tuple_index=np.array([p.tuple_index for p in protos], np.int64),
        position=position,
        operand_start=operand_start,
        operands=operands,
        called_start=called_start,
        called=called,
        constant_digest=np.array([zlib.crc32(p.literal) for p in protos], np.int64),
    )
    table = Computations(
        id=np.array([c.id for c in computations], np.int64),
        name=np.array([text.add(c.name) for c in computations], np.int32),
        first=first,
        root=np.array([row_of_id.get(c.root_id, NO_ROW) for c in computations], np.int32),
    )
    return ModuleTables(instructions, table, row_of_id, entry)


def _rows(ids: Iterable[int], fault: str, faults: Faults) -> dict[int, int]:
    """Return the row of each id; the first of several rows with one id has it."""
    rows: dict[int, int] = {}
    count = 0
    for count, number in enumerate(ids, start=1):
        rows.setdefault(number, count - 1)
    faults.add(fault, count - len(rows))
    return rows


def _references(lists: Iterable[Iterable[int]], rows: dict[int, int]) -> tuple[Int32, Int32]:
    """Flatten lists of ids into rows, with the start of each list."""
    starts, flat = [0], []
    for ids in lists:
        flat.extend([rows.get(number, NO_ROW) for number in ids])
        starts.append(len(flat))
    return np.array(starts, np.int32), np.array(flat, np.int32)


def _parameter_number(proto: hlo_pb2.Instruction) -> int:
    return proto.parameter_number if proto.opcode == b"parameter" else UNKNOWN


def _sources(
    metadata: list[hlo_pb2.OpMetadata], text: Text, sources: SourceStacks, faults: Faults
) -> tuple[Int32, Int32, Int32]:
    """Return file, line and stack of each instruction.

    Newer compilers give only the frame id, older ones only the file: each fills in for the other.
    """
    files, lines, nodes = [], [], []
    for proto in metadata:
        frame = proto.stack_frame_id
        if not 0 <= frame < len(sources.node):
            faults.add("instructions whose stack frame does not exist")
            frame = 0
        own = bool(proto.source_file)
        files.append(text.add(proto.source_file) if own else sources.file[frame])
        lines.append(proto.source_line if own else sources.line[frame])
        nodes.append(sources.node[frame] if frame else NO_STACK)
    return np.array(files, np.int32), np.array(lines, np.int32), np.array(nodes, np.int32)
