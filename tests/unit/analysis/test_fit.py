from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.fit import Answer, Fit


@pytest.mark.parametrize(
    ("request_bytes", "answer"),
    [
        (128, "yes"),
        (129, "if_preallocated"),
        (600, "if_preallocated"),
        (601, "if_pool_grows"),
        (1000, "if_pool_grows"),
        (1001, "no"),
    ],
)
def test_only_what_is_seen_is_sure(request_bytes: int, answer: Answer) -> None:
    fit = Fit(0, 1000, 600, 128, below_block=-1, above_block=-1)

    assert fit.would_fit(request_bytes) == answer


def test_without_counters_only_a_seen_hole_is_known() -> None:
    fit = Fit(0, None, None, 128, below_block=-1, above_block=-1)

    assert (fit.would_fit(128), fit.would_fit(129)) == ("yes", "unknown")
