"""Lifetimes: what one memory space of a program holds at each point of program order."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.program.points import merged_points
from tensorboard_memleak.analysis.program.replay import replay
from tensorboard_memleak.analysis.program.totals import space_bytes
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import NO_ROW, HeapTrace, Program
from tensorboard_memleak.model.trace import UNKNOWN, Bool


def memory_spaces(program: Program) -> list[int]:
    """Return the memory spaces in which the program allocates anything, in ascending order."""
    used = program.allocations.memory_space[program.allocations.size_bytes > 0]
    return [int(space) for space in np.unique(used)]


def lifetimes(program: Program, memory_space: int = 0) -> Lifetimes:
    """Return when the buffers of one memory space live and what they take.

    Heap size is the sum of the sizes of live buffers, not of the allocations that hold them: what
    fragmentation costs is `allocated.total - peak_bytes`. Blind spot: temporaries that the
    compiler did not simulate are counted for the whole program.
    """
    points = merged_points(program, memory_space)
    lives = replay(points, len(program.buffers))
    lasting = _lasting(program, points)
    allocated = space_bytes(program, memory_space, lasting)
    homes = program.buffers.allocation[lives.changed]
    counted_already = np.append(lasting, np.False_)[homes]  # row -1, no home, is the last
    change = np.where(counted_already, 0, lives.change)
    sizes = program.buffers.size_bytes
    unpadded = np.where(
        program.buffers.unpadded_bytes == UNKNOWN, sizes, program.buffers.unpadded_bytes
    )
    heap = allocated.whole_program + np.cumsum(change * sizes[lives.changed])
    bare = allocated.whole_program_unpadded + np.cumsum(change * unpadded[lives.changed])
    peak = int(np.argmax(heap)) if len(points) else NO_POINT
    return Lifetimes(
        memory_space=memory_space,
        kind=points.kind,
        instruction=points.instruction,
        buffer=points.buffer,
        heap_bytes=heap,
        unpadded_heap_bytes=bare,
        born=lives.born,
        freed=lives.freed,
        holder=lives.holder,
        lasting=lasting,
        allocated=allocated,
        peak_bytes=int(heap[peak]) if len(points) else allocated.whole_program,
        peak_unpadded_bytes=int(bare[peak]) if len(points) else allocated.whole_program_unpadded,
        peak_point=peak,
    )


def _lasting(program: Program, points: HeapTrace) -> Bool:
    """Which allocations live as long as the program, or must be taken to."""
    traced = np.zeros(len(program.allocations), np.bool_)
    homes = program.buffers.allocation[points.buffer]
    traced[homes[homes != NO_ROW]] = True
    return program.allocations.whole_program | ~traced
