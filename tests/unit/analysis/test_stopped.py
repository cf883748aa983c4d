"""What grew for a part of the window and has stopped."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.analysis.steady import KIB, busy, diagnosed


@pytest.mark.parametrize("last", [14, 15, 16])
def test_what_fills_up_and_stops_late_in_the_window_is_no_leak(last: int) -> None:
    window = busy(20)
    for step in range(20):
        window.block("Relu", KIB, born=step + 0.3, freed=None if step < last else step + 0.5)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, [one.kind for one in diagnosis.findings]) == ("no_leak", ["bounded"])


def test_entries_that_are_all_replaced_once_each_came_up_are_no_leak() -> None:
    window = busy(20)
    for step in range(20):
        window.block("Relu", KIB, born=step + 0.3, freed=step + 15.3 if step < 5 else None)
    assert diagnosed(window).verdict == "no_leak"


@pytest.mark.parametrize("filled", [25, 27, 34])
def test_a_cache_that_evicts_at_random_once_it_is_full_does_not_leak(filled: int) -> None:
    window = busy(40)
    rng = np.random.default_rng(1)
    freed: dict[int, float] = {}
    held: list[int] = []
    for step in range(40):
        if step >= filled:  # room for more than one at times
            for _ in range(int(rng.integers(0, 3))):
                freed[held.pop(int(rng.integers(0, len(held))))] = step + 0.2
        held.append(step)
    for step in range(40):
        window.block("Relu", KIB, born=step + 0.3, freed=freed.get(step))
    assert diagnosed(window).verdict != "leak"


@pytest.mark.parametrize("grown", [10, 14])
def test_a_block_that_has_its_full_size_does_not_leak(grown: int) -> None:
    window = busy(24)
    for step in range(24):
        size = 16 * KIB * min(1 + step, grown)
        window.block("Relu", size, born=step + 0.3, freed=step + 1.35 if step < 23 else None)
    diagnosis = diagnosed(window)
    assert diagnosis.verdict == "no_leak"
    assert "growth" not in [one.kind for one in diagnosis.findings]
