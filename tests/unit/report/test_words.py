from __future__ import annotations

import pytest

from tensorboard_memleak.report import words
from tests.unit.report.example import finding, memory, steps


@pytest.mark.parametrize(
    ("size_bytes", "said"),
    [(None, "unknown"), (0, "0 B"), (1000, "1\u202f000 B"), (65536, "64 KiB (65\u202f536 B)")],
)
def test_bytes_are_said_to_the_byte(size_bytes: int | None, said: str) -> None:
    assert words.both_bytes(size_bytes) == said


@pytest.mark.parametrize(
    ("confidence", "said"),
    [(None, ""), (0.875, "88 % sure"), (0.9999, "> 99 % sure"), (0.0, "0 % sure")],
)
def test_confidence_is_never_rounded_up_to_certainty(confidence: float | None, said: str) -> None:
    assert words.sure_text(confidence) == said


def test_steps_say_where_they_come_from() -> None:
    assert words.steps_text(steps()) == "20 steps of 2 µs"
    assert words.steps_text(steps(count=1, median_ns=None)) == "1 step"
    assert words.steps_text(steps(count=0, source="none")) == "no steps"
    assert "no step markers" in words.steps_text(steps(source="pattern"))
    assert "equal slices" in words.steps_text(steps(source="slices"))


def test_the_forecast_is_steps_and_time() -> None:
    assert words.forecast_text(memory(), steps()) == (
        "The memory is full after about 1\u202f000 more steps, 2 ms at this pace."
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(500, 2000, " (500 to 2\u202f000)"), (500, None, " (500 at the soonest)"), (1000, 1000, "")],
)
def test_the_forecast_has_its_range(low: int, high: int | None, said: str) -> None:
    wide = memory()
    wide["totals"]["steps_to_oom_low"], wide["totals"]["steps_to_oom_high"] = low, high
    assert words.forecast_text(wide, steps(median_ns=None)) == (
        f"The memory is full after about 1\u202f000 more steps{said}."
    )


def test_the_forecast_tells_what_is_expected_and_fills_the_memory_all_the_same() -> None:
    expected = finding(expected="named in the configuration", bytes_per_step=2048)
    assert words.forecast_text(memory(findings=[finding(), expected]), steps(median_ns=None)) == (
        "The memory is full after about 1\u202f000 more steps, "
        "counting the 2 KiB a step that are expected."
    )


def test_nothing_is_forecast_where_nothing_grows() -> None:
    still = memory()
    still["totals"]["growth_bytes_per_step"] = None
    still["totals"]["steps_to_oom"] = None
    assert words.forecast_text(still, steps()) == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "grows every step"),
        ({"pattern": ""}, "grows"),
        ({"kind": "retained", "pattern": "kept once"}, "kept once"),
        ({"kind": "missing_donation", "pattern": ""}, "could be donated"),
        ({"kind": "missing_donation", "pattern": "donated in vain"}, "donated in vain"),
        ({"kind": "of_a_later_version", "pattern": ""}, "of a later version"),
    ],
)
def test_kinds_are_said_in_plain_words(changed: dict[str, object], said: str) -> None:
    assert words.kind_text(finding(**changed)) == said


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "20 blocks, 20 KiB"),
        ({"kind": "snapshot_growth"}, "20 arrays, 20 KiB"),
        ({"kind": "missing_donation", "blocks": 1}, "1 buffer, 20 KiB"),
        ({"kind": "recompilation", "blocks": 11, "bytes": 0}, "11 versions"),
        ({"blocks": 0}, "20 KiB"),
    ],
)
def test_what_is_held_is_counted_by_its_name(changed: dict[str, object], said: str) -> None:
    assert words.held_text(finding(**changed)) == said


def test_a_rate_has_its_bounds_where_they_differ() -> None:
    assert words.rate_text(finding()) == "1 KiB (1\u202f024 B) a step"
    assert words.rate_text(finding(rate_low_bytes=512, rate_high_bytes=2048)) == (
        "1 KiB (1\u202f024 B) a step, between 512 B and 2 KiB"
    )
    assert words.rate_text(finding(bytes_per_step=None)) == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "born in steps 100 to 119, 20 of 20"),
        ({"last_step": 100, "steps_with_survivors": 1}, "born in step 100"),
        ({"first_step": None, "last_step": None}, ""),
    ],
)
def test_the_steps_of_a_finding_are_named(changed: dict[str, object], said: str) -> None:
    assert words.span_text(finding(**changed), steps()) == said
