"""Steps from the annotations that number them.

Each iteration counts once, whatever marks it: a mark inside another mark is part of the outer one,
marks of one name and number that overlap on several threads are one step, and where threads loop
independently the one with most marks is followed. Numbers may repeat or decrease; time orders.

A mark around others may also be an epoch around the steps. Marks around are taken for epochs where
they are too few to judge by, and hold many each or were not all that there were: marks like those
inside stand alone where the window cuts an epoch in two. As steps those around are followed, and
their parts that stand alone are left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64, Spans

FEW: Final = 3
"""Fewer outer marks than this are epochs around the steps rather than the steps themselves."""
FEW_TO_JUDGE: Final = 6
"""Fewer outer marks than this are so if each holds many: as steps they would tell nothing."""
MANY: Final = 4
"""More marks than this inside one are many: a step has up to so many parts as a rule."""


def from_marks(marks: Spans) -> Steps | None:
    """Return the steps that numbered annotations mark, `None` without any."""
    rows = np.flatnonzero(marks.number != UNKNOWN)
    if not len(rows):
        return None
    nesting = _Nesting.of(marks, rows)
    while len(nesting.around) and nesting.is_of_epochs():
        nesting = _Nesting.of(marks, nesting.below())
    steps = _once(marks, np.concatenate([nesting.around, nesting.apart]))
    return Steps(marks.start_ps[steps], _ends(marks, steps), marks.number[steps], "markers")


@dataclass(frozen=True, slots=True)
class _Nesting:
    """Marks by where they lie: around others, inside them, or neither.

    Of the last, those of a name that also lies inside are `cut`: what was around them began before
    the window or ended after it. The others are `apart`. `held` counts the marks inside each of
    `around`.
    """

    around: Int64
    inside: Int64
    cut: Int64
    apart: Int64
    held: Int64

    @staticmethod
    def of(marks: Spans, rows: Int64) -> _Nesting:
        """Tell apart the rows that begin inside others of their thread, and those around them."""
        inner = _inside(marks, rows)
        inside, outer = rows[inner], rows[~inner]
        held = _held(marks, outer, inside)
        also_inside = np.isin(marks.name[outer], marks.name[inside])
        cut, around = also_inside & (held == 0), held > 0
        return _Nesting(outer[around], inside, outer[cut], outer[~around & ~cut], held[around])

    def is_of_epochs(self) -> bool:
        """Tell whether the marks around others are epochs rather than steps."""
        if len(self.around) + len(self.apart) < FEW:
            return len(self.inside) + len(self.cut) > len(self.around)
        if len(self.around) >= FEW_TO_JUDGE:
            return len(self.cut) > 2 * int(self.held.max())  # a window cuts no more than two
        return len(self.cut) > 0 or int(self.held.min()) > MANY

    def below(self) -> Int64:
        """Return all rows but those around others."""
        return np.sort(np.concatenate([self.inside, self.cut, self.apart]))


def _held(spans: Spans, outer: Int64, inside: Int64) -> Int64:
    """Return how many of `inside` begin in each of `outer`, which do not overlap on a thread."""
    order = np.lexsort((spans.start_ps[outer], spans.thread[outer]))
    both = np.concatenate([outer[order], inside])
    is_inner = np.arange(len(both)) >= len(outer)
    sequence = np.lexsort((is_inner, spans.start_ps[both], spans.thread[both]))
    place = np.cumsum(~is_inner[sequence]) - 1
    held = np.zeros(len(outer), np.int64)
    held[order] = np.bincount(place[is_inner[sequence]], minlength=len(outer))
    return held


def _inside(spans: Spans, rows: Int64) -> Bool:
    """Return which of `rows` begin inside an earlier one of the same thread."""
    if not len(rows):
        return np.zeros(0, np.bool_)
    order = np.lexsort((-spans.end_ps[rows], spans.start_ps[rows], spans.thread[rows]))
    thread = spans.thread[rows][order]
    times = np.concatenate([spans.start_ps[rows][order], spans.end_ps[rows][order]])
    # Ranks order as times do; being small they can be lifted thread by thread above everything
    # before, so that one running maximum serves all threads.
    distinct, rank = np.unique(times, return_inverse=True)
    lift = np.unique(thread, return_inverse=True)[1] * len(distinct)
    start, end = rank[: len(rows)] + lift, rank[len(rows) :] + lift
    inside = np.zeros(len(rows), np.bool_)
    inside[order[1:]] = start[1:] < np.maximum.accumulate(end)[:-1]
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
