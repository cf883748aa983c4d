from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.readers.stacks import Disorder, LineStacks, StackTree

Span = tuple[int, int]


def columns(spans: list[Span]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Spans as columns; span i is called by string i + 1."""
    start, end = np.array(spans, np.int64).reshape(-1, 2).T
    return start, end, np.arange(1, len(spans) + 1, dtype=np.int32)


def stacks_of(spans: list[Span], instants: list[int]) -> list[tuple[int, ...]]:
    tree = StackTree()
    nodes = LineStacks(tree, lambda name: name).feed(*columns(spans), np.array(instants, np.int64))
    stacks = tree.stacks()
    return [stacks.path(node)[::-1] for node in nodes.tolist()]


def by_hand(spans: list[Span], instant: int) -> tuple[int, ...]:
    holding = [
        (start, -end, index + 1)
        for index, (start, end) in enumerate(spans)
        if start <= instant < end
    ]
    return tuple(name for _, _, name in sorted(holding))


def test_the_innermost_frame_is_the_one_that_began_last() -> None:
    assert stacks_of([(0, 100), (10, 50), (20, 30), (60, 70)], [25, 40, 65, 80]) == [
        (1, 2, 3),
        (1, 2),
        (1, 4),
        (1,),
    ]


def test_a_span_holds_its_start_and_not_its_end() -> None:
    assert stacks_of([(10, 20)], [9, 10, 19, 20]) == [(), (1,), (1,), ()]


def test_siblings_that_touch_do_not_mix() -> None:
    assert stacks_of([(0, 10), (10, 20)], [9, 10]) == [(1,), (2,)]


def test_spans_that_begin_together_stand_longest_first() -> None:
    assert stacks_of([(0, 10), (0, 30), (0, 20)], [5]) == [(2, 3, 1)]


def test_a_python_frame_that_ends_inside_a_span_opened_in_it() -> None:
    init, train, step = (0, 30), (20, 100), (40, 60)
    assert stacks_of([init, train, step], [10, 25, 50]) == [(1,), (1, 2), (2, 3)]


def test_the_same_frames_are_one_node() -> None:
    tree = StackTree()
    lines = LineStacks(tree, lambda name: np.minimum(name, 2))
    nodes = lines.feed(*columns([(0, 100), (10, 20), (30, 40)]), np.array([15, 35]))
    assert nodes.tolist() == [2, 2]
    assert tree.stacks().frame.tolist() == [0, 1, 2]


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)), max_size=14),
    st.lists(st.integers(0, 110), max_size=10),
)
def test_any_spans_at_all_give_every_enclosing_one(
    shapes: list[tuple[int, int]], instants: list[int]
) -> None:
    spans = sorted({(start, start + length) for start, length in shapes})
    assert stacks_of(spans, instants) == [by_hand(spans, instant) for instant in instants]


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 40)), max_size=14),
    st.lists(st.integers(0, 110), max_size=10),
    st.integers(0, 110),
)
def test_batches_carry_open_spans_over(
    shapes: list[tuple[int, int]], instants: list[int], border: int
) -> None:
    spans = sorted({(start, start + length) for start, length in shapes})
    start, end, name = columns(spans)
    at = np.array(sorted(instants), np.int64)
    tree = StackTree()
    lines = LineStacks(tree, lambda names: names)
    nodes: list[int] = []
    for first, second in ((start < border, at < border), (start >= border, at >= border)):
        nodes += lines.feed(start[first], end[first], name[first], at[second]).tolist()
    stacks = tree.stacks()
    found = [stacks.path(node)[::-1] for node in nodes]
    assert found == [by_hand(spans, instant) for instant in at.tolist()]


def test_a_batch_that_goes_back_in_time_is_told() -> None:
    lines = LineStacks(StackTree(), lambda names: names)
    lines.feed(*columns([(100, 200)]), np.array([150]))
    with pytest.raises(Disorder):
        lines.feed(*columns([(90, 95)]), np.array([160]))


def test_a_hostile_staircase_ends_and_claims_nothing_false() -> None:
    spans = [(index, 20_000 + 2 * index) for index in range(5000)]
    (found,) = stacks_of(spans, [19_000])
    assert 0 < len(found) <= 1024
    assert all(spans[name - 1][0] <= 19_000 < spans[name - 1][1] for name in found)
