"""Whether an instruction can write its result over one of its operands."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.analysis.program.graph import Graph
from tensorboard_memleak.model.program import NO_ROW

_ELSEWHERE: Final = frozenset(
    {
        *(
            "dot",
            "convolution",
            "fft",
            "cholesky",
            "triangular-solve",
            "sort",
            "topk",
            "ragged-dot",
        ),
        *("transpose", "reverse", "pad", "concatenate", "slice", "dynamic-slice", "gather"),
        *("broadcast", "reduce-window", "select-and-scatter", "conditional", "custom-call"),
        *("all-gather", "all-gather-start", "all-to-all", "collective-permute"),
        *("collective-permute-start", "reduce-scatter", "infeed", "outfeed", "rng-bit-generator"),
    }
)
"""Opcodes that read an element after another one was written, or may: the result cannot lie over
what they read. All others go element by element."""

_UPDATES: Final = frozenset({"dynamic-update-slice", "scatter"})
"""Opcodes that write into their first operand; they may read the others in any order."""

_DEEPEST: Final = 16


def writes_in_place(graph: Graph, row: int, part: int, names: set[int], depth: int = 0) -> bool:
    """Whether instruction `row` may put (the part of) its result where an operand lies.

    `names` are the rows under which the operand is known. Fusions and calls are looked into; a
    loop carries a value in place only if it comes out where it went in.
    """
    operands = graph.program.instructions.operands_of(row)
    places = {place for place, operand in enumerate(operands) if operand in names}
    opcode = graph.opcodes[row]
    if opcode == "while":
        return part != NO_ROW and part in _carried(graph, operands, names)
    if opcode in _UPDATES:
        return places == {0}
    if opcode in {"fusion", "call"}:
        return depth < _DEEPEST and _inside(graph, row, places, depth)
    return opcode not in _ELSEWHERE


def _carried(graph: Graph, operands: list[int], names: set[int]) -> set[int]:
    """Return the parts of a loop's state that the operand enters as."""
    state = [row for row in operands if graph.opcodes[row] == "tuple"]
    return {
        place
        for row in state
        for place, operand in enumerate(graph.program.instructions.operands_of(row))
        if operand in names
    }


def _inside(graph: Graph, row: int, places: set[int], depth: int) -> bool:
    """Whether everything that a fusion makes of some of its operands goes element by element."""
    rows, computations = graph.program.instructions, graph.program.computations
    for computation in rows.called_by(row):
        first, end = computations.first[computation : computation + 2].tolist()
        pending = [
            inner
            for inner in range(first, end)
            if graph.opcodes[inner] == "parameter" and rows.parameter_number[inner] in places
        ]
        seen = set(pending)
        while pending:
            value = pending.pop()
            for user in graph.users(value):
                # A reduction reads on its own account: its result is not what lies in place.
                if user in seen or graph.opcodes[user] == "reduce":
                    continue
                if not graph.is_view(user) and not writes_in_place(
                    graph, user, NO_ROW, {value}, depth + 1
                ):
                    return False
                seen.add(user)
                pending.append(user)
    return True
