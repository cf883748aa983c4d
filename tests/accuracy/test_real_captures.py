"""Each labelled real capture is judged right; the whole table is `make accuracy`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.accuracy import judge, third_party
from tests.captures import truth, unpack
from tests.shared_data import needs_shared_data

TRUTH = truth()


@pytest.mark.parametrize("name", TRUTH)
def test_bundled_capture_is_judged_right(name: str) -> None:
    answer = judge.ask(unpack(name) / "host0.xplane.pb")
    assert judge.faults(answer, TRUTH[name]) == []


def test_every_leak_has_a_clean_twin() -> None:
    for name, entry in TRUTH.items():
        assert TRUTH[entry["twin"]]["twin"] == name
    leaks = [entry for entry in TRUTH.values() if "leak" in entry["accept"]]
    assert len(leaks) >= 30
    assert all("leak" not in TRUTH[entry["twin"]]["accept"] for entry in leaks)


@needs_shared_data
@pytest.mark.parametrize(
    ("name", "xplane", "expected"),
    [pytest.param(*case, id=case[0]) for case in third_party.recorded()],
)
def test_capture_kept_outside_is_judged_right(
    name: str, xplane: Path, expected: dict[str, Any]
) -> None:
    assert judge.faults(judge.ask(xplane), expected) == []


@needs_shared_data
@pytest.mark.parametrize(
    ("name", "xplane", "expected"),
    [pytest.param(*case, id=case[0]) for case in third_party.captures()],
)
def test_third_party_capture_is_judged_right(
    name: str, xplane: Path, expected: dict[str, Any]
) -> None:
    assert judge.faults(judge.ask(xplane), expected) == []
