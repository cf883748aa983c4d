"""Join allocator events with the buffers of compiled programs.

XLA asks its allocator for exactly the size of each `BufferAllocation`, in the order of their
index, while the run of the module is under way on the same thread. So the module that runs, the
requested bytes, and the place among equal requests of one run give the buffer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.grouping import group_rows
from tensorboard_memleak.analysis.program.allocation_index import AllocationIndex, Module
from tensorboard_memleak.analysis.program.runs_at import runs_at
from tensorboard_memleak.model.join import BufferOrigin, Joined
from tensorboard_memleak.model.program import NO_ROW, Program
from tensorboard_memleak.model.trace import UNKNOWN, EventKind, HostTrace, Int32, Int64, Memory

_FUNCTION: Final = re.compile(r"^PjitFunction\((.+)\)$")
_UPLOAD: Final = re.compile(
    r"DevicePut|device_put|LinearizeHostBuffer|BufferFromHostBuffer|TransferRawData"
    r"|AllocateDestinationBuffer"
)
_HOST_SPACE: Final = 5
"""XLA's number for host memory; allocators with "host" in their name serve it."""


def join(trace: HostTrace, memory: Memory, programs: Sequence[Program]) -> Joined:
    """Return the HLO buffer behind each allocation of one memory, where that can be told.

    Without a run around it, an allocation may still stand in the call of a jitted function: an
    upload is then one of its parameters, anything else one of its outputs or temporaries. Blind
    spot: an upload for another purpose that has the size of a parameter looks like it.
    """
    events = memory.events
    asked = np.flatnonzero(events.kind == EventKind.ALLOCATION)
    index = AllocationIndex(programs, _HOST_SPACE if "host" in memory.memory_id else 0)
    run = runs_at(trace.module_runs, events.thread[asked], events.time_ps[asked])
    code, modules = _modules(trace, run, events.stack[asked])
    size = events.requested_bytes[asked]
    place, equals = _among_equals(run, size)
    request, first = group_rows([code, size, place, equals])
    rows: dict[BufferOrigin, int] = {}
    row_of = []
    for number, wanted, nth, count in np.stack([code, size, place, equals])[:, first].T.tolist():
        module = modules[number]
        origin = module and index.origin(module, wanted, nth, count)
        row_of.append(rows.setdefault(origin, len(rows)) if origin else UNKNOWN)
    of_event = np.full(len(events), UNKNOWN, np.int32)
    of_event[asked] = np.array(row_of, np.int32)[request]
    return Joined(tuple(rows), of_event)


def _modules(trace: HostTrace, run: Int64, stack: Int32) -> tuple[Int64, list[Module | None]]:
    """Return a code for the module of each allocation, and the module of each code."""
    runs = trace.module_runs
    codes: dict[Module | None, int] = {}

    def code(module: Module | None) -> int:
        return codes.setdefault(module, len(codes))

    of_run = np.full(len(runs) + 1, UNKNOWN, np.int64)
    for row in np.unique(run[run != NO_ROW]).tolist():
        name = trace.strings[runs.name[row]]
        of_run[row] = code(Module(name, int(runs.number[row]), is_run=True, is_upload=False))
    of_stack = {node: code(_of_stack(trace, node)) for node in np.unique(stack).tolist()}
    by_stack = np.array([of_stack[node] for node in stack.tolist()], np.int64)
    return np.where(run == NO_ROW, by_stack, of_run[run]), list(codes)


def _of_stack(trace: HostTrace, node: int) -> Module | None:
    """Return the jitted function that a stack of trace events stands in, the innermost."""
    frames = [trace.strings[frame] for frame in trace.stacks.path(node)]
    for place, frame in enumerate(frames):
        if function := _FUNCTION.match(frame):
            upload = any(_UPLOAD.search(inner) for inner in frames[:place])
            return Module(f"jit_{function[1]}", UNKNOWN, is_run=False, is_upload=upload)
    return None


def _among_equals(run: Int64, size: Int64) -> tuple[Int64, Int64]:
    """Return the place of each request among those of its size in one run, and their number.

    Both are `UNKNOWN` outside of runs. Rows stand in order of time.
    """
    order = np.lexsort((size, run))
    new = np.ones(len(order), np.bool_)
    new[1:] = (np.diff(run[order]) != 0) | (np.diff(size[order]) != 0)
    start = np.flatnonzero(new)
    length = np.diff(np.append(start, len(order)))
    place, equals = np.empty_like(run), np.empty_like(run)
    place[order] = np.arange(len(order)) - np.repeat(start, length)
    equals[order] = np.repeat(length, length)
    outside = run == NO_ROW
    return np.where(outside, UNKNOWN, place), np.where(outside, UNKNOWN, equals)
