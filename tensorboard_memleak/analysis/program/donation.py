"""Which arguments a program could overwrite with its outputs, and does not."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.analysis.program.arguments import Leaf, parameter_leaves
from tensorboard_memleak.analysis.program.graph import Graph, Output, Reads
from tensorboard_memleak.analysis.program.in_place import goes_through, moved_value, overwritable
from tensorboard_memleak.analysis.program.matching import match
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.shapes import Shape

_MOST_DEPENDENTS: Final = 4096
"""How much may be computed from an output before we stop asking whether a parameter is still
needed then: what a step updates is made near its end."""


@dataclass(frozen=True, slots=True)
class Donation:
    """One array of an argument, and the output that could lie where it does."""

    leaf: Leaf
    output_index: tuple[int, ...]
    size_bytes: int


@dataclass(frozen=True, slots=True)
class _Group:
    """Parameters and outputs of one shape that are neither aliased nor donated."""

    leaves: list[Leaf]
    outputs: list[Output]


def missing_donations(program: Program) -> list[Donation]:
    """Return the arrays that could be donated, matched one to one with outputs.

    A parameter and an output match if they have the same type, dimensions, layout and memory
    space, neither is aliased or donated already, and the output is the parameter's next value:
    it is made of the parameter, can be written over it, and nothing that depends on it reads the
    parameter. An argument that has such arrays is given away whole: its other arrays are matched
    with what is left by shape alone, as the framework does.

    Blind spot: an output that merely has the shape of an argument (a prediction shaped like its
    batch) is left out, although it could lie there; the caller rarely wants to lose the batch.
    """
    graph = Graph(program)
    groups = _groups(graph)
    found = [pair for group in groups for pair in _updates(graph, group)]
    arguments = {leaf.argument for leaf, _ in found} - {""}
    taken = {leaf.row for leaf, _ in found}, {output.index for _, output in found}
    for group in groups:
        leaves = [
            leaf for leaf in group.leaves if leaf.argument in arguments and leaf.row not in taken[0]
        ]
        outputs = [output for output in group.outputs if output.index not in taken[1]]
        found.extend(zip(leaves, outputs, strict=False))
    sizes = _sizes(program)
    donations = [
        Donation(leaf, output.index, sizes.get((leaf.number, leaf.index), 0))
        for leaf, output in found
    ]
    return sorted(donations, key=lambda donation: (donation.leaf.number, donation.leaf.index))


def _groups(graph: Graph) -> list[_Group]:
    program = graph.program
    given = {(alias.parameter_number, alias.parameter_index) for alias in program.aliases}
    given.update(program.donors)
    taken = {alias.output_index for alias in program.aliases}
    leaves: dict[Shape, list[Leaf]] = defaultdict(list)
    for leaf in parameter_leaves(program):
        if (leaf.number, leaf.index) not in given:
            leaves[leaf.shape].append(leaf)
    outputs: dict[Shape, list[Output]] = defaultdict(list)
    for output in graph.outputs():
        if output.index not in taken and output.shape in leaves:
            outputs[output.shape].append(output)
    return [_Group(leaves[shape], found) for shape, found in outputs.items()]


def _updates(graph: Graph, group: _Group) -> list[tuple[Leaf, Output]]:
    """Pair each output with the parameter whose next value it is."""
    reads = [
        graph.reads((leaf.row, leaf.index[0] if leaf.index else NO_ROW)) for leaf in group.leaves
    ]
    known_as: dict[int, list[int]] = defaultdict(list)
    for place, read in enumerate(reads):
        for name in read.names:
            known_as[name].append(place)
    choices = []
    for output in group.outputs:
        operands = overwritable(graph, output.maker, output.part)
        places = {place for operand in operands for place in known_as.get(operand, ())}
        choices.append([place for place in sorted(places) if _is_next(graph, output, reads[place])])
    pairs = match(choices)
    return [(group.leaves[leaf], group.outputs[output]) for output, leaf in pairs.items()]


def _is_next(graph: Graph, output: Output, value: Reads) -> bool:
    """Whether an output is the next value of one that nobody reads afterwards."""
    maker = output.maker
    if maker in value.names or graph.may_follow(maker, value.readers - {maker}, _MOST_DEPENDENTS):
        return False
    if maker in value.readers:
        return goes_through(graph, maker, value.names, moving=False)
    moved = moved_value(graph, maker)
    return moved is not None and goes_through(graph, moved, value.names, moving=True)


def _sizes(program: Program) -> dict[tuple[int, tuple[int, ...]], int]:
    """Return the size of the allocation of each parameter's array, padding included."""
    allocations = program.allocations
    is_parameter = allocations.kind == AllocationKind.PARAMETER
    return {
        (int(allocations.parameter_number[row]), allocations.parameter_index[row]): int(
            allocations.size_bytes[row]
        )
        for row in is_parameter.nonzero()[0].tolist()
    }
