"""What ran on threads, laid out as real captures lay it."""

from __future__ import annotations

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.lanes import ThreadEvents
from tensorboard_memleak.readers.xplane import read_host_trace
from tensorboard_memleak.readers.xplane_thread_events import (
    LEVELS,
    MOST_SPANS,
    read_thread_events,
)
from tests.captures import unpack
from tests.unit.readers.test_xplane_marks import with_profile
from tests.xspace_builder import Line, XSpace

US = 1_000_000
STEP_PS = 100 * US


def annotated(steps: int = 2) -> XSpace:
    """A training loop with annotations, as TensorFlow 2.21 and JAX 0.10 write it.

    A person's annotations lie in the step's mark; Python frames around and inside of them, the
    framework's events beneath.
    """
    space = XSpace()
    line = space.plane("/host:CPU").line("python", line_id=-7, timestamp_ns=1_000)
    for step in range(steps):
        at = step * STEP_PS
        line.event("$train.py:5 fit", at, 95 * US)
        line.event("train", at + 1 * US, 90 * US, step_num=step, _r=1)
        line.event("load batch", at + 2 * US, 20 * US, shard=3)
        line.event("TFE_Py_FastPathExecute_C", at + 3 * US, 5 * US)
        line.event("EagerExecute", at + 4 * US, 3 * US)
        line.allocation(at + 5 * US, address=0x100, requested=64, allocated=64, in_use=64)
        line.deallocation(at + 6 * US, address=0x100, requested=64, allocated=64, in_use=0)
        line.event("forward", at + 30 * US, 50 * US)
        line.event("$model.py:9 call", at + 31 * US, 48 * US)
        line.event("encoder", at + 32 * US, 20 * US)
        line.event("EagerExecute", at + 33 * US, 2 * US)
        line.event("decoder", at + 55 * US, 20 * US)
    return space


def read(space: XSpace, most_spans: int = MOST_SPANS) -> ThreadEvents:
    data = space.encode()
    return read_thread_events(data, read_host_trace(data, "host", "file"), "file", most_spans)


def told(ran: ThreadEvents, level: int, thread: int = 0) -> list[tuple[str, int, int]]:
    """The spans of one lane: name, start and end in microseconds."""
    spans = ran.spans.take(ran.spans.lane == LEVELS * thread + level)
    rows = zip(spans.name.tolist(), spans.start_ps.tolist(), spans.end_ps.tolist(), strict=True)
    return [(ran.names[name], start // US, end // US) for name, start, end in rows]


def test_annotations_are_outermost_beside_step_marks_and_python_frames() -> None:
    ran = read(annotated())

    assert told(ran, 0) == [
        ("load batch", 2, 22),
        ("forward", 30, 80),
        ("load batch", 102, 122),
        ("forward", 130, 180),
    ]
    assert told(ran, 1)[:3] == [
        ("TFE_Py_FastPathExecute_C", 3, 8),
        ("encoder", 32, 52),
        ("decoder", 55, 75),
    ]
    assert ran.finest_ps == 1
    assert ran.spans.count.tolist() == [1] * 10


def test_only_threads_that_allocate_or_mark_steps_are_told() -> None:
    space = annotated()
    plane = space.planes[0]
    plane.line("idle", line_id=8, timestamp_ns=1_000).event("evaluate", 0, 50 * US)
    worker = plane.line("worker", line_id=9, timestamp_ns=2_000)
    worker.event("evaluate", 10 * US, 50 * US)
    worker.allocation(20 * US, address=0x900, requested=64, allocated=64, in_use=64)

    ran = read(space)

    trace = read_host_trace(space.encode(), "host", "file")
    assert [thread.name for thread in trace.threads] == ["python", "idle", "worker"]
    assert told(ran, 0, thread=1) == []
    # The line's own time is a microsecond later than that of the first.
    assert told(ran, 0, thread=2) == [("evaluate", 11, 61)]


def test_relative_lines_lie_on_the_axis_of_the_trace() -> None:
    space = with_profile(5_000_000_000, 6_000_000_000)
    line = space.plane("/host:CPU").line("python", line_id=3, timestamp_ns=70)
    line.event("forward", 0, 10 * US)
    line.event("train", 20 * US, 10 * US, step_num=1)

    data = space.encode()
    trace = read_host_trace(data, "host", "file")
    ran = read_thread_events(data, trace, "file")

    assert trace.step_marks.start_ps.tolist() == [70_000 + 20 * US]
    assert ran.spans.start_ps.tolist() == [70_000]


def test_instants_async_spans_and_what_has_no_name_say_nothing() -> None:
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=0)
    line.event("train", 0, 100 * US, step_num=0)
    line.event("copy", 1 * US, 90 * US, _a=1)
    line.event("instant", 2 * US)
    line.event("", 3 * US, 5 * US)
    line.event("forward", 4 * US, 10 * US)

    assert told(read(space), 0) == [("forward", 4, 14)]


def test_what_crosses_an_outermost_span_is_not_beside_it() -> None:
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=0)
    line.event("train", 0, 100 * US, step_num=0)
    line.event("a", 10 * US, 10 * US)
    line.event("crosses", 15 * US, 10 * US)
    line.event("b", 30 * US, 10 * US)

    ran = read(space)

    assert told(ran, 0) == [("a", 10, 20), ("b", 30, 40)]
    assert told(ran, 1) == [("crosses", 15, 25)]


def many(line: Line, count: int) -> None:
    for place in range(count):
        line.event("short", place * 10 * US, 1 * US)
    line.event("long", count * 10 * US, 500_000 * US)


def test_beyond_the_bound_the_short_ones_are_merged_and_counted() -> None:
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=0)
    line.event("train", 0, US, step_num=0)
    many(line, 5_000)

    exact, thinned = read(space), read(space, most_spans=100)

    assert (len(exact.spans), exact.finest_ps) == (5_001, 1)
    assert len(thinned.spans) <= 100
    assert int(thinned.spans.count.sum()) == 5_001
    assert thinned.finest_ps > US
    assert told(thinned, 0)[-1] == ("long", 50_000, 550_000)
    assert told(thinned, 0)[0][:2] == ("short", 0)


def test_a_large_line_is_read_in_windows_and_told_the_same() -> None:
    """Spans that are open where a window ends still enclose what follows."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=0)
    line.event("train", 0, US, step_num=0)
    line.event("epoch", 2 * US, 10_000_000 * US)
    for place in range(60_000):  # of about 60 bytes each: more than one window
        line.event("step part", (3 + 2 * place) * US, US, note=b"x" * 40)

    ran = read(space)

    assert told(ran, 0) == [("epoch", 2, 10_000_002)]
    assert len(told(ran, 1)) == 60_000


def test_a_real_capture_with_python_frames() -> None:
    (path,) = unpack("python_frames").glob("*.xplane.pb")
    data = path.read_bytes()
    trace = read_host_trace(data, "host0", str(path))
    ran = read_thread_events(data, trace, str(path))

    names = {ran.names[index] for index in ran.spans.name.tolist()}
    assert "TFE_Py_FastPathExecute_C" in names
    assert not any(name.startswith("$") for name in names)
    assert "train" not in names
    for lane in set(ran.spans.lane.tolist()):
        one = ran.spans.take(ran.spans.lane == lane)
        assert (one.start_ps[1:] >= one.end_ps[:-1]).all()
    assert ran.spans.start_ps.min() >= trace.start_ps
    assert ran.spans.end_ps.max() <= trace.end_ps


def test_a_capture_that_was_cut_meanwhile_is_unreadable() -> None:
    data = annotated().encode()
    trace = read_host_trace(data, "host", "file")

    with pytest.raises(UnreadableFile):
        read_thread_events(data[:-30], trace, "file")
