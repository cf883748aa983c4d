"""Spans side by side, merged where they are too short to be seen."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.model.lanes import LaneSpans, joined


def lane_spans(rows: list[tuple[int, int, int, int]]) -> LaneSpans:
    """Rows of (name, start, end, lane)."""
    name, start, end, lane = np.array(rows, np.int64).reshape(-1, 4).T
    ones = np.ones(len(rows), np.int64)
    return LaneSpans(name.astype(np.int32), start, end, -ones, ones, lane.astype(np.int32))


def test_short_neighbours_in_one_cell_are_one_called_by_the_longest() -> None:
    merged = lane_spans([(1, 0, 2, 0), (2, 3, 8, 0), (3, 9, 10, 0), (4, 12, 13, 0)]).merged(10)

    assert merged.name.tolist() == [2, 4]
    assert merged.start_ps.tolist() == [0, 12]
    assert merged.end_ps.tolist() == [10, 13]
    assert merged.count.tolist() == [3, 1]


def test_what_is_as_long_as_a_cell_stays_itself() -> None:
    merged = lane_spans([(1, 0, 2, 0), (2, 3, 13, 0), (3, 14, 15, 0)]).merged(10)

    assert merged.count.tolist() == [1, 1, 1]


def test_lanes_are_not_mixed() -> None:
    merged = lane_spans([(1, 0, 2, 1), (2, 3, 4, 0), (3, 5, 6, 1)]).merged(10)

    assert (merged.lane.tolist(), merged.count.tolist()) == ([0, 1], [1, 2])


def test_nothing_is_merged_of_nothing() -> None:
    assert len(joined([]).merged(10)) == 0


some_rows = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 200), st.integers(0, 30), st.integers(0, 2)).map(
        lambda row: (row[0], row[1], row[1] + row[2], row[3])
    )
)


@given(some_rows, st.integers(1, 50), st.integers(1, 4))
def test_merging_loses_no_span_and_widens_none_far(
    rows: list[tuple[int, int, int, int]], cell: int, again: int
) -> None:
    spans = lane_spans(rows)
    merged = spans.merged(cell)

    assert int(merged.count.sum()) == len(rows)
    longest = max((end - start for _, start, end, _ in rows), default=0)
    assert (merged.end_ps - merged.start_ps <= max(2 * cell, longest)).all()
    for lane in range(3):
        before, after = spans.take(spans.lane == lane), merged.take(merged.lane == lane)
        if len(before):
            assert before.start_ps.min() == after.start_ps.min()
            assert before.end_ps.max() == after.end_ps.max()
    assert int(merged.merged(cell * again).count.sum()) == len(rows)
