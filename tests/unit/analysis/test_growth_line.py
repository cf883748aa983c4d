from __future__ import annotations

from tensorboard_memleak.analysis.timeline import growth_line
from tests.histories import KEPT_BYTES, STEP_PS, leaking_capture
from tests.unit.analysis.analysed import analysed


def test_the_line_lies_on_the_trough_of_every_step() -> None:
    line = growth_line(analysed(leaking_capture(steps=12)))

    assert line is not None
    assert line.bytes_per_step == KEPT_BYTES
    # The lowest use of a step is just after its kept block was born, a microsecond into the step.
    assert line.time_ps.tolist() == [step * STEP_PS + 1_000_000 for step in range(12)]
    assert line.line_bytes.tolist() == [(step + 1) * KEPT_BYTES for step in range(12)]


def test_a_clean_memory_has_no_line() -> None:
    assert growth_line(analysed(leaking_capture(leaks=False))) is None


def test_a_long_run_has_points_enough_for_a_screen() -> None:
    line = growth_line(analysed(leaking_capture(steps=1000)))

    assert line is not None
    assert len(line.time_ps) == 400
    assert line.line_bytes[[0, -1]].tolist() == [KEPT_BYTES, 1000 * KEPT_BYTES]
