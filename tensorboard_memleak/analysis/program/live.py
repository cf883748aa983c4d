"""What is live at one point of a program."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.program.totals import main_buffers
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.trace import Bool, Int64


def live_temporaries(program: Program, lives: Lifetimes, point: int) -> Bool:
    """Return which buffers hold memory at a point and do not live as long as the program."""
    holds = lives.holder == np.arange(len(lives.holder))
    lasting = np.append(lives.lasting, np.False_)[program.buffers.allocation]
    live: Bool = holds & ~lasting & (lives.born != NO_POINT)
    return live & (lives.born <= point) & (point < lives.freed)


def lasting_buffers(program: Program, lives: Lifetimes) -> Int64:
    """Return the buffers that stand for what lives as long as the program, in order of it."""
    allocations = program.allocations
    here = allocations.memory_space == lives.memory_space
    shown = here & lives.lasting & (allocations.kind != AllocationKind.THREAD_LOCAL)
    rows = main_buffers(program)[shown]
    found: Int64 = rows[rows != NO_ROW]
    return found


def live_buffers(program: Program, lives: Lifetimes, point: int) -> Int64:
    """Return every buffer that holds memory at a point: those of whole-program life first."""
    temporaries = np.flatnonzero(live_temporaries(program, lives, point))
    in_order = temporaries[np.argsort(lives.born[temporaries], kind="stable")]
    return np.concatenate([lasting_buffers(program, lives), in_order])
