"""Buffers of a program on the wire: a table with its text in one list, and one in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.graph import Graph
from tensorboard_memleak.analysis.program.layout import stacked_allocations
from tensorboard_memleak.analysis.program.lifetimes import lifetimes
from tensorboard_memleak.analysis.program.sites import (
    buffer_kind,
    kind_text,
    named_buffers,
    told_by,
)
from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.trace import UNKNOWN, Int32, Int64
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import JSON, Payload

_MOST_NAMES: Final = 50


class BufferTable:
    """Writes buffers of one memory space in columns; text is an index into `strings()`."""

    def __init__(self, program: Program, lives: Lifetimes) -> None:
        self._program = program
        self._lives = lives
        self._text: dict[str, int] = {}
        self._named = named_buffers(program, lives)
        self._sharers = np.bincount(
            lives.holder[lives.born != NO_POINT], minlength=len(program.buffers)
        )
        rows, base_bytes = stacked_allocations(program, lives)
        self._base = np.full(len(program.allocations) + 1, UNKNOWN, np.int64)
        self._base[rows] = base_bytes

    def columns(self, rows: Int64) -> Payload:
        """Write some buffers; `place_bytes` is the height in the picture of all allocations."""
        program, lives = self._program, self._lives
        buffers = program.buffers
        named = self._named[rows]
        base = self._base[buffers.allocation[rows]]
        offset = buffers.offset_bytes[rows]
        place = np.where((base == UNKNOWN) | (offset < 0), UNKNOWN, base + offset)
        lasting = np.append(lives.lasting, np.False_)[buffers.allocation[rows]]
        index = np.append(program.allocations.index, UNKNOWN)[buffers.allocation[rows]]
        shapes = [program.shapes[row].text if row != NO_ROW else "" for row in self._shape(rows)]
        return {
            "buffer": buffers.id[rows].tolist(),
            "size_bytes": buffers.size_bytes[rows].tolist(),
            "unpadded_bytes": wire.known(buffers.unpadded_bytes[rows]),
            "kind": self._texts([kind_text(buffer_kind(program, row)) for row in rows.tolist()]),
            "allocation": wire.known(index),
            "offset_bytes": wire.known(offset),
            "place_bytes": wire.known(place),
            "born": wire.known(np.where(lasting, UNKNOWN, lives.born[rows])),
            "freed": wire.known(np.where(lasting, UNKNOWN, lives.freed[rows])),
            "sharers": np.maximum(self._sharers[rows] - 1, 0).tolist(),
            "instruction": self.instruction_names(buffers.instruction[rows]),
            "opcode": self._column(program.instructions.opcode, buffers.instruction[rows]),
            "op_name": self._op_names(named),
            "shape": self._texts(shapes),
            "source": self._sources(named),
        }

    def instruction_names(self, rows: Int32) -> list[int]:
        """Write the HLO names of instructions."""
        return self._column(self._program.instructions.name, rows)

    def strings(self) -> list[JSON]:
        """Return every text that was written; index 0 need not be empty."""
        return list(self._text)

    def _shape(self, rows: Int64) -> list[int]:
        shapes: list[int] = self._program.buffers.shape[rows].tolist()
        return shapes

    def _texts(self, texts: Sequence[str]) -> list[int]:
        return [self._text.setdefault(text, len(self._text)) for text in texts]

    def _column(self, column: Int32, rows: Int32) -> list[int]:
        """Write a text column of instructions; a missing instruction has the text ""."""
        strings = self._program.strings
        return self._texts([strings[index] for index in np.append(column, 0)[rows].tolist()])

    def _op_names(self, buffers: Int64) -> list[int]:
        rows = self._program.buffers.instruction[buffers]
        told = [told_by(self._program, row) if row != NO_ROW else row for row in rows.tolist()]
        return self._column(self._program.instructions.op_name, np.array(told, np.int32))

    def _sources(self, buffers: Int64) -> list[int]:
        program = self._program
        rows = program.buffers.instruction[buffers].tolist()
        return self._texts(
            [source_text(program, told_by(program, row)) if row != NO_ROW else "" for row in rows]
        )


def source_text(program: Program, row: int) -> str:
    """Return `file:line` of an instruction, "" if the module does not tell."""
    file = program.strings[program.instructions.source_file[row]]
    return f"{file}:{program.instructions.source_line[row]}" if file else ""


def module_buffer(
    finder: LeakFinder,
    session: str,
    host: str,
    program_id: int,
    buffer_id: int,
    name: str | None = None,
) -> Payload:
    """Return everything about one buffer: its row, source stack, who shares and who reads it."""
    found = finder.programs(finder.host_files(session, host)).program(program_id, name)
    program = found.diagnosis.program
    rows = np.flatnonzero(program.buffers.id == buffer_id)
    if not len(rows):
        raise NotFound(
            f"Program {program.name} has no buffer {buffer_id}.", "Pick a buffer from the list."
        )
    row = int(rows[0])
    space = int(program.buffers.memory_space[row])
    lives = found.diagnosis.lives if space == 0 else lifetimes(program, space)
    table = BufferTable(program, lives)
    columns = table.columns(rows[:1])
    instruction = int(program.buffers.instruction[row])
    sharers = np.flatnonzero((lives.holder == lives.holder[row]) & (lives.born != NO_POINT))
    stack = _stack(program, int(named_buffers(program, lives)[row]))
    readers = [] if instruction == NO_ROW else Graph(program).users(instruction)
    names = program.instructions.name
    return {
        "memory_space": space,
        "columns": columns,
        "strings": table.strings(),
        "shape_index": list(program.buffers.shape_index[row]),
        "stack": stack,
        "shared_with": {
            "total": len(sharers),
            "instructions": _names(program, names, program.buffers.instruction[sharers]),
        },
        "read_by": {
            "total": len(readers),
            "instructions": _names(program, names, np.array(readers, np.int32)),
        },
    }


def _stack(program: Program, buffer: int) -> list[JSON]:
    row = int(program.buffers.instruction[buffer])
    if row == NO_ROW:
        return []
    node = int(program.instructions.stack[told_by(program, row)])
    return [program.strings[frame] for frame in program.stacks.path(node)]


def _names(program: Program, names: Int32, rows: Int32) -> list[JSON]:
    known = rows[rows != NO_ROW][:_MOST_NAMES]
    return [program.strings[index] for index in names[known].tolist()]
