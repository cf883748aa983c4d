"""Where allocations and buffers stand in the picture of a program's memory."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.program.totals import main_buffers
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.trace import Int64


def stacked_allocations(program: Program, lives: Lifetimes) -> tuple[Int64, Int64]:
    """Return the allocations of a memory space and the offset of each when laid one on another.

    What lives as long as the program lies at the bottom: parameters, outputs, constants; then
    the temporaries. Devices place allocations as they like; the picture shows sizes.
    """
    allocations = program.allocations
    shown = (allocations.memory_space == lives.memory_space) & (allocations.size_bytes > 0)
    rows = np.flatnonzero(shown & (allocations.kind != AllocationKind.THREAD_LOCAL))
    order = np.lexsort((rows, allocations.kind[rows], ~lives.lasting[rows]))
    rows = rows[order]
    sizes = allocations.size_bytes[rows]
    return rows, np.cumsum(sizes) - sizes


def drawn_buffers(program: Program, lives: Lifetimes, most: int) -> tuple[Int64, int]:
    """Return the buffers that hold memory at some point, and how many were left out.

    Those of whole-program life stand first. Where there are more than `most`, the ones with the
    most bytes times life are kept, and everything that lives at the peak.
    """
    holds = lives.holder == np.arange(len(lives.holder))
    temporary = np.flatnonzero(holds & (lives.born != NO_POINT))
    mains = main_buffers(program)
    allocations = program.allocations
    here = lives.lasting & (allocations.memory_space == lives.memory_space)
    lasting = mains[here & (allocations.kind != AllocationKind.THREAD_LOCAL)]
    lasting = lasting[lasting != NO_ROW]
    temporary = temporary[~np.isin(temporary, lasting)]
    left_out = max(0, len(temporary) - max(0, most - len(lasting)))
    if left_out:
        life = (lives.freed - lives.born).astype(np.float64)[temporary]
        weight = program.buffers.size_bytes[temporary] * life
        at_peak = (lives.born[temporary] <= lives.peak_point) & (
            lives.peak_point < lives.freed[temporary]
        )
        ranked = np.lexsort((-weight, ~at_peak))
        temporary = np.sort(temporary[ranked[: len(temporary) - left_out]])
    return np.concatenate([lasting, temporary]), left_out
