"""The compiler's heap-simulator traces -> columns with every reference a row."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.program import NO_ROW, HeapEventKind, HeapTrace
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.proto import hlo_pb2

_KINDS: Final = frozenset(HeapEventKind)


def read_traces(
    assignment: hlo_pb2.BufferAssignment,
    module: hlo_pb2.Module,
    row_of_buffer: dict[int, int],
    faults: Faults,
) -> tuple[HeapTrace, ...]:
    """Read every trace that has events, each distinct one once.

    A heap split over several allocations leaves the same trace with each of them.
    """
    distinct = {
        trace.SerializeToString(deterministic=True): trace
        for trace in assignment.heap_traces
        if trace.events
    }
    if not distinct:
        return ()
    rows: dict[tuple[bytes, bytes], int] = {}
    row = 0
    for computation in module.computations:
        for instruction in computation.instructions:
            rows[computation.name, instruction.name] = row
            row += 1
    return tuple(_trace(trace, rows, row_of_buffer, faults) for trace in distinct.values())


def _trace(
    trace: hlo_pb2.HeapTrace,
    row_of_instruction: dict[tuple[bytes, bytes], int],
    row_of_buffer: dict[int, int],
    faults: Faults,
) -> HeapTrace:
    events = [event for event in trace.events if event.kind in _KINDS]
    faults.add("heap events of an unknown kind", len(trace.events) - len(events))
    buffers = [row_of_buffer.get(event.buffer_id, NO_ROW) for event in events]
    shared = [
        row_of_buffer.get(event.share_with_canonical_id, NO_ROW)
        if event.kind == HeapEventKind.SHARE
        else NO_ROW
        for event in events
    ]
    names = [(event.computation_name, event.instruction_name) for event in events]
    faults.add("heap events of a buffer that does not exist", buffers.count(NO_ROW))
    return HeapTrace(
        kind=np.array([event.kind for event in events], np.uint8),
        buffer=np.array(buffers, np.int32),
        instruction=np.array([row_of_instruction.get(key, NO_ROW) for key in names], np.int32),
        canonical=np.array(shared, np.int32),
    )
