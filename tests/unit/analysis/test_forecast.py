from __future__ import annotations

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.findings import Diagnosis
from tests.window_builder import BASELINE_BYTES, CAPACITY_BYTES, STEP_PS, Window

KIB = 1024


def diagnosed(window: Window) -> Diagnosis:
    (memory,) = diagnose(window.trace()).memories
    return memory.diagnosis


def leaking(sizes: list[int], peak: int) -> Window:
    """Each step keeps a block, and has a temporary that makes its peak."""
    window = Window(steps=len(sizes))
    for step, size in enumerate(sizes):
        window.block("Relu", size, born=step + 0.1)
        window.block("Temp", peak, born=step + 0.2, freed=step + 0.3)
    return window


def test_room_is_what_the_peaks_of_the_last_steps_left() -> None:
    diagnosis = diagnosed(leaking([KIB] * 20, peak=64 * KIB))
    room = CAPACITY_BYTES - BASELINE_BYTES - 20 * KIB - 64 * KIB
    assert diagnosis.forecast is not None
    assert (diagnosis.forecast.room_bytes, diagnosis.forecast.bytes_per_step) == (room, KIB)
    assert diagnosis.forecast.steps == diagnosis.totals.steps_to_oom == room // KIB
    assert diagnosis.forecast.steps_low == diagnosis.forecast.steps_high == room // KIB


def test_time_is_steps_of_median_length() -> None:
    forecast = diagnosed(leaking([KIB] * 20, peak=KIB)).forecast
    assert forecast is not None
    assert forecast.time_ns == forecast.steps * STEP_PS // 1000


def test_the_range_comes_from_the_range_of_the_rate() -> None:
    sizes = [KIB * (1 + step // 5 % 2) for step in range(40)]
    forecast = diagnosed(leaking(sizes, peak=KIB)).forecast
    assert forecast is not None
    assert forecast.steps_high is not None
    assert forecast.steps_low < forecast.steps_high
    assert forecast.steps_low <= forecast.steps <= forecast.steps_high


def test_a_suspicion_is_not_forecast() -> None:
    window = Window(steps=12)
    for step in range(12):
        window.block("Mul", KIB, born=step + 0.2, freed=step + 0.3)
    for step in (0, 5, 10):
        window.block("Relu", KIB, born=step + 0.1)
    diagnosis = diagnosed(window)
    assert (diagnosis.verdict, diagnosis.forecast) == ("inconclusive", None)
    assert diagnosis.totals.steps_to_oom is None


def test_nothing_is_forecast_where_nothing_grows() -> None:
    window = Window(steps=5)
    for step in range(5):
        window.block("Mul", KIB, born=step + 0.2, freed=step + 0.3)
    assert diagnosed(window).forecast is None


def test_what_is_replaced_by_a_larger_one_may_live_twice() -> None:
    """Each step's block is 1 KiB larger than the one before, which goes once it is there."""
    window = Window(steps=20)
    for step in range(20):
        freed = step + 1.2 if step < 19 else None
        window.block("Concat", KIB * (step + 1), born=step + 0.1, freed=freed)
    diagnosis = diagnosed(window)
    (finding,) = diagnosis.findings
    assert (finding.pattern, finding.bytes_per_step) == ("by size", KIB)
    assert (finding.rate_low, finding.rate_high) == (KIB, KIB)
    assert diagnosis.forecast is not None
    room = CAPACITY_BYTES - BASELINE_BYTES - (19 + 20) * KIB
    assert diagnosis.forecast.room_bytes == room
    assert (diagnosis.forecast.steps_low, diagnosis.forecast.steps) == (
        room // (2 * KIB),
        room // KIB,
    )
