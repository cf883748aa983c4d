"""A trace as plain Python rows, for tests to compare with literals."""

from __future__ import annotations

from typing import Any

from tensorboard_memleak.model.trace import HostTrace, Memory, Spans
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.xspace_builder import XSpace

_TEXTS = ("op", "region", "shape", "dtype")


def read(space: XSpace | bytes) -> HostTrace:
    """Read a capture from memory."""
    data = space.encode() if isinstance(space, XSpace) else space
    return read_host_trace(data, "host0", "/logs/host0.xplane.pb")


def the_memory(trace: HostTrace) -> Memory:
    """Return the trace's only memory."""
    (memory,) = trace.memories
    return memory


def column(trace: HostTrace, name: str) -> list[Any]:
    """Return one column of the only memory, texts as text and stacks outermost first."""
    values = getattr(the_memory(trace).events, name).tolist()
    if name in _TEXTS:
        return [trace.strings[value] for value in values]
    if name == "stack":
        return [[trace.strings[f] for f in trace.stacks.path(node)][::-1] for node in values]
    if name == "thread":
        return [trace.threads[value].thread_id for value in values]
    return list(values)


def spans(trace: HostTrace, rows: Spans) -> list[tuple[str, int, int, int]]:
    """Return spans as (name, start_ps, end_ps, number)."""
    columns = (rows.name, rows.start_ps, rows.end_ps, rows.number)
    return [
        (trace.strings[name], start, end, number)
        for name, start, end, number in zip(*(c.tolist() for c in columns), strict=True)
    ]
