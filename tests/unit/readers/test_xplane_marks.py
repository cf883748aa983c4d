"""Step marks, and the clock that everything is laid on."""

from __future__ import annotations

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.trace import UNKNOWN
from tests.unit.readers.trace_view import column, read, spans
from tests.xspace_builder import Text, UInt, XSpace


def with_profile(start_ns: int, stop_ns: int) -> XSpace:
    space = XSpace()
    plane = space.plane("Task Environment")
    plane.own_stat("profile_start_time", UInt(start_ns))
    plane.own_stat("profile_stop_time", UInt(stop_ns))
    return space


def test_a_mark_has_a_level_or_a_number_or_both() -> None:
    space = XSpace()
    line = space.plane().line("python")
    line.event("train", 10, 100, step_num=4, _r=1)
    line.event("eval", 200, 50, step_num=7)
    line.event("ProcessBatch", 300, 50, _r=2)
    line.event("no mark", 400, 50, other=1)
    marks = read(space).step_marks
    assert spans(read(space), marks) == [
        ("train", 10, 110, 4),
        ("eval", 200, 250, 7),
        ("ProcessBatch", 300, 350, UNKNOWN),
    ]
    assert marks.level.tolist() == [1, 0, 2]


@pytest.mark.parametrize("number", [12, UInt(12), Text("12"), "12", 12.0])
def test_a_step_number_may_have_any_type(number: object) -> None:
    space = XSpace()
    space.plane().line("python").event("train", 0, 5, step_num=number)  # type: ignore[arg-type]
    assert read(space).step_marks.number.tolist() == [12]


def test_a_marks_stats_may_stand_in_its_metadata() -> None:
    space = XSpace()
    plane = space.plane()
    line = plane.line("python")
    line.event("train", 0, 5)
    line.event("train", 10, 5, step_num=8)
    plane.shared_stat("train", "_r", 1)
    marks = read(space).step_marks
    assert marks.number.tolist() == [UNKNOWN, 8]
    assert marks.level.tolist() == [1, 1]


def test_marks_are_ordered_by_start_and_an_enclosing_one_stands_first() -> None:
    space = XSpace()
    plane = space.plane()
    plane.line("b", timestamp_ns=0).event("inner", 5, 5, _r=1).event("late", 100, 5, _r=1)
    plane.line("a", timestamp_ns=0).event("outer", 5, 50, _r=1)
    trace = read(space)
    assert [name for name, *_ in spans(trace, trace.step_marks)] == ["outer", "inner", "late"]


def test_device_steps_stand_in_where_the_host_has_no_marks() -> None:
    space = XSpace()
    for device in range(2):
        line = space.plane(f"/device:TPU:{device}").line("Steps", timestamp_ns=5)
        line.event("41", 1000, 100).event("42", 2000, 100)
    trace = read(space)
    assert spans(trace, trace.step_marks) == [("41", 1000, 1100, 41), ("42", 2000, 2100, 42)]
    assert [thread.name for thread in trace.threads] == ["/device:TPU:0 Steps"]


def test_marks_of_the_host_win_over_device_steps() -> None:
    space = XSpace()
    space.plane("/device:TPU:0").line("Steps").event("41", 1000, 100)
    space.plane().line("python").event("train", 0, 5, step_num=1)
    assert read(space).step_marks.number.tolist() == [1]


def test_times_count_from_the_start_of_the_profile() -> None:
    start = 1_700_000_000_000_000_000
    space = with_profile(start, start + 9_000)
    line = space.plane().line("python", timestamp_ns=2_000)
    line.allocation(at_ps=500, address=1)
    trace = read(space)
    assert trace.origin_ns == start
    assert (trace.start_ps, trace.end_ps) == (0, 9_000_000)
    assert column(trace, "time_ps") == [2_000_500]


def test_lines_that_were_not_rebased_are_laid_on_the_same_axis() -> None:
    start = 1_700_000_000_000_000_000
    space = with_profile(start, start + 9_000)
    plane = space.plane()
    plane.line("rebased", timestamp_ns=2_000).allocation(at_ps=0, address=1)
    plane.line("absolute", timestamp_ns=start + 3_000).allocation(at_ps=0, address=2)
    plane.line("began before", timestamp_ns=start - 50).allocation(at_ps=0, address=3)
    trace = read(space)
    assert column(trace, "address") == [3, 1, 2]
    assert column(trace, "time_ps") == [-50_000, 2_000_000, 3_000_000]
    assert (trace.start_ps, trace.end_ps) == (-50_000, 9_000_000)


def test_the_window_widens_to_what_lies_behind_the_profiles_end() -> None:
    start = 1_700_000_000_000_000_000
    space = with_profile(start, start + 9_000)
    space.plane().line("python").event("late", 8_000_000, 2_000_000)
    assert read(space).end_ps == 10_000_000


def test_without_a_profile_the_window_is_that_of_the_events() -> None:
    space = XSpace()
    line = space.plane().line("python", timestamp_ns=77)
    line.event("first", 100, 10).event("last", 300, 40)
    trace = read(space)
    assert (trace.origin_ns, trace.start_ps, trace.end_ps) == (77, 100, 340)


@pytest.mark.parametrize(("start", "stop"), [(0, 5), (9, 3)])
def test_a_profile_without_sense_is_ignored(start: int, stop: int) -> None:
    space = with_profile(start, stop)
    space.plane().line("python", timestamp_ns=77).event("first", 100, 10)
    assert read(space).origin_ns == 77


def test_durations_that_are_negative_or_overflow_are_none() -> None:
    space = XSpace()
    line = space.plane().line("python")
    line.event("backwards", 100, -50, _r=1)
    line.event("endless", 200, 2**63 - 1, _r=1)
    line.event("of months", 300, 2**63 - 1000, _r=1)
    trace = read(space)
    assert spans(trace, trace.step_marks) == [
        ("backwards", 100, 100, UNKNOWN),
        ("endless", 200, 200, UNKNOWN),
        ("of months", 300, 300, UNKNOWN),
    ]


@pytest.mark.parametrize("offset_ps", [2**62, -(2**62), 2**63 - 1, -(2**63)])
def test_an_event_months_away_is_damage(offset_ps: int) -> None:
    space = XSpace()
    space.plane().line("python").allocation(at_ps=offset_ps, address=1)
    with pytest.raises(UnreadableFile, match="months away from its line"):
        read(space)


def test_a_line_without_events_has_no_say_in_time() -> None:
    space = XSpace()
    plane = space.plane()
    plane.line("idle", timestamp_ns=0)
    plane.line("busy", timestamp_ns=1_700_000_000_000_000_000).allocation(at_ps=5, address=1)
    trace = read(space)
    assert trace.origin_ns == 1_700_000_000_000_000_000
    assert column(trace, "time_ps") == [5]


def test_a_line_months_away_is_damage() -> None:
    space = XSpace()
    space.plane().line("a", timestamp_ns=0).allocation(at_ps=1, address=1)
    space.plane().line("b", timestamp_ns=2**60).allocation(at_ps=1, address=1)
    with pytest.raises(UnreadableFile, match="months away from the others"):
        read(space)
