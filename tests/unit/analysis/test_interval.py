from __future__ import annotations

from tensorboard_memleak.analysis.interval import interval
from tests.histories import KEPT_BYTES, PASSING_BYTES, STEP_PS, leaking_capture
from tests.unit.analysis.analysed import analysed

MATMUL, TMP = 0, 1
END_PS = 12 * STEP_PS


def test_a_range_counts_what_was_born_freed_and_left_in_it() -> None:
    found = interval(analysed(leaking_capture()), 2 * STEP_PS, 5 * STEP_PS, END_PS)

    assert found.site.tolist() == [MATMUL, TMP]
    assert found.born_blocks.tolist() == [3, 3]
    assert found.born_bytes.tolist() == [3 * KEPT_BYTES, 3 * PASSING_BYTES]
    assert found.freed_blocks.tolist() == [0, 3]
    assert found.net_bytes.tolist() == [3 * KEPT_BYTES, 0]
    assert found.left_blocks.tolist() == found.survived_blocks.tolist() == [3, 0]


def test_what_is_freed_after_the_range_is_left_and_does_not_survive() -> None:
    # In each step: born at 1 and 2, freed at 3 and 4 millionths of it.
    found = interval(analysed(leaking_capture(leaks=False)), 0, 2_500_000, END_PS)

    assert found.left_blocks.tolist() == [1, 1]
    assert found.survived_blocks.tolist() == [0, 0]


def test_an_event_on_the_edge_belongs_to_what_it_begins() -> None:
    at_birth = 1_000_000
    analysis = analysed(leaking_capture())

    assert interval(analysis, 0, at_birth, END_PS).born_blocks.tolist() == []
    assert interval(analysis, at_birth, at_birth + 1, END_PS).born_blocks.tolist() == [1]


def test_freed_blocks_of_an_earlier_birth_count_as_freed() -> None:
    found = interval(analysed(leaking_capture()), 2_500_000, 3_500_000, END_PS)

    assert (found.site.tolist(), found.freed_blocks.tolist()) == ([TMP], [1])
    assert found.net_bytes.tolist() == [-PASSING_BYTES]
