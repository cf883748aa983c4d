"""The points of program order: the events of all heap traces of one memory space, merged."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.program import NO_ROW, HeapTrace, Program
from tensorboard_memleak.model.trace import Int32


def merged_points(program: Program, memory_space: int) -> HeapTrace:
    """Return the events of the buffers of one memory space as one trace.

    The events of one trace keep their order. Several traces are interleaved by the place of the
    instruction that defines the buffer last allocated: the traces do not tell more.
    """
    traces = program.traces
    if not traces:
        nothing = np.zeros(0, np.int32)
        return HeapTrace(nothing.astype(np.uint8), nothing, nothing, nothing)
    places = np.concatenate([_places(program, trace.instruction) for trace in traces])
    order = np.argsort(places, kind="stable")
    buffer = np.concatenate([trace.buffer for trace in traces])
    order = order[buffer[order] != NO_ROW]
    order = order[program.buffers.memory_space[buffer[order]] == memory_space]
    return HeapTrace(
        kind=np.concatenate([trace.kind for trace in traces])[order],
        buffer=buffer[order],
        instruction=np.concatenate([trace.instruction for trace in traces])[order],
        canonical=np.concatenate([trace.canonical for trace in traces])[order],
    )


def _places(program: Program, instruction: Int32) -> Int32:
    """Return places that never fall: a FREE stays with the ALLOC before it."""
    by_row = np.append(program.instructions.position, np.int32(NO_ROW))  # row -1 is the last
    places: Int32 = np.maximum.accumulate(by_row[instruction])
    return places
