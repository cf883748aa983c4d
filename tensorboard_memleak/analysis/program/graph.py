"""The module as a graph: who uses a value, what an output is made by, what depends on what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.shapes import Shape

_VIEWS: Final = frozenset({"bitcast", "get-tuple-element", "tuple", "optimization-barrier"})
"""Opcodes that give a value another name or shape, without touching its memory."""


@dataclass(frozen=True, slots=True)
class Output:
    """One array of the program's result, and the instruction (with part) that makes it."""

    index: tuple[int, ...]
    shape: Shape
    maker: int
    part: int


class Graph:
    """Looks at a program's instructions as nodes; rows are those of `program.instructions`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        rows = program.instructions
        opcodes = [program.strings[index] for index in rows.opcode.tolist()]
        self.opcodes: Final = opcodes
        self._users: list[list[int]] = [[] for _ in opcodes]
        for row in range(len(opcodes)):
            for operand in dict.fromkeys(rows.operands_of(row)):
                self._users[operand].append(row)

    def users(self, row: int) -> list[int]:
        """Return the instructions that have `row` as an operand."""
        return self._users[row]

    def is_view(self, row: int) -> bool:
        """Whether an instruction only renames memory."""
        return self.opcodes[row] in _VIEWS

    def reads(self, row: int) -> tuple[set[int], set[int]]:
        """Return the instructions that read a value, and the names under which they see it.

        Views of the value and plain copies of it count as the value: the compiler copies an
        argument only because it was not given away.
        """
        readers: set[int] = set()
        names = {row}
        pending = [row]
        while pending:
            value = pending.pop()
            for user in self._users[value]:
                if not (self.is_view(user) or self._is_plain_copy(value, user)):
                    readers.add(user)
                elif user not in names:
                    names.add(user)
                    pending.append(user)
        return readers, names

    def _is_plain_copy(self, value: int, row: int) -> bool:
        shape = self.program.instructions.shape
        return self.opcodes[row] == "copy" and bool(shape[value] == shape[row])

    def depends_on(self, row: int, most: int) -> set[int] | None:
        """Return everything computed from the value of `row`, `None` if more than `most`."""
        found: set[int] = set()
        pending = [row]
        while pending:
            for user in self._users[pending.pop()]:
                if user not in found:
                    found.add(user)
                    pending.append(user)
            if len(found) > most:
                return None
        return found

    def maker(self, row: int, part: int = NO_ROW) -> tuple[int, int]:
        """Return the instruction that computes a value, and which part of its result it is.

        Follows views back to their source; the part is `NO_ROW` where the result is no tuple.
        """
        rows = self.program.instructions
        seen: set[tuple[int, int]] = set()
        while self.is_view(row) and (row, part) not in seen:
            seen.add((row, part))
            operands = rows.operands_of(row)
            is_tuple = self.opcodes[row] == "tuple"
            if not operands or (is_tuple and not 0 <= part < len(operands)):
                break
            if self.opcodes[row] == "get-tuple-element":
                part = int(rows.tuple_index[row])
            row, part = (operands[part], NO_ROW) if is_tuple else (operands[0], part)
        return row, part

    def outputs(self) -> Iterator[Output]:
        """Yield each array of the program's result, in order."""
        program = self.program
        root = NO_ROW if program.entry == NO_ROW else int(program.computations.root[program.entry])
        pending: list[tuple[tuple[int, ...], int]] = [] if root == NO_ROW else [((), root)]
        seen: set[int] = set()
        while pending:
            index, row = pending.pop()
            if self.opcodes[row] == "tuple" and row not in seen:
                seen.add(row)
                operands = program.instructions.operands_of(row)
                parts = [((*index, place), operand) for place, operand in enumerate(operands)]
                pending.extend(reversed(parts))
                continue
            shape = program.shapes[program.instructions.shape[row]]
            for part, leaf in shape.leaves():
                yield Output((*index, *part), leaf, *self.maker(row, part[0] if part else NO_ROW))
