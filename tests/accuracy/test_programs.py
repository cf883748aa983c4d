"""What the captures hold of programs and snapshots is judged right."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.accuracy import programs, third_party
from tests.captures import truth, unpack
from tests.shared_data import needs_shared_data

TRUTH = truth()
ABOUT_PROGRAMS = ("donation", "recompiled", "snapshot_growth")


def tells(entry: dict[str, Any]) -> bool:
    return any(key in entry for key in ABOUT_PROGRAMS)


@pytest.mark.parametrize("name", [name for name in TRUTH if tells(TRUTH[name])])
def test_bundled_programs_are_judged_right(name: str) -> None:
    assert programs.faults(programs.report(unpack(name)), TRUTH[name]) == []


@needs_shared_data
@pytest.mark.parametrize(
    ("session", "expected"),
    [
        pytest.param(xplane.parent, expected, id=name)
        for name, xplane, expected in third_party.recorded()
        if tells(dict(expected))
    ],
)
def test_programs_kept_outside_are_judged_right(session: Path, expected: dict[str, Any]) -> None:
    assert programs.faults(programs.report(session), expected) == []


def test_the_fix_takes_the_finding_away() -> None:
    kinds = {
        name: [
            finding["kind"]
            for host in programs.report(unpack(name))["sessions"][0]["hosts"]
            for module in host["modules"]
            for finding in module["findings"]
        ]
        for name in ("jax_donation", "jax_donation_fixed", "jax_shapes", "jax_shapes_fixed")
    }
    assert "missing_donation" in kinds["jax_donation"]
    assert "missing_donation" not in kinds["jax_donation_fixed"]
    assert "recompilation" in kinds["jax_shapes"]
    assert "recompilation" not in kinds["jax_shapes_fixed"]
