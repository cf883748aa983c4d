from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.packing import alike

whole = st.integers(-(2**61), 2**61) | st.integers(-3, 3)
rows = st.lists(st.tuples(whole, whole, whole), max_size=30)


def columns_of(table: list[tuple[int, int, int]]) -> list[np.ndarray]:
    return [np.array([row[place] for row in table], np.int64) for place in range(3)]


def test_rows_are_numbered_in_order_of_their_columns() -> None:
    first, row = alike([np.array([2, 1, 2, 1]), np.array([5, 9, 5, -9])])

    assert row.tolist() == [2, 1, 2, 0]
    assert first.tolist() == [3, 1, 0]


@given(rows)
def test_numbers_too_large_to_pack_are_told_apart(table: list[tuple[int, int, int]]) -> None:
    first, row = alike(columns_of(table))

    distinct = sorted(set(table))
    assert [table[one] for one in first.tolist()] == distinct
    assert [distinct[one] for one in row.tolist()] == table
