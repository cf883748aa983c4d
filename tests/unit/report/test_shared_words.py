"""The words that the terminal shares with the page: both are held to one table of cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from tensorboard_memleak.analysis import wording
from tensorboard_memleak.model.findings import Severity
from tensorboard_memleak.report.beside import found_beside, headline, leading
from tensorboard_memleak.report.comparison_text import OUTCOMES
from tensorboard_memleak.report.style import severity_mark
from tensorboard_memleak.report.types import ModulePayload
from tensorboard_memleak.report.words import KINDS, held_text
from tests.unit.report.example import finding, host

GOLDEN = Path(__file__).parents[3] / "frontend" / "test" / "golden" / "words.json"
CASES: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
MARKS = {"circle": "●", "diamond": "◆", "square": "■"}


@pytest.mark.parametrize(("value", "said"), CASES["counts"])
def test_counts(value: int, said: str) -> None:
    assert wording.grouped(value) == said


@pytest.mark.parametrize(("value", "said"), CASES["about_counts"])
def test_counts_said_with_about(value: float, said: str) -> None:
    assert wording.grouped(wording.about(value)) == said


@pytest.mark.parametrize(("value", "said"), CASES["bytes"])
def test_bytes(value: int, said: str) -> None:
    assert wording.bytes_text(value) == said


@pytest.mark.parametrize(("value", "said"), CASES["durations_ns"])
def test_durations(value: float, said: str) -> None:
    assert wording.duration_text(value) == said


@pytest.mark.parametrize(("value", "said"), CASES["moments_ns"])
def test_moments(value: float, said: str) -> None:
    assert wording.moment_text(value) == said


@pytest.mark.parametrize(("value", "said"), CASES["shares"])
def test_shares(value: float, said: str) -> None:
    assert wording.percent_text(value) == said


@pytest.mark.parametrize(("severity", "mark"), CASES["marks"])
def test_marks(severity: Severity, mark: str) -> None:
    assert severity_mark(severity) == MARKS[mark]


def test_kinds() -> None:
    assert CASES["kinds"] == KINDS


def test_outcomes() -> None:
    assert CASES["outcomes"] == {key: words for key, (_, words) in OUTCOMES.items()}


@pytest.mark.parametrize(("kind", "said"), CASES["counted"].items())
def test_what_a_finding_counts(kind: str, said: list[str]) -> None:
    counts = (1, 30)
    assert [held_text(finding(kind=kind, blocks=n, bytes=0)) for n in counts] == said


@pytest.mark.parametrize("case", CASES["beside"])
def test_order_and_headline_of_what_was_found_beside_events(case: dict[str, Any]) -> None:
    modules: list[ModulePayload] = [
        {"name": "m", "program_id": 1, "peak_bytes": 0, "findings": [finding(**one)]}
        for one in case["modules"]
    ]
    snapshots = [{"findings": [finding(**one) for one in case["snapshots"]]}]
    one = host(modules=modules, snapshots=snapshots)
    assert [beside.finding["title"] for beside in found_beside(one)] == case["order"]
    first = leading(one)
    assert (headline(first) if first else None) == cast("str | None", case["headline"])
