"""Steps from the annotations that number them.

Each iteration counts once, whatever marks it: a mark inside another mark is part of the outer one,
marks of one name and number that overlap on several threads are one step, and where threads loop
independently the one with most marks is followed. Numbers may repeat or decrease; time orders.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64, Spans

FEW: Final = 3
"""Fewer outer marks than this are epochs around the steps rather than the steps themselves."""


def from_marks(marks: Spans) -> Steps | None:
    """Return the steps that numbered annotations mark, `None` without any."""
    rows = np.flatnonzero(marks.number != UNKNOWN)
    if not len(rows):
        return None
    inner = _inside(marks, rows)
    steps = _once(marks, rows[~inner])
    while len(steps) < FEW and inner.any():
        rows = rows[inner]
        inner = _inside(marks, rows)
        deeper = _once(marks, rows[~inner])
        steps = deeper if len(deeper) > len(steps) else steps
    return Steps(marks.start_ps[steps], _ends(marks, steps), marks.number[steps], "markers")


def _inside(spans: Spans, rows: Int64) -> Bool:
    """Return which of `rows` begin inside an earlier one of the same thread."""
    if not len(rows):
        return np.zeros(0, np.bool_)
    order = np.lexsort((-spans.end_ps[rows], spans.start_ps[rows], spans.thread[rows]))
    start, end, thread = (
        column[rows][order] for column in (spans.start_ps, spans.end_ps, spans.thread)
    )
    # One running maximum serves all threads: each is lifted above everything before it.
    lift = np.unique(thread, return_inverse=True)[1] * (int(end.max()) - int(start.min()) + 1)
    reach = np.maximum.accumulate(end + lift)
    inside = np.zeros(len(rows), np.bool_)
    inside[order[1:]] = (start + lift)[1:] < reach[:-1]
    return inside


def _once(spans: Spans, rows: Int64) -> Int64:
    """Return one row an iteration, in time order, none overlapping the one before."""
    rows = rows[np.lexsort((spans.start_ps[rows], spans.number[rows], spans.name[rows]))]
    if not len(rows):
        return rows
    start, end = spans.start_ps[rows], spans.end_ps[rows]
    same = (spans.number[rows][1:] == spans.number[rows][:-1]) & (
        spans.name[rows][1:] == spans.name[rows][:-1]
    )
    first = np.append(True, ~(same & (start[1:] < end[:-1])))
    rows = rows[first]
    rows = rows[np.argsort(spans.start_ps[rows], kind="stable")]
    reach = np.maximum.accumulate(spans.end_ps[rows])
    if np.any(spans.start_ps[rows][1:] < reach[:-1]):
        threads, counts = np.unique(spans.thread[rows], return_counts=True)
        rows = rows[spans.thread[rows] == threads[np.argmax(counts)]]
        rows = rows[~_inside(spans, rows)]
    return rows


def _ends(spans: Spans, rows: Int64) -> Int64:
    """Return where each step ends: its own mark's end, at most where the next begins."""
    end: Int64 = spans.end_ps[rows].copy()
    end[:-1] = np.minimum(end[:-1], spans.start_ps[rows][1:])
    return end
