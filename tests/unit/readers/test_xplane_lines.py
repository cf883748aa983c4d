"""Lines: windows over large ones, groups of small ones, and stacks on each."""

from __future__ import annotations

import pytest

from tensorboard_memleak.readers import xplane_host
from tensorboard_memleak.readers.xplane_lines import WINDOW_BYTES, Line, grouped
from tests.unit.readers.trace_view import column, read
from tests.xspace_builder import XSpace, bytes_field, number_field


def nested(space: XSpace, steps: int, line_id: int = 1) -> None:
    """A line whose every step calls into an op that allocates."""
    line = space.plane().line("python", line_id=line_id)
    line.event("whole program", at_ps=0, lasts_ps=steps * 1000)
    for step in range(steps):
        base = step * 1000
        line.event("train", base + 1, 900, step_num=step, _r=1)
        line.event("$model.py:10 step", base + 2, 800)
        line.event("PjitFunction(step)", base + 10, 300)
        line.allocation(base + 20, address=step + 1, requested=step)
        line.event("$model.py:20 report", base + 400, 100)
        line.deallocation(base + 450, address=step + 1)


EXPECTED_STACK = ["whole program", "train", "$model.py:10 step", "PjitFunction(step)"]


@pytest.mark.parametrize("window_bytes", [1, 100, 1000, WINDOW_BYTES])
def test_windows_of_any_size_give_the_same(
    window_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", window_bytes)
    space = XSpace()
    nested(space, steps=40)
    trace = read(space)
    kinds = column(trace, "kind")
    assert kinds == [1, 2] * 40
    assert column(trace, "requested_bytes") == [v for s in range(40) for v in (s, -1)]
    assert column(trace, "stack") == [EXPECTED_STACK if kind == 1 else [] for kind in kinds]
    assert trace.step_marks.number.tolist() == list(range(40))


def test_a_large_line_is_read_in_windows_and_by_lanes() -> None:
    space = XSpace()
    nested(space, steps=24_000)
    data = space.encode()
    assert len(data) > WINDOW_BYTES
    trace = read(data)
    assert column(trace, "address") == [step for step in range(1, 24_001) for _ in range(2)]
    assert len(trace.stacks.parent) == 1 + len(EXPECTED_STACK)
    assert trace.step_marks.number.tolist() == list(range(24_000))


def test_a_line_out_of_order_is_seen_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", 100)
    space = XSpace()
    line = space.plane().line("python")
    for step in reversed(range(30)):
        line.allocation(step * 100 + 5, address=step + 1)
        line.event(f"op {step}", step * 100, 50)
    line.event("around", 0, 3000)
    trace = read(space)
    assert column(trace, "address") == list(range(1, 31))
    assert column(trace, "stack") == [["around", f"op {step}"] for step in range(30)]


def test_a_huge_line_out_of_order_is_read_without_stacks_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", 100)
    monkeypatch.setattr(xplane_host, "_MOST_AT_ONCE_BYTES", 500)
    space = XSpace()
    line = space.plane().line("python")
    for step in reversed(range(30)):
        line.event(f"op {step}", step * 100, 50)
        line.allocation(step * 100 + 5, address=step + 1)
    trace = read(space)
    assert column(trace, "address") == list(range(1, 31))
    assert column(trace, "stack") == [[]] * 30
    assert [notice.code for notice in trace.notices] == ["stacks_left_out"]


def test_many_small_lines_keep_their_own_stacks_times_and_threads() -> None:
    space = XSpace()
    plane = space.plane()
    for number in range(300):
        line = plane.line(f"worker {number}", line_id=number, timestamp_ns=number)
        line.event(f"op {number % 7}", 10, 100)
        if number % 3 == 0:
            line.allocation(50, address=number + 1)
        line.event("train", 200, 10, step_num=number)
    trace = read(space)
    with_events = list(range(0, 300, 3))
    assert column(trace, "thread") == with_events
    assert column(trace, "time_ps") == [number * 1000 + 50 for number in with_events]
    assert column(trace, "stack") == [[f"op {number % 7}"] for number in with_events]
    assert trace.step_marks.start_ps.tolist() == [number * 1000 + 200 for number in range(300)]
    assert [trace.threads[t].name for t in trace.step_marks.thread[:2]] == ["worker 0", "worker 1"]


def test_small_neighbours_are_grouped_and_large_lines_stand_alone() -> None:
    sizes = [10, 20, 1 << 20, 30, 10 << 20, 5, 5]
    lines, position = [], 0
    for number, size in enumerate(sizes):
        lines.append(Line(number, position, position + size))
        position += size
    groups = [[line.number for line in group] for group in grouped(lines)]
    assert groups == [[0, 1], [2], [3], [4], [5, 6]]


def test_small_lines_far_apart_are_not_read_as_one() -> None:
    lines = [Line(0, 0, 10), Line(1, 10 << 20, (10 << 20) + 10)]
    assert [len(group) for group in grouped(lines)] == [1, 1]


def test_frames_are_told_only_where_an_allocation_needs_them() -> None:
    space = XSpace()
    line = space.plane().line("python")
    line.event("idle", 0, 10)
    line.event("busy", 20, 10)
    line.allocation(25, address=1)
    line.event("frees", 40, 10)
    line.deallocation(45, address=1)
    trace = read(space)
    assert column(trace, "stack") == [["busy"], []]
    assert "idle" not in trace.strings
    assert "frees" not in trace.strings


def test_asynchronous_spans_enclose_nothing() -> None:
    space = XSpace()
    line = space.plane().line("python")
    line.event("call", 0, 100)
    line.event("prefetch in the background", 10, 80, _a=1)
    line.event("marked as synchronous", 20, 60, _a=0)
    line.allocation(50, address=1)
    assert column(read(space), "stack") == [["call", "marked as synchronous"]]


def test_a_span_without_a_name_is_no_frame() -> None:
    space = XSpace()
    line = space.plane().line("python")
    line.event("call", 0, 100)
    line.event("", 10, 80)
    line.event("op", 20, 60)
    line.allocation(50, address=1)
    assert column(read(space), "stack") == [["call", "op"]]


def test_an_event_larger_than_any_window_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", 1 << 10)
    space = XSpace()
    line = space.plane().line("python")
    line.allocation(1, address=1, op="a")
    line.event("MemoryAllocation", 2, extra=bytes_field(99, bytes(1 << 16)), addr=2)
    line.allocation(3, address=3)
    trace = read(space)
    assert sorted(a for m in trace.memories for a in m.events.address.tolist()) == [1, 2, 3]


def test_fields_of_a_line_may_stand_between_its_events() -> None:
    space = XSpace()
    plane = space.plane()
    line = plane.line("python", line_id=4, timestamp_ns=9)
    line.allocation(1, address=1)
    parts = [bytes_field(4, line.events[0]), number_field(3, 9), bytes_field(2, b"late name")]
    parts += [bytes_field(4, line.events[0]), number_field(1, 4), bytes_field(11, b"")]
    chunk = plane.encode()
    mixed = chunk.replace(bytes_field(3, line.encode()), bytes_field(3, b"".join(parts)))
    trace = read(bytes_field(1, mixed))
    assert column(trace, "address") == [1, 1]
    assert [(thread.thread_id, thread.name) for thread in trace.threads] == [(4, "late name")]
    assert trace.origin_ns == 9


def test_empty_lines_and_planes_are_nothing() -> None:
    space = XSpace()
    space.plane("empty")
    space.plane("/host:CPU").line("idle")
    trace = read(space)
    assert trace.memories == ()
    assert (trace.start_ps, trace.end_ps) == (0, 0)
