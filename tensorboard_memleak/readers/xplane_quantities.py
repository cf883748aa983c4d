"""Stats as the quantities that they stand for; what cannot be one is not told.

Allocators without a limit report the largest number there is as what is available, and damage can
leave any number behind. Neither may reach sums, charts or JSON.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Float64, Int64
from tensorboard_memleak.readers.xplane_stats import Stats, as_floats, as_integers

MOST_BYTES: Final = 1 << 48
"""256 TiB: no memory holds more. JSON carries it exactly, and sums of thousands fit an int64."""


def as_bytes(stats: Stats) -> Int64:
    """Return byte counts, `UNKNOWN` where a number is negative or larger than any memory."""
    count = as_integers(stats)
    return np.where((count >= 0) & (count <= MOST_BYTES), count, UNKNOWN)


def as_shares(stats: Stats) -> Float64:
    """Return shares from 0 to 1, NaN where a number is none."""
    share = as_floats(stats)
    return np.where((share >= 0) & (share <= 1), share, np.nan)
