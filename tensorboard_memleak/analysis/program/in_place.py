"""Whether an instruction can write its result over one of its operands."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.analysis.program.graph import Graph

_MIXES: Final = frozenset(
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
        *("pad", "concatenate", "slice", "dynamic-slice", "gather", "broadcast", "reduce-window"),
        *("select-and-scatter", "conditional", "custom-call", "rng-bit-generator"),
        *("all-gather", "all-gather-start", "all-to-all", "collective-permute"),
        *("collective-permute-start", "reduce-scatter", "infeed", "outfeed"),
    }
)
"""Opcodes whose result is not one element for each element that they read."""

_MOVES: Final = frozenset({"transpose", "reverse"})
"""Opcodes that put every element elsewhere: the result is the same value, but not in place."""

_UPDATES: Final = frozenset({"dynamic-update-slice", "scatter"})
"""Opcodes that write into their first operand; they may read the others in any order."""

_DEEPEST: Final = 16


def overwritable(graph: Graph, row: int, part: int) -> list[int]:
    """Return the values of which (the part of) a result may be the next value.

    Those are the operands of what makes it; of a loop, only what enters where the result comes
    out. Where the result is one value moved (transposed, copied), what that value is made of too.
    """
    operands = graph.operands(row)
    if graph.opcodes[row] == "while":
        state = graph.operands(operands[0]) if operands else []
        return [state[part]] if 0 <= part < len(state) else []
    moved = moved_value(graph, row)
    return operands if moved is None else [*operands, *graph.operands(moved)]


def moved_value(graph: Graph, row: int) -> int | None:
    """Return what makes the one value that an instruction reads, `None` if it reads several."""
    operands = graph.operands(row)
    return graph.maker(operands[0])[0] if len(operands) == 1 else None


def goes_through(
    graph: Graph, row: int, names: frozenset[int], *, moving: bool, depth: int = 0
) -> bool:
    """Whether an instruction makes one element of its result of each element of an operand.

    `names` are the rows under which the operand is known. With `moving`, elements may change
    places; without, the result can be written over the operand while that is read. Fusions and
    calls are looked into; a loop carries its state in place.
    """
    operands = graph.operands(row)
    places = {place for place, operand in enumerate(operands) if operand in names}
    opcode = graph.opcodes[row]
    if opcode in _UPDATES:
        return places == {0}
    if opcode in {"fusion", "call"}:
        return depth < _DEEPEST and _inside(graph, row, places, moving, depth)
    return opcode not in _MIXES and (moving or opcode not in _MOVES)


def _inside(graph: Graph, row: int, places: set[int], moving: bool, depth: int) -> bool:
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
                if not graph.is_view(user) and not goes_through(
                    graph, user, frozenset({value}), moving=moving, depth=depth + 1
                ):
                    return False
                seen.add(user)
                pending.append(user)
    return True
