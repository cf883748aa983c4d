"""Named intervals under construction: step marks and module runs."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64, Spans

_Part = tuple[Int32, Int64, Int64, Int32, Int64, Int32]


class SpanRows:
    """Rows of `Spans`, gathered line by line."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []

    def __len__(self) -> int:
        return sum(len(part[0]) for part in self._parts)

    def add(
        self,
        line: Int32,
        start: Int64,
        end: Int64,
        name: Int32,
        number: Int64,
        level: Int32 | None = None,
    ) -> None:
        """Add spans; `line` is the line of each."""
        if level is None:
            level = np.zeros(len(line), np.int32)
        self._parts.append((line, start, end, name, number, level))

    def extend(self, rows: SpanRows) -> None:
        """Take over other rows."""
        self._parts.extend(rows._parts)

    def placed(self, line_ps: Int64) -> SpanRows:
        """Return the rows in true time, given the time of every line."""
        rows = SpanRows()
        for line, start, end, name, number, level in self._parts:
            base = line_ps[line]
            rows.add(line, start + base, end + base, name, number, level)
        return rows

    def spans(self, line_thread: Int32) -> Spans:
        """Return rows in true time ordered by start, an enclosing span before its parts."""
        if not len(self):
            none64, none32 = np.zeros(0, np.int64), np.zeros(0, np.int32)
            return Spans(none32, none64, none64, none64, none32, none32)
        line, start, end, name, number, level = map(np.concatenate, zip(*self._parts, strict=True))
        order = np.lexsort((-end, start))
        return Spans(
            name=name[order].astype(np.int32),
            start_ps=start[order],
            end_ps=end[order],
            number=number[order],
            level=level[order],
            thread=line_thread[line[order]],
        )
