from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from tensorboard_memleak.analysis.program.matching import match


def test_the_first_free_choice_is_kept() -> None:
    assert match([[2, 0], [2, 1], [1]]) == {0: 0, 1: 2, 2: 1}
    assert match([[0], [0], []]) == {0: 0}


def test_others_are_moved_where_that_helps() -> None:
    assert match([[0, 1], [0], [2, 0]]) == {0: 1, 1: 0, 2: 2}


@settings(deadline=None)  # the brute force is what takes time
@given(st.lists(st.lists(st.integers(0, 4), unique=True, max_size=5), max_size=5))
def test_as_many_as_can_be_are_matched(choices: list[list[int]]) -> None:
    found = match(choices)
    assert len(set(found.values())) == len(found)
    assert all(right in choices[left] for left, right in found.items())
    best = max(
        sum(right in choices[left] for left, right in enumerate(order[: len(choices)]))
        for order in permutations(range(5))
    )
    assert len(found) == best
