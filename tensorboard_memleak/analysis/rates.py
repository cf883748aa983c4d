"""Robust rates: what a step costs, and between which bounds.

Medians throughout, so that one odd step (an evaluation, a checkpoint) does not move a rate. Blind
spot: a rate that itself changes over the window is told by its range only.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from tensorboard_memleak.model.trace import Float64, Int64

CHUNKS: Final = 8
_PAIRS_FROM: Final = 400
"""A median of all pairs' slopes is quadratic; longer series are thinned evenly to this many."""


class Rate(NamedTuple):
    """Bytes a step with bounds, rounded outwards."""

    per_step: int
    low: int
    high: int


def rate_of_occasions(kept_bytes: Int64, occasions: Int64) -> Rate:
    """Return the median occasion over the mean distance between occasions.

    Zero steps between occasions count, so that 100 bytes every fifth step are 20 bytes a step.
    The bounds are the quartiles of the rates of up to eight equal parts of the occasions' span.
    """
    first, last = int(occasions[0]), int(occasions[-1])
    distance = max((last - first) / max(len(occasions) - 1, 1), 1.0)
    middle = float(np.median(kept_bytes[occasions])) / distance
    parts = min(CHUNKS, len(occasions) // 2)
    if parts < 2:
        return Rate(round(middle), int(middle), int(np.ceil(middle)))
    edges = np.linspace(0, len(occasions) - 1, parts + 1).astype(np.int64)
    sums = np.add.reduceat(kept_bytes[occasions], edges[:-1])
    sums[-1] -= kept_bytes[occasions[-1]]
    low, high = np.quantile(sums / np.diff(occasions[edges]), [0.25, 0.75])
    return Rate(round(middle), int(min(low, middle)), int(np.ceil(max(high, middle))))


def theil_sen(x: Int64, y: Float64) -> tuple[float, float, float]:
    """Return the median of the slopes between all pairs of points, and their quartiles."""
    if len(x) > _PAIRS_FROM:
        chosen = np.linspace(0, len(x) - 1, _PAIRS_FROM).astype(np.int64)
        x, y = x[chosen], y[chosen]
    i, j = np.triu_indices(len(x), 1)
    low, middle, high = np.quantile((y[j] - y[i]) / (x[j] - x[i]), [0.25, 0.5, 0.75])
    return float(middle), float(low), float(high)
