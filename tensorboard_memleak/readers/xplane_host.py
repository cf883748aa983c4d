"""Lines of host events: memory events with their stacks, and step marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Bool, EventKind, Int32, Int64, UInt8
from tensorboard_memleak.readers.stacks import Disorder, LineStacks, StackTree
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.xplane_lines import WINDOW_BYTES, Batch, Line, batches
from tensorboard_memleak.readers.xplane_memory import KIND_OF_NAME, MemoryRows
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_stats import (
    Stats,
    as_integers,
    for_events,
    peek_rows,
    read_stats,
    shared_stats,
)
from tensorboard_memleak.readers.xplane_tables import Tables

_LEVEL, _NUMBER = "_r", "step_num"
"""The stats that make an event a step mark: a root of XProf's grouping, and the step's number."""


@dataclass(slots=True)
class HostRows:
    """What host lines hold for us."""

    memory: MemoryRows
    marks: SpanRows
    aggregates: int = 0

    @classmethod
    def empty(cls, strings: Strings) -> HostRows:
        """Return rows for one more line."""
        return cls(MemoryRows(strings), SpanRows())

    def extend(self, rows: HostRows) -> None:
        """Take over the rows of one line."""
        self.memory.extend(rows.memory)
        self.marks.extend(rows.marks)
        self.aggregates += rows.aggregates


class HostPlane:
    """Reads lines of one plane chunk."""

    def __init__(self, tables: Tables, tree: StackTree, strings: Strings) -> None:
        self._tables = tables
        self._tree = tree
        self._strings = strings
        self._kind = np.array([KIND_OF_NAME.get(name, 0) for name in tables.event_names], np.uint8)
        self._marks = np.array([name in (_LEVEL, _NUMBER) for name in tables.stat_names], np.bool_)
        self._shared = {row: shared_stats(tables, row) for row in tables.event_stats}

    def read(self, view: memoryview, line: Line, number: int) -> HostRows:
        """Read one line; `number` is what its rows will be known by."""
        try:
            return self._read(view, line, number, WINDOW_BYTES)
        except Disorder:
            return self._read(view, line, number, line.end - line.start)

    def _read(self, view: memoryview, line: Line, number: int, window_bytes: int) -> HostRows:
        rows = HostRows.empty(self._strings)
        stacks = LineStacks(self._tree, self._tables.event_texts)
        for batch in batches(view, line, window_bytes):
            event_row = self._tables.event_ids.rows(batch.metadata_id)
            kind = self._kind[event_row]
            rows.aggregates += int(np.count_nonzero(kind[~batch.timed]))
            kind[~batch.timed] = 0
            nodes = self._stacks(stacks, batch, event_row, kind)
            self._add_memory(rows.memory, number, batch, event_row, kind, nodes)
            self._add_marks(rows.marks, number, batch, event_row)
        return rows

    def _stacks(self, stacks: LineStacks, batch: Batch, event_row: Int32, kind: UInt8) -> Int32:
        """Return the stack of each event; only those of allocations are sought."""
        spans = np.flatnonzero(batch.timed & (batch.duration_ps > 0))
        births = np.flatnonzero(kind == EventKind.ALLOCATION)
        start = batch.offset_ps[spans]
        nodes = np.zeros(len(batch), np.int32)
        nodes[births] = stacks.feed(
            start, start + batch.duration_ps[spans], event_row[spans], batch.offset_ps[births]
        )
        return nodes

    def _add_memory(
        self,
        rows: MemoryRows,
        number: int,
        batch: Batch,
        event_row: Int32,
        kind: UInt8,
        nodes: Int32,
    ) -> None:
        events = np.flatnonzero(kind)
        if len(events):
            stats = self._stats(batch, event_row, events, None)
            rows.add(number, batch.offset_ps[events], kind[events], nodes[events], stats)

    def _add_marks(self, rows: SpanRows, number: int, batch: Batch, event_row: Int32) -> None:
        stat_row = peek_rows(batch.window, self._tables, batch.stat_start, batch.stat_end)
        own = batch.stat_of[self._marks[stat_row]]
        shared = [row for row, stats in self._shared.items() if self._marks[stats.row].any()]
        inherited = np.flatnonzero(np.isin(event_row, shared)) if shared else own[:0]
        events = np.union1d(own, inherited)
        events = events[batch.timed[events]]
        if not len(events):
            return
        step, level = np.full(len(events), UNKNOWN, np.int64), np.zeros(len(events), np.int64)
        for part in self._stats(batch, event_row, events, self._marks):
            for row in np.unique(part.row).tolist():
                chosen = part.where(part.row == row)
                column = level if self._tables.stat_names[row] == _LEVEL else step
                column[chosen.of] = as_integers(chosen)
        start = batch.offset_ps[events]
        end = start + batch.duration_ps[events]
        name = self._tables.event_texts(event_row[events])
        rows.add(number, name, start, end, step, level.astype(np.int32))

    def _stats(
        self, batch: Batch, event_row: Int32, events: Int64, wanted: Bool | None
    ) -> list[Stats]:
        """Return the stats of `events` (`of` counts within them): shared ones first, then own."""
        parts = []
        for row in np.unique(event_row[events]).tolist():
            if row in self._shared:
                its = np.flatnonzero(event_row[events] == row)
                parts.append(for_events(self._shared[row], its))
        position = np.full(len(batch), -1, np.int64)
        position[events] = np.arange(len(events))
        of = position[batch.stat_of]
        own = of >= 0
        start, end = batch.stat_start[own], batch.stat_end[own]
        parts.append(read_stats(batch.window, self._tables, of[own], start, end))
        return [part.where(wanted[part.row]) for part in parts] if wanted is not None else parts
