"""Whatever a capture is made of, what is read is what was written."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tensorboard_memleak.readers import xplane_host
from tests.unit.readers.trace_view import read
from tests.xspace_builder import Line, Text, UInt, Value, XSpace, Zipped

NAMES = ["GPU_0_bfc", "GPU_1_bfc", "0"]
FRAMES = ["train", "$model.py:10 step", "PjitFunction(step)", "Ünïcode <b>", "x" * 300]


@dataclass(frozen=True)
class Event:
    """A memory event as it is meant."""

    at_ps: int
    birth: bool
    memory: str
    address: int
    requested: int | None
    op: str


@st.composite
def meant(draw: st.DrawFn) -> Event:
    return Event(
        at_ps=draw(st.integers(0, 2000)),
        birth=draw(st.booleans()),
        memory=draw(st.sampled_from(NAMES)),
        address=draw(st.integers(0, 2**64 - 1)),
        requested=draw(st.none() | st.integers(0, 2**48)),
        op=draw(st.sampled_from(["Relu", "MatMul", "a/b:c", ""])),
    )


def encoded(draw: st.DrawFn, value: int | str) -> Value:
    """Choose one of the types in which a producer may store a value."""
    if isinstance(value, str):
        return draw(st.sampled_from([value, Text(value), Zipped(value)]))
    signed = value - 2**64 if value >= 2**63 else value
    return draw(st.sampled_from([signed, UInt(value), Text(str(signed)), str(signed)]))


def write(draw: st.DrawFn, line: Line, event: Event) -> None:
    stats: dict[str, Value] = {"allocator_name": encoded(draw, event.memory)}
    stats["addr"] = encoded(draw, event.address)
    if event.requested is not None:
        stats["requested_bytes"] = encoded(draw, event.requested)
    if event.op:
        stats["tf_op"] = encoded(draw, event.op)
    order = draw(st.permutations(sorted(stats)))
    name = "MemoryAllocation" if event.birth else "MemoryDeallocation"
    line.event(name, event.at_ps, **{key: stats[key] for key in order})


Span = tuple[int, int, str]
spans = st.builds(
    lambda start, length, name: (start, start + length, name),
    st.integers(0, 2000),
    st.integers(1, 900),
    st.sampled_from(FRAMES),
)
Row = tuple[int, int, bool, str, int, int, str, tuple[str, ...]]


@st.composite
def captures(draw: st.DrawFn) -> tuple[XSpace, list[Row]]:
    space, rows = XSpace(), []
    plane = space.plane()
    for number in range(draw(st.integers(1, 4))):
        line = plane.line(f"t{number}", line_id=number - 2, timestamp_ns=draw(st.integers(0, 9)))
        opened: list[Span] = sorted(draw(st.lists(spans, max_size=6)), key=lambda s: (s[0], -s[1]))
        events = sorted(draw(st.lists(meant(), max_size=6)), key=lambda event: event.at_ps)
        items = sorted([*opened, *((e.at_ps, None, e) for e in events)], key=lambda item: item[0])
        for start, end, what in items:
            if isinstance(what, Event):
                write(draw, line, what)
            else:
                line.event(what, start, end - start)
        for event in events:
            frames = tuple(name for a, b, name in opened if a <= event.at_ps < b)
            time_ps = line.timestamp_ns * 1000 + event.at_ps
            requested = -1 if event.requested is None else event.requested
            stack = frames if event.birth else ()
            told = (event.memory, event.address, requested, event.op, stack)
            rows.append((time_ps, line.line_id, event.birth, *told))
    return space, rows


def rows_of(data: bytes) -> list[Row]:
    trace = read(data)
    rows: list[Row] = []
    for memory in trace.memories:
        events = memory.events
        assert (events.time_ps[1:] >= events.time_ps[:-1]).all()
        for index in range(len(events)):
            frames = trace.stacks.path(int(events.stack[index]))
            rows.append(
                (
                    int(events.time_ps[index]) + trace.origin_ns * 1000,
                    trace.threads[events.thread[index]].thread_id,
                    bool(events.kind[index] == 1),
                    memory.memory_id,
                    int(events.address[index]),
                    int(events.requested_bytes[index]),
                    trace.strings[events.op[index]],
                    tuple(trace.strings[frame] for frame in reversed(frames)),
                )
            )
    return rows


@pytest.mark.parametrize("window_bytes", [64, 1 << 21])
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(case=captures())
def test_what_is_read_is_what_was_written(
    window_bytes: int, case: tuple[XSpace, list[Row]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", window_bytes)
    space, rows = case
    assert sorted(rows_of(space.encode())) == sorted(rows)
