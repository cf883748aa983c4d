from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tensorboard_memleak.analysis.pairing import pair
from tensorboard_memleak.analysis.steps import find_steps, step_of, steps_of_blocks
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace
from tests.window_builder import MARK_PS, STEP_PS, Window, spans, with_spans


def training(steps: int, marked: bool = True) -> Window:
    """A loop that runs the same three ops each step and keeps nothing."""
    window = Window(steps, marked)
    for step in range(steps):
        for place, op in enumerate(("MatMul", "Relu", "Mean")):
            window.block(op, 64, born=step + 0.1 + place / 10, freed=step + 0.6)
    return window


def marks(*numbers: int, name: str = "train") -> list[tuple[str, int, int, int]]:
    return [(name, i * STEP_PS, i * STEP_PS + MARK_PS, number) for i, number in enumerate(numbers)]


def test_each_mark_is_a_step() -> None:
    steps = find_steps(training(3).trace())
    assert (steps.source, steps.number.tolist()) == ("markers", [0, 1, 2])
    assert steps.start_ps.tolist() == [0, STEP_PS, 2 * STEP_PS]
    assert steps.end_ps.tolist() == [start + MARK_PS for start in (0, STEP_PS, 2 * STEP_PS)]


def test_repeated_and_decreasing_numbers_are_ordered_by_time() -> None:
    trace = with_spans(training(4).trace(), marks(7, 8, 0, 0))
    assert find_steps(trace).number.tolist() == [7, 8, 0, 0]


def test_marks_inside_marks_count_once() -> None:
    inner = [("micro", start + 1000, start + 5000, n) for _, start, _, n in marks(0, 1, 2)]
    inner += [("micro", start + 6000, start + 9000, n) for _, start, _, n in marks(0, 1, 2)]
    steps = find_steps(with_spans(training(3).trace(), [*marks(0, 1, 2), *inner]))
    assert steps.number.tolist() == [0, 1, 2]
    assert steps.start_ps.tolist() == [0, STEP_PS, 2 * STEP_PS]


def test_an_epoch_around_the_steps_is_not_a_step() -> None:
    epoch = ("epoch", 0, 12 * STEP_PS, 0)
    steps = find_steps(with_spans(training(12).trace(), [epoch, *marks(*range(12))]))
    assert steps.number.tolist() == list(range(12))


def nested(outer: int, each: int) -> list[tuple[str, int, int, int]]:
    """Marks around `each` steps of a loop, which count anew in each of them."""
    around = [("outer", i * each * STEP_PS, (i + 1) * each * STEP_PS, i) for i in range(outer)]
    return [*around, *marks(*(n % each for n in range(outer * each)))]


@pytest.mark.parametrize(("outer", "each", "steps"), [(4, 6, 24), (3, 5, 15), (5, 4, 5), (6, 8, 6)])
def test_few_marks_around_many_each_are_epochs(outer: int, each: int, steps: int) -> None:
    trace = with_spans(training(outer * each).trace(), nested(outer, each))
    assert len(find_steps(trace)) == steps


def test_steps_of_epochs_that_the_window_cuts_are_steps_as_the_others_are() -> None:
    rows = nested(3, 6)
    del rows[2], rows[0]  # only the second epoch begins and ends in the window
    steps = find_steps(with_spans(training(18).trace(), rows))
    assert steps.number.tolist() == [0, 1, 2, 3, 4, 5] * 3


def test_parts_of_steps_that_the_window_cuts_are_no_steps() -> None:
    rows = nested(9, 4)
    del rows[8], rows[0]  # the marks of the parts of the first and last step stay
    steps = find_steps(with_spans(training(36).trace(), rows))
    assert steps.number.tolist() == [1, 2, 3, 4, 5, 6, 7]


def test_a_mark_that_holds_nothing_is_no_epoch() -> None:
    rows = [("evaluate", start + 10, start + 20, n) for _, start, _, n in marks(*range(5))[3:]]
    steps = find_steps(with_spans(training(5).trace(), [*marks(*range(5)), *rows]))
    assert steps.number.tolist() == [0, 1, 2, 3, 4]


def test_marks_of_one_step_on_several_threads_count_once() -> None:
    rows = [row for n in range(4) for row in (marks(*range(4))[n], marks(*range(4))[n])]
    late = [(name, start + 10 * (i % 2), end, n) for i, (name, start, end, n) in enumerate(rows)]
    steps = find_steps(with_spans(training(4).trace(), late, thread=[0, 1] * 4))
    assert steps.number.tolist() == [0, 1, 2, 3]


def test_marks_of_many_threads_may_lie_weeks_apart() -> None:
    far = 2**60
    rows = [("train", n * far // 8, n * far // 8 + 9, n) for n in range(8)] * 64
    thread = [n // 8 for n in range(8 * 64)]
    steps = find_steps(with_spans(training(8).trace(), rows, thread=thread))
    assert steps.number.tolist() == list(range(8))
    assert steps.start_ps.tolist() == [n * far // 8 for n in range(8)]


def test_of_loops_that_run_beside_each_other_the_busiest_thread_is_followed() -> None:
    other = [
        ("other", i * 3 * STEP_PS + 500_000, i * 3 * STEP_PS + 3 * STEP_PS, i) for i in range(3)
    ]
    rows = [*marks(*range(9)), *other]
    steps = find_steps(with_spans(training(9).trace(), rows, thread=[0] * 9 + [1] * 3))
    assert steps.number.tolist() == list(range(9))


def test_training_and_evaluation_marks_are_steps_of_one_run() -> None:
    rows = marks(0, 1, 2, 3)
    rows[3] = ("evaluate", *rows[3][1:3], 0)
    steps = find_steps(with_spans(training(4).trace(), rows))
    assert steps.number.tolist() == [0, 1, 2, 0]


def test_without_numbers_recurring_launches_are_steps() -> None:
    trace = training(6, marked=False).trace()
    strings = {text: i for i, text in enumerate(trace.strings)}
    runs = [
        row
        for step in range(6)
        for row in (
            ("jit_prepare", step * STEP_PS, step * STEP_PS + 1000, 11),
            ("jit_train", step * STEP_PS + 2000, step * STEP_PS + 9000, 12),
        )
    ]
    launched = replace(trace, module_runs=spans(strings, runs), strings=tuple(strings))
    steps = find_steps(launched)
    assert (steps.source, len(steps)) == ("modules", 6)
    assert steps.start_ps.tolist() == [step * STEP_PS for step in range(6)]
    assert steps.number.tolist() == [UNKNOWN] * 6


def test_many_launches_a_step_are_no_more_than_a_pattern() -> None:
    trace = training(5, marked=False).trace()
    strings = {text: i for i, text in enumerate(trace.strings)}
    runs = [
        (f"jit_op{place}", step * STEP_PS + place * 1000, step * STEP_PS + place * 1000 + 500, 1)
        for step in range(5)
        for place in range(8)
    ]
    launched = replace(trace, module_runs=spans(strings, runs), strings=tuple(strings))
    assert (find_steps(launched).source, len(find_steps(launched))) == ("pattern", 5)


def test_unnumbered_marks_of_the_busiest_thread_stand_for_launches() -> None:
    rows = [("FunctionRun", i * STEP_PS, i * STEP_PS + 100, UNKNOWN) for i in range(5)]
    rows += [("FunctionRun", i * STEP_PS + 500, i * STEP_PS + 600, UNKNOWN) for i in range(4)]
    trace = with_spans(training(5, marked=False).trace(), rows, thread=[0] * 5 + [1] * 4)
    assert (find_steps(trace).source, len(find_steps(trace))) == ("modules", 5)


def test_without_anything_marked_what_recurs_is_a_step() -> None:
    steps = find_steps(training(8, marked=False).trace())
    assert (steps.source, len(steps)) == ("pattern", 8)
    assert steps.start_ps.tolist() == [step * STEP_PS + 100_000 for step in range(8)]


def test_a_rare_kind_does_not_make_the_step_longer() -> None:
    window = training(30, marked=False)
    for step in range(0, 30, 10):
        window.block("Save", 512, born=step + 0.5, freed=step + 0.55)
    assert len(find_steps(window.trace())) == 30


def test_shapes_that_vary_do_not_hide_what_recurs() -> None:
    window = Window(9, marked=False)
    for step in range(9):
        window.block("MatMul", 64 * (1 + step % 4), born=step + 0.1, freed=step + 0.2)
        window.block("Relu", 32 * (1 + step % 4), born=step + 0.3, freed=step + 0.4)
    assert len(find_steps(window.trace())) == 9


def irregular() -> HostTrace:
    window = Window(4, marked=False)
    for index in range(40):
        window.block(f"Op{index}", 64, born=0.05 * index, freed=3.9)
    return window.trace()


def test_where_nothing_recurs_ten_slices_of_time_stand_for_steps() -> None:
    steps = find_steps(irregular())
    assert (steps.source, len(steps)) == ("slices", 10)


def test_a_handful_of_events_has_no_steps() -> None:
    window = Window(1, marked=False)
    window.block("Relu", 64, born=0.2)
    steps = find_steps(window.trace())
    assert (steps.source, len(steps)) == ("none", 0)


@pytest.mark.parametrize(
    ("time_ps", "step"),
    [(-1, -1), (0, 0), (MARK_PS, 0), (STEP_PS - 1, 0), (STEP_PS, 1), (99 * STEP_PS, 2)],
)
def test_what_lies_between_marks_belongs_to_the_tail_of_the_earlier(
    time_ps: int, step: int
) -> None:
    steps = find_steps(training(3).trace())
    assert step_of(steps, np.array([time_ps])).tolist() == [step]


def test_blocks_have_no_birth_step_before_the_window_and_no_free_step_after_it() -> None:
    window = training(2)
    window.block("", 64, born=None, freed=1.7)
    window.block("Kept", 64, born=0.8)
    trace = window.trace()
    blocks = pair(trace.memories[0].events, trace.start_ps, trace.end_ps)
    of_blocks = steps_of_blocks(find_steps(trace), blocks)
    assert (of_blocks.birth[0], of_blocks.free[0]) == (UNKNOWN, 1)
    kept = blocks.free_event == UNKNOWN
    assert (of_blocks.birth[kept].tolist(), of_blocks.free[kept].tolist()) == ([0], [UNKNOWN])
