"""Step marks: trace events that say "this is step n"."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN
from tensorboard_memleak.readers.xplane_events import Events
from tensorboard_memleak.readers.xplane_spans import SpanRows

MARK_STATS: Final = ("_r", "step_num")
"""What `jax.profiler.StepTraceAnnotation` and `tf.profiler.experimental.Trace` write: the level of
a root of XProf's grouping, and the step's number. Either makes a mark."""


def add_marks(rows: SpanRows, events: Events) -> None:
    """Add the step marks among `events`."""
    marks = events.having(MARK_STATS)
    if not len(marks):
        return
    level, step = events.integers(marks, MARK_STATS)
    level[level == UNKNOWN] = 0
    rows.add(
        events.batch.line[marks],
        events.batch.offset_ps[marks],
        events.batch.end_ps[marks],
        events.tables.event_texts(events.row[marks]),
        step,
        np.clip(level, 0, 1 << 30).astype(np.int32),
    )
