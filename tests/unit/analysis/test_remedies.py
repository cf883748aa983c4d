"""What a verdict that is open asks for: only what the capture lacks."""

from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.verdict import remedy_of
from tests.unit.analysis.steady import KIB, busy, diagnosed


def test_few_marked_occasions_ask_for_so_many_steps() -> None:
    window = busy(12)
    for step in range(0, 12, 5):
        window.block("Relu", 64 * KIB, born=step + 0.3)
    diagnosis = diagnosed(window)
    assert diagnosis.verdict == "inconclusive"
    assert diagnosis.reason.endswith(
        "3 such steps are too few to be sure. A capture of 30 steps can tell."
    )


def test_few_marked_steps_ask_for_ten() -> None:
    window = busy(3)
    window.block("Relu", KIB, born=1.3)
    assert diagnosed(window).reason.endswith(
        "the capture holds only 3 steps. A capture of 10 steps can tell."
    )


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        ("Relu may leak; x. A capture of 30 steps can tell.", "A capture of 30 steps can tell."),
        ("Relu may leak; x. A longer capture can tell.", "A longer capture can tell."),
        ("Relu leaks 1 KiB every step.", ""),
    ],
)
def test_the_remedy_of_a_reason_is_found_again(reason: str, remedy: str) -> None:
    assert remedy_of(reason) == remedy
