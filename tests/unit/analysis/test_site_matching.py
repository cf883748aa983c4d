from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.site_matching import Match, match_sites
from tensorboard_memleak.model.findings import Site

RELU = Site(
    op="Relu",
    shape="[8]",
    dtype="float",
    region="output",
    thread="python",
    stack=("Relu", "train"),
    source="op",
)


def site(**other: object) -> Site:
    return replace(RELU, **other)  # type: ignore[arg-type]


def test_the_same_site_is_found_wherever_it_stands() -> None:
    mul = site(op="Mul")

    assert match_sites([RELU, mul], [mul, RELU]) == [
        Match((1,), (0,), "all"),
        Match((0,), (1,), "all"),
    ]


def test_a_stack_that_grew_by_the_fix_does_not_hide_a_site() -> None:
    after = site(stack=("Relu", "fixed", "train"))

    assert match_sites([RELU], [after]) == [Match((0,), (0,), "name and shape")]


def test_a_batch_of_another_size_does_not_hide_a_site() -> None:
    assert match_sites([RELU], [site(shape="[16]")]) == [Match((0,), (0,), "name")]


def test_a_function_that_moved_by_some_lines_is_the_same() -> None:
    before = site(op="keep (train.py:12)", source="stack")
    after = site(op="keep (train.py:15)", source="stack")

    assert match_sites([before], [after]) == [Match((0,), (0,), "similar name")]


def test_numbers_in_names_count_where_they_tell_sites_apart() -> None:
    first, second = site(op="Conv2D"), site(op="Conv2D_1")

    matches = match_sites([first, second], [second, first])

    assert [(one.before, one.after) for one in matches] == [((1,), (0,)), ((0,), (1,))]


def test_what_only_its_numbers_told_apart_stands_together() -> None:
    before = [site(op=f"dense_{number}/Relu") for number in (1, 2)]
    after = [site(op=f"dense_{number}/Relu") for number in (7, 8, 9)]

    assert match_sites(before, after) == [Match((0, 1), (0, 1, 2), "similar name")]


def test_the_nearest_likeness_comes_first() -> None:
    other_shape = site(shape="[16]")

    matches = match_sites([RELU, other_shape], [other_shape])

    assert matches == [Match((1,), (0,), "all"), Match((0,), (), "nothing")]


def test_what_came_and_what_went_stand_alone() -> None:
    assert match_sites([RELU], [site(op="Mul")]) == [
        Match((), (0,), "nothing"),
        Match((0,), (), "nothing"),
    ]


def test_an_op_is_not_a_function_of_that_name() -> None:
    assert [one.by for one in match_sites([RELU], [site(source="stack")])] == ["nothing", "nothing"]


names = st.sampled_from(["a", "a_1", "a_2", "b", "b_7/c", ""])
shapes = st.sampled_from(["", "[8]", "[9]"])
some_sites = st.lists(st.builds(lambda op, shape: site(op=op, shape=shape), names, shapes))


@given(some_sites, some_sites)
def test_every_site_stands_in_exactly_one_match(before: list[Site], after: list[Site]) -> None:
    matches = match_sites(before, after)

    assert sorted(i for one in matches for i in one.before) == list(range(len(before)))
    assert sorted(i for one in matches for i in one.after) == list(range(len(after)))
    assert all((one.by == "nothing") == (not one.before or not one.after) for one in matches)
    assert matches == match_sites(before, after)
