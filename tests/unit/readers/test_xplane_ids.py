from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.readers.xplane_ids import IdTable

ids = st.integers(-(2**63), 2**63 - 1)


@given(
    st.sets(st.one_of(ids, st.integers(0, 300))),
    st.lists(st.one_of(ids, st.integers(0, 300))),
)
def test_a_row_is_the_position_of_a_key_and_unknown_ids_stand_last(
    keys: set[int], asked: list[int]
) -> None:
    table = IdTable(keys)
    ordered = sorted(keys)
    expected = [ordered.index(key) if key in keys else len(keys) for key in asked]
    assert table.rows(np.array(asked, np.int64)).tolist() == expected


@pytest.mark.parametrize("keys", [[], [0], [5], [-1], [2**63 - 1], [1, 1 << 40]])
def test_small_and_scattered_tables_find_their_keys(keys: list[int]) -> None:
    table = IdTable(keys)
    assert len(table) == len(keys)
    assert table.rows(np.array([*keys, 3], np.int64)).tolist() == [*range(len(keys)), len(keys)]
