"""Which module a thread was running at a moment."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.program import NO_ROW
from tensorboard_memleak.model.trace import Int32, Int64, Spans

_DEEPEST = 4
"""Runs on one thread do not nest in practice; so many steps outwards are taken all the same."""


def runs_at(runs: Spans, thread: Int32, time_ps: Int64) -> Int64:
    """Return the innermost run that covers each moment on its thread, `NO_ROW` if none does."""
    found = np.full(len(time_ps), NO_ROW, np.int64)
    for one in np.unique(thread).tolist():
        rows = np.flatnonzero(runs.thread == one)
        asked = np.flatnonzero(thread == one)
        if not len(rows):
            continue
        rows = rows[np.argsort(runs.start_ps[rows], kind="stable")]
        place = np.searchsorted(runs.start_ps[rows], time_ps[asked], side="right") - 1
        for _ in range(_DEEPEST):
            candidate = rows[np.maximum(place, 0)]
            covers = (place >= 0) & (runs.end_ps[candidate] >= time_ps[asked])
            new = covers & (found[asked] == NO_ROW)
            found[asked[new]] = candidate[new]
            place = place - 1
    return found
