from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.grouping import group_rows, rows_of_groups

rows = st.lists(st.tuples(st.integers(-2, 3), st.integers(-2, 3)), max_size=30)


@given(rows)
def test_equal_rows_are_one_group_in_order_of_appearance(pairs: list[tuple[int, int]]) -> None:
    columns = [np.array([one[place] for one in pairs], np.int64) for place in (0, 1)]
    seen = list(dict.fromkeys(pairs))

    group, first = group_rows(columns)

    assert group.tolist() == [seen.index(pair) for pair in pairs]
    assert [pairs[row] for row in first.tolist()] == seen
    assert first.tolist() == sorted(first.tolist())


def test_rows_of_each_group_stand_in_order() -> None:
    found = rows_of_groups(np.array([2, -1, 0, 2, 0]), 4)

    assert [one.tolist() for one in found] == [[2, 4], [], [0, 3], []]
