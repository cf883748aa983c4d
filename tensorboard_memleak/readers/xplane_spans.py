"""Named intervals under construction: step marks and module runs."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64, Spans


class SpanRows:
    """Rows of `Spans`, gathered line by line."""

    def __init__(self) -> None:
        self._parts: list[tuple[Int32, Int64, Int64, Int64, Int32, Int32]] = []

    def __len__(self) -> int:
        return sum(len(part[0]) for part in self._parts)

    def add(
        self, line: int, name: Int32, start: Int64, end: Int64, number: Int64, level: Int32
    ) -> None:
        """Add spans of one line, with times relative to it."""
        self._parts.append((name, start, end, number, level, np.full(len(name), line, np.int32)))

    def extend(self, rows: SpanRows) -> None:
        """Take over the rows of one line."""
        self._parts.extend(rows._parts)

    def lines(self) -> frozenset[int]:
        """Return the lines that have spans."""
        return frozenset(line for part in self._parts for line in np.unique(part[-1]).tolist())

    def finish(self, line_ps: Int64, line_thread: Int32) -> Spans:
        """Return all spans in true time, ordered by start, an enclosing span before its parts."""
        if not self._parts:
            none64, none32 = np.zeros(0, np.int64), np.zeros(0, np.int32)
            return Spans(none32, none64, none64, none64, none32, none32)
        name, start, end, number, level, line = map(np.concatenate, zip(*self._parts, strict=True))
        start, end = start + line_ps[line], end + line_ps[line]
        order = np.lexsort((-end, start))
        return Spans(
            name[order],
            start[order],
            end[order],
            number[order],
            level[order],
            line_thread[line][order],
        )
