"""The bars on simulated histories; `make accuracy` runs three times as many."""

from __future__ import annotations

from tests.accuracy import simulated


def test_simulated_histories_meet_the_bars() -> None:
    runs = simulated.run(histories=1000)
    assert runs.histories == 5500
    assert simulated.missed_bars(runs) == []
