from __future__ import annotations

from dataclasses import replace

import pytest

from tensorboard_memleak.analysis.comparison import NO_GROWTH, Rate, compare
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.expected import set_aside
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.expectations import Expectations, ExpectedSite
from tests.window_builder import Window

STEPS = 12


def memory(steps: int = STEPS, **kept_bytes: int) -> MemoryAnalysis:
    """A memory in which each op keeps so many bytes a step (0: it frees what it allocates)."""
    return diagnose(window(steps, **kept_bytes).trace()).memories[0]


def window(steps: int = STEPS, **kept_bytes: int) -> Window:
    story = Window(steps)
    for step in range(steps):
        for place, (op, size) in enumerate(kept_bytes.items(), start=1):
            born = step + place / 100
            story.block(op, size or 1024, born=born, freed=None if size else born + 0.5)
    return story


def test_a_leak_that_is_freed_now_is_fixed() -> None:
    found = compare(memory(Relu=4096), memory(Relu=0))

    assert found.outcome == "fixed"
    assert found.before == Rate(4096, 4096, 4096)
    assert found.after == NO_GROWTH
    assert not found.absent
    (pair,) = found.pairs
    assert (pair.before, pair.after, pair.change) == (Rate(4096, 4096, 4096), NO_GROWTH, "gone")


def test_windows_of_other_lengths_have_the_same_rate() -> None:
    found = compare(memory(Relu=4096), memory(40, Relu=4096))

    assert found.outcome == "same"
    assert [one.change for one in found.pairs] == ["same"]


@pytest.mark.parametrize(("size", "outcome"), [(1024, "slower"), (65536, "faster")])
def test_a_leak_that_remains_has_another_rate(size: int, outcome: str) -> None:
    found = compare(memory(Relu=4096), memory(Relu=size))

    assert found.outcome == outcome
    assert [one.change for one in found.pairs] == [outcome]


def test_one_of_two_leaks_is_fixed() -> None:
    found = compare(memory(Relu=4096, Mul=1024), memory(Relu=0, Mul=1024))

    assert found.outcome == "slower"
    assert (found.before, found.after) == (Rate(5120, 5120, 5120), Rate(1024, 1024, 1024))
    assert [(one.match.by, one.change) for one in found.pairs] == [("all", "gone"), ("all", "same")]


def test_a_new_leak_is_told() -> None:
    found = compare(memory(Relu=0), memory(Relu=0, Mul=512))

    assert found.outcome == "new_leak"
    assert found.pairs[0].change == "new"
    assert found.pairs[0].before is None
    assert found.pairs[0].after == Rate(512, 512, 512)


def test_a_leak_whose_code_did_not_run_is_absent() -> None:
    found = compare(memory(Relu=4096, Mul=0), memory(Mul=0))

    assert found.outcome == "fixed"
    assert found.absent
    assert (found.pairs[0].change, found.pairs[0].after) == ("absent", None)


def test_a_fix_of_one_site_is_no_absence_of_all() -> None:
    found = compare(memory(Relu=4096, Mul=4096), memory(Mul=0))

    assert sorted(str(one.change) for one in found.pairs) == ["absent", "gone"]
    assert not found.absent


def test_nothing_leaks_on_either_side() -> None:
    found = compare(memory(Relu=0), memory(Relu=0))

    assert (found.outcome, [one.change for one in found.pairs]) == ("no_leak", [None])


def test_a_window_too_short_to_tell_leaves_it_open() -> None:
    found = compare(memory(Relu=4096), memory(2, Relu=4096))

    assert found.outcome == "unclear"
    assert found.after is None
    assert found.confidence is None
    (pair,) = found.pairs
    assert (pair.after, pair.change) == (None, None)


def test_the_less_certain_verdict_is_the_certainty_of_both() -> None:
    before, after = memory(Relu=4096), memory(40, Relu=0)

    sure = [before.diagnosis.confidence, after.diagnosis.confidence]
    assert compare(before, after).confidence == min(one for one in sure if one is not None)
    assert sure[0] != sure[1]


def test_growth_that_is_expected_is_no_leak() -> None:
    host = diagnose(window(Relu=4096).trace())
    expected = Expectations(sites=(ExpectedSite(site="Relu"),))
    after = set_aside(host, expected).memories[0]

    found = compare(memory(Relu=4096), after)

    assert (found.outcome, found.after) == ("fixed", NO_GROWTH)
    assert [one.change for one in found.pairs] == ["same"]


def test_sites_that_share_one_rate_have_none_of_their_own() -> None:
    both = memory(Relu=4096, Mul=1024)
    (finding,) = both.diagnosis.findings
    together = replace(finding, parts=(), site_indices=(0, 1))
    before = replace(both, diagnosis=replace(both.diagnosis, findings=(together,)))

    found = compare(before, memory(Relu=0, Mul=0))

    assert [(one.before, one.change) for one in found.pairs] == [(None, None), (None, None)]
    assert found.outcome == "fixed"
