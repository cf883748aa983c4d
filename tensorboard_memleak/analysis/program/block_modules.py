"""Which compiled module each block was allocated for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.program.join import join
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int32


@dataclass(frozen=True, slots=True)
class BlockModules:
    """The modules of one memory's blocks: `of_block[i]` is a row of `names`, -1 for none."""

    names: tuple[str, ...]
    of_block: Int32


def block_modules(
    trace: HostTrace, analysis: MemoryAnalysis, programs: Sequence[Program]
) -> BlockModules:
    """Return the HLO module whose run holds each block's allocation, else that of its buffer.

    A block belongs to the module that was running on its thread when it was allocated. Where none
    was, it belongs to the jitted function on its stack, if that has a buffer of exactly its size.
    Blind spot: versions of a module that have one name are one; and an array that is made between
    two runs to be passed to the second belongs to neither.
    """
    joined = join(trace, analysis.memory, programs)
    place: dict[str, int] = {}
    row_of = [place.setdefault(origin.module, len(place)) for origin in joined.origins]
    of_origin = np.array([*row_of, UNKNOWN], np.int32)  # the last is that of "no origin", -1
    birth = analysis.blocks.birth_event
    origin = np.where(birth == UNKNOWN, UNKNOWN, joined.of_event[birth])
    return BlockModules(tuple(place), of_origin[origin])
