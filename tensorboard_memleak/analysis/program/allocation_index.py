"""Finds the allocations of programs by module, kind and size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tensorboard_memleak.analysis.program.functions import compiled_name, plain_name
from tensorboard_memleak.analysis.program.sites import allocation_site
from tensorboard_memleak.analysis.program.totals import main_buffers
from tensorboard_memleak.model.join import Basis, BufferOrigin, Candidate
from tensorboard_memleak.model.program import AllocationKind, Program
from tensorboard_memleak.model.trace import UNKNOWN, Int64

MOST_CANDIDATES: Final = 4
_ASKED_BY_RUNS: Final = frozenset({AllocationKind.OUTPUT, AllocationKind.TEMPORARY})
"""What a run asks for; its parameters are there already, constants came with the program."""
_ID_BITS: Final = 1 << 64
"""Program ids are unsigned; a column of signed numbers shows large ones as negative."""


class Module(NamedTuple):
    """The module that an allocation is made for, and whether it brings an argument."""

    name: str
    program_id: int
    is_run: bool
    is_upload: bool


class AllocationIndex:
    """The allocations of one memory space of several programs."""

    def __init__(self, programs: Sequence[Program], memory_space: int) -> None:
        self._programs = programs
        self._by_id = {program.program_id: i for i, program in enumerate(programs)}
        self._by_name: dict[str, list[int]] = defaultdict(list)
        for i, program in enumerate(programs):
            self._by_name[plain_name(compiled_name(program.name))].append(i)
        self._space = memory_space
        self._rows: dict[int, dict[tuple[bool, int], list[int]]] = {}
        self._mains: dict[int, Int64] = {}

    def origin(self, module: Module, size: int, place: int, equals: int) -> BufferOrigin | None:
        """Return what an allocation of `size` bytes is.

        `place` is its place among the `equals` requests of that size in one run. If a program has
        as many allocations of the size, their order tells which it is. Versions of a module that
        cannot be told apart each have their candidate.
        """
        found = [
            (program, row)
            for program in self._of_module(module)
            for row in _at_place(self._of_size(program, module.is_upload, size), place, equals)
        ]
        if not found and not module.is_run:
            return None
        candidates = tuple(self._candidate(*pair) for pair in found[:MOST_CANDIDATES])
        basis: Basis = "run" if module.is_run else "function"
        return BufferOrigin(module.name, basis, candidates, len(found))

    def _of_module(self, module: Module) -> list[int]:
        known = self._by_id.get(module.program_id % _ID_BITS)
        if module.program_id != UNKNOWN and known is not None:
            return [known]
        return self._by_name.get(plain_name(compiled_name(module.name)), [])

    def _of_size(self, program: int, is_upload: bool, size: int) -> list[int]:
        if program not in self._rows:
            self._rows[program] = self._sizes(self._programs[program])
        return self._rows[program].get((is_upload, size), [])

    def _sizes(self, program: Program) -> dict[tuple[bool, int], list[int]]:
        """Return the rows of allocations by whether they are uploaded and by size."""
        allocations = program.allocations
        rows: dict[tuple[bool, int], list[int]] = defaultdict(list)
        for row in np.flatnonzero(allocations.memory_space == self._space).tolist():
            kind = AllocationKind(int(allocations.kind[row]))
            if kind in _ASKED_BY_RUNS or kind == AllocationKind.PARAMETER:
                key = kind == AllocationKind.PARAMETER, int(allocations.size_bytes[row])
                rows[key].append(row)
        return rows

    def _candidate(self, program: int, row: int) -> Candidate:
        found = self._programs[program]
        if program not in self._mains:
            self._mains[program] = main_buffers(found)
        main = int(self._mains[program][row])
        kind = AllocationKind(int(found.allocations.kind[row]))
        return Candidate(program, row, kind, allocation_site(found, row, main))


def _at_place(rows: list[int], place: int, equals: int) -> list[int]:
    """Return the row at a place, if as many were asked for as there are; else all of them."""
    return rows[place : place + 1] if 0 <= place < equals == len(rows) else rows
