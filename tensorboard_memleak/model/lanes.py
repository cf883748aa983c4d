"""Spans laid side by side in lanes, thinned where they are too short to be seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import Bool, Int32, Int64


@dataclass(frozen=True, slots=True)
class LaneSpans:
    """Named spans; all columns have the same length, times are in picoseconds.

    `lane` numbers what is drawn in one row, `number` is a step or program (`UNKNOWN` if not told),
    `count` says how many spans a row stands for: where it is more than one, the row reaches from
    the first to the last of them, and name and number are those of the longest.
    """

    name: Int32
    start_ps: Int64
    end_ps: Int64
    number: Int64
    count: Int64
    lane: Int32

    def __len__(self) -> int:
        return len(self.start_ps)

    def take(self, rows: Int64 | Bool) -> LaneSpans:
        """Return some rows."""
        return LaneSpans(
            self.name[rows],
            self.start_ps[rows],
            self.end_ps[rows],
            self.number[rows],
            self.count[rows],
            self.lane[rows],
        )

    def ordered(self) -> LaneSpans:
        """Return the rows lane by lane in order of start, an enclosing span before its parts."""
        return self.take(np.lexsort((-self.end_ps, self.start_ps, self.lane)))

    def merged(self, cell_ps: int) -> LaneSpans:
        """Return ordered rows; neighbours of a lane that lie in one cell of time become one.

        Only what is shorter than a cell is merged, with what begins in the same cell right beside
        it, so that a row is never wider than two cells for spans that are shorter than one.
        """
        rows = self.ordered()
        if not len(rows):
            return rows
        short = rows.end_ps - rows.start_ps < cell_ps
        cell = rows.start_ps // cell_ps
        first = np.ones(len(rows), np.bool_)
        together = short[1:] & short[:-1] & _same(rows.lane) & _same(cell)
        first[1:] = ~together
        begin = np.flatnonzero(first)
        group = np.cumsum(first) - 1
        by_length = np.lexsort((rows.start_ps - rows.end_ps, group))
        longest = by_length[begin]  # groups are contiguous, and stay so in this order
        return LaneSpans(
            rows.name[longest],
            rows.start_ps[begin],
            np.maximum.reduceat(rows.end_ps, begin),
            rows.number[longest],
            np.add.reduceat(rows.count, begin),
            rows.lane[begin],
        )


def joined(parts: list[LaneSpans]) -> LaneSpans:
    """Return the rows of all parts, one part behind another."""
    none32, none64 = np.zeros(0, np.int32), np.zeros(0, np.int64)
    parts = [*parts, LaneSpans(none32, none64, none64, none64, none64, none32)]
    return LaneSpans(
        np.concatenate([part.name for part in parts]),
        np.concatenate([part.start_ps for part in parts]),
        np.concatenate([part.end_ps for part in parts]),
        np.concatenate([part.number for part in parts]),
        np.concatenate([part.count for part in parts]),
        np.concatenate([part.lane for part in parts]),
    )


def _same(column: NDArray[np.int32] | NDArray[np.int64]) -> Bool:
    return np.asarray(column[1:] == column[:-1])


@dataclass(frozen=True, slots=True)
class ThreadEvents:
    """What ran on threads: the outermost trace events and those right inside of them.

    Times are those of the trace. `spans.lane` is `LEVELS` times a row of the trace's threads, plus
    the level (0: outermost); `spans.name` is an index of `names`. What is shorter than `finest_ps`
    may be merged with its neighbours (1: all are exact).
    """

    spans: LaneSpans
    names: tuple[str, ...]
    finest_ps: int
