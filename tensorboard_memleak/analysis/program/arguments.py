"""The arguments of the Python function behind a module, as its parameters name them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.shapes import Shape

_ARGUMENT: Final = re.compile(
    r"(?:kwargs\['(?P<key>[^']+)'\]|(?P<name>args\[\d+\]|[^\W\d]\w*))(?=[.\[]|$)"
)
_NAMELESS: Final = re.compile(r"Arg_\d+(?:\.|$)")
"""What XLA calls a parameter when nobody named it."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One array that a program takes: part `index` of parameter `number`.

    `argument` is the Python argument it belongs to ("" where the module does not name it), `label`
    its path in it, as in `state.params['w']`.
    """

    row: int
    number: int
    index: tuple[int, ...]
    shape: Shape
    argument: str
    label: str


def parameter_leaves(program: Program) -> list[Leaf]:
    """Return every array that the program takes, in order of the parameters."""
    if program.entry == NO_ROW:
        return []
    rows = program.instructions
    first, end = program.computations.first[program.entry : program.entry + 2].tolist()
    numbers = rows.parameter_number[first:end]
    found = [first + place for place in (numbers >= 0).nonzero()[0].tolist()]
    found.sort(key=lambda row: int(rows.parameter_number[row]))
    return [leaf for row in found for leaf in _leaves(program, row)]


def _leaves(program: Program, row: int) -> list[Leaf]:
    rows = program.instructions
    number = int(rows.parameter_number[row])
    label = program.strings[rows.op_name[row]]
    argument = argument_of(label)
    if not argument:
        label = f"parameter {number}"
    leaves = program.shapes[rows.shape[row]].leaves()
    return [
        Leaf(row, number, index, shape, argument, label + "".join(f"[{i}]" for i in index))
        for index, shape in leaves
    ]


def argument_of(op_name: str) -> str:
    """Return the Python argument that a parameter's name begins with, "" if it names none.

    JAX names a parameter by its path from the argument, `p[0][1]` or `state.params['w']`. Where
    the compiler replaced the name by that of an operation (`jit(f)/sub`) there is none.
    """
    found = _ARGUMENT.match(op_name)
    if found is None or "/" in op_name or "(" in op_name or _NAMELESS.match(op_name):
        return ""
    return found["key"] or found["name"]
