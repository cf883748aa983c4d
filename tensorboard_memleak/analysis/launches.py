"""Steps from what is launched again and again: compiled programs, functions, sessions.

The launches of the busiest thread are followed; other devices and threads run in step with it. A
training loop launches the same few programs each time, so an iteration begins where the launch
recurs that recurs as most do. Where an iteration launches many programs (ops that run one by one)
it may as well be a layer of a model, and counts as a mere pattern.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.recurrence import recurring
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.trace import UNKNOWN, Spans

MOST_A_STEP: Final = 4
"""With more launches a step than this, what recurs need not be the step."""


def from_launches(runs: Spans, end_ps: int) -> Steps | None:
    """Return the iterations that launches show, `None` where none recurs."""
    if not len(runs):
        return None
    threads, counts = np.unique(runs.thread, return_counts=True)
    rows = np.flatnonzero(runs.thread == threads[np.argmax(counts)])
    rows = rows[np.argsort(runs.start_ps[rows], kind="stable")]
    first = rows[recurring(runs.name[rows].astype(np.int64))]
    if not len(first):
        return None
    start = runs.start_ps[first]
    end = np.append(start[1:], end_ps).astype(np.int64)
    source = "modules" if len(rows) <= MOST_A_STEP * len(first) else "pattern"
    return Steps(start, end, np.full(len(start), UNKNOWN, np.int64), source)
