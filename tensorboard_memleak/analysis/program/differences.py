"""What makes the versions of one function differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.arguments import parameter_leaves
from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.shapes import Shape

_MOST_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Differences:
    """Which traits are not the same in all versions; `argument_texts` are examples in words."""

    argument_shapes: bool
    argument_types: bool
    argument_count: bool
    results: bool
    constants: bool
    instruction_counts: tuple[int, ...]
    argument_texts: tuple[str, ...]

    @property
    def grows(self) -> bool:
        """Whether every version has more instructions than the one before it."""
        counts = self.instruction_counts
        return len(counts) > 2 and all(a < b for a, b in pairwise(counts))

    @property
    def words(self) -> str:
        """Say what differs, the usual cause first."""
        traits = (
            (self.argument_shapes, "argument shapes"),
            (self.argument_types, "argument types"),
            (self.argument_count, "the number of arguments"),
            (self.results, "result shapes"),
            (self.constants, "constants (values fixed when it was traced)"),
            (len(set(self.instruction_counts)) > 1, "the number of instructions"),
        )
        return ", ".join(text for differs, text in traits if differs)


def differences(versions: Sequence[Program]) -> Differences:
    """Compare versions by what enters them and what is built into them."""
    leaves = [parameter_leaves(version) for version in versions]
    columns = list(zip(*leaves, strict=False))
    changing = [
        column for column in columns if len({(leaf.shape, leaf.label) for leaf in column}) > 1
    ]
    shapes = [[leaf.shape for leaf in column] for column in columns]
    return Differences(
        argument_shapes=any(len({one.dimensions for one in column}) > 1 for column in shapes),
        argument_types=any(len({one.element_type for one in column}) > 1 for column in shapes),
        argument_count=len({len(found) for found in leaves}) > 1,
        results=len({_result(version) for version in versions}) > 1,
        constants=len({_constants(version) for version in versions}) > 1,
        instruction_counts=tuple(len(version.instructions) for version in versions),
        argument_texts=tuple(
            f"{column[0].label} is {_examples([leaf.shape for leaf in column])}"
            for column in changing[:_MOST_SHOWN]
        ),
    )


def _examples(shapes: Sequence[Shape]) -> str:
    texts = list(dict.fromkeys(f"{one.element_type}{list(one.dimensions)}" for one in shapes))
    more = f" and {len(texts) - _MOST_SHOWN} more" if len(texts) > _MOST_SHOWN else ""
    return ", ".join(texts[:_MOST_SHOWN]) + more


def _result(program: Program) -> Shape | None:
    root = NO_ROW if program.entry == NO_ROW else int(program.computations.root[program.entry])
    return None if root == NO_ROW else program.shapes[program.instructions.shape[root]]


def _constants(program: Program) -> tuple[int, ...]:
    digests = program.instructions.constant_digest
    return tuple(np.sort(digests[digests != 0]).tolist())
