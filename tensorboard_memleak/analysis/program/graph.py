"""The module as a graph: who uses a value, what an output is made by, what depends on what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.shapes import Shape

_TAKE: Final = "get-tuple-element"
_SAME: Final = frozenset({"bitcast", "optimization-barrier"})
_VIEWS: Final = _SAME | {_TAKE, "tuple"}
"""Opcodes that give a value another name or shape, without touching its memory."""

Value = tuple[int, int]
"""An instruction and the part of its result that is meant; `NO_ROW`: all of it."""


@dataclass(frozen=True, slots=True)
class Output:
    """One array of the program's result, and the instruction (with part) that makes it."""

    index: tuple[int, ...]
    shape: Shape
    maker: int
    part: int


@dataclass(frozen=True, slots=True)
class Reads:
    """The instructions that read a value, and the rows under which they know it."""

    readers: frozenset[int]
    names: frozenset[int]


class Graph:
    """Looks at a program's instructions as nodes; rows are those of `program.instructions`."""

    def __init__(self, program: Program) -> None:
        self.program = program
        rows = program.instructions
        self.opcodes: Final = [program.strings[index] for index in rows.opcode.tolist()]
        self._operands = [rows.operands_of(row) for row in range(len(rows))]
        self._users: list[list[int]] = [[] for _ in self._operands]
        for row, operands in enumerate(self._operands):
            for operand in dict.fromkeys(operands):
                self._users[operand].append(row)

    def users(self, row: int) -> list[int]:
        """Return the instructions that have `row` as an operand."""
        return self._users[row]

    def operands(self, row: int) -> list[int]:
        """Return the operands of an instruction."""
        return self._operands[row]

    def is_view(self, row: int) -> bool:
        """Whether an instruction only renames memory."""
        return self.opcodes[row] in _VIEWS

    def reads(self, value: Value) -> Reads:
        """Follow a value to everything that reads it.

        Views of the value and plain copies of it count as the value: the compiler copies an
        argument only because it was not given away. Through tuples, the part is kept in mind.
        """
        readers: set[int] = set()
        seen = {value}
        pending = [value]
        while pending:
            for step in self._steps(*pending.pop()):
                if isinstance(step, int):
                    readers.add(step)
                elif step not in seen:
                    seen.add(step)
                    pending.append(step)
        names = (row for row, part in seen if part == NO_ROW)
        return Reads(frozenset(readers), frozenset(names))

    def _steps(self, row: int, part: int) -> Iterator[Value | int]:
        """Yield the values that are the same one, and the instructions that read it."""
        if part != NO_ROW:
            for taker in self._takers.get(row, {}).get(part, ()):
                yield taker, NO_ROW
        for user in self._users[row]:
            opcode = self.opcodes[user]
            if opcode in _SAME or self._is_plain_copy(row, user):
                yield user, part
            elif opcode == "tuple" and part == NO_ROW:
                yield from ((user, place) for place in self._places[user][row])
            elif opcode != _TAKE:
                yield user

    @cached_property
    def _takers(self) -> dict[int, dict[int, list[int]]]:
        """The instructions that take a part of a tuple, by tuple and part."""
        takers: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        parts = self.program.instructions.tuple_index.tolist()
        for row, opcode in enumerate(self.opcodes):
            if opcode == _TAKE and self._operands[row]:
                takers[self._operands[row][0]][parts[row]].append(row)
        return takers

    @cached_property
    def _places(self) -> dict[int, dict[int, list[int]]]:
        """The places at which values stand in tuples, by tuple and value."""
        places: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for row, opcode in enumerate(self.opcodes):
            if opcode == "tuple":
                for place, operand in enumerate(self._operands[row]):
                    places[row][operand].append(place)
        return places

    def _is_plain_copy(self, value: int, row: int) -> bool:
        shape = self.program.instructions.shape
        return self.opcodes[row] == "copy" and bool(shape[value] == shape[row])

    @cached_property
    def _is_ordered(self) -> bool:
        """Whether every operand stands before its user, as XLA writes modules."""
        return all(operand < row for row, found in enumerate(self._operands) for operand in found)

    def may_follow(self, row: int, readers: frozenset[int], most: int) -> bool:
        """Whether any of `readers` depends on `row`, or may: no more than `most` are followed."""
        if self._is_ordered and all(reader <= row for reader in readers):
            return False
        found: set[int] = set()
        pending = [row]
        while pending:
            for user in self._users[pending.pop()]:
                if user in readers:
                    return True
                if user not in found:
                    found.add(user)
                    pending.append(user)
            if len(found) > most:
                return True
        return False

    def maker(self, row: int, part: int = NO_ROW) -> Value:
        """Return the instruction that computes a value, and which part of its result it is.

        Follows views back to their source; the part is `NO_ROW` where the result is no tuple.
        """
        parts = self.program.instructions.tuple_index
        seen: set[Value] = set()
        while self.is_view(row) and (row, part) not in seen:
            seen.add((row, part))
            operands = self._operands[row]
            is_tuple = self.opcodes[row] == "tuple"
            if not operands or (is_tuple and not 0 <= part < len(operands)):
                break
            if self.opcodes[row] == _TAKE:
                part = int(parts[row])
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
                operands = self._operands[row]
                parts = [((*index, place), operand) for place, operand in enumerate(operands)]
                pending.extend(reversed(parts))
                continue
            shape = program.shapes[program.instructions.shape[row]]
            for part, leaf in shape.leaves():
                yield Output((*index, *part), leaf, *self.maker(row, part[0] if part else NO_ROW))
