"""Lines of host events: memory events with their stacks, step marks and module runs."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.trace import EventKind, Int32, UInt8
from tensorboard_memleak.readers.stacks import Disorder, LineStacks, StackTree
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.xplane_events import Events
from tensorboard_memleak.readers.xplane_lines import WINDOW_BYTES, Line, batches
from tensorboard_memleak.readers.xplane_marks import add_marks
from tensorboard_memleak.readers.xplane_memory import KIND_OF_NAME, MEMORY_STATS, MemoryRows
from tensorboard_memleak.readers.xplane_runs import RunRows
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_stats import shared_stats
from tensorboard_memleak.readers.xplane_tables import Tables


class HostRows:
    """What host lines hold for us."""

    def __init__(self, strings: Strings) -> None:
        self.memory = MemoryRows(strings)
        self.marks = SpanRows()
        self.runs = RunRows(strings)
        self.untimed_memory_events = 0

    def extend(self, rows: HostRows) -> None:
        """Take over the rows of one line."""
        self.memory.extend(rows.memory)
        self.marks.extend(rows.marks)
        self.runs.extend(rows.runs)
        self.untimed_memory_events += rows.untimed_memory_events


class HostPlane:
    """Reads lines of one plane chunk."""

    def __init__(self, tables: Tables, tree: StackTree, strings: Strings) -> None:
        self._tables = tables
        self._tree = tree
        self._strings = strings
        self._kind = np.array([KIND_OF_NAME.get(name, 0) for name in tables.event_names], np.uint8)
        self._shared = {row: shared_stats(tables, row) for row in tables.event_stats}

    def read(self, view: memoryview, line: Line, number: int) -> HostRows:
        """Read one line; `number` is what its rows will be known by."""
        try:
            return self._read(view, line, number, WINDOW_BYTES)
        except Disorder:
            return self._read(view, line, number, line.end - line.start)

    def _read(self, view: memoryview, line: Line, number: int, window_bytes: int) -> HostRows:
        rows = HostRows(self._strings)
        stacks = LineStacks(self._tree, self._tables.event_texts)
        for batch in batches(view, line, window_bytes):
            events = Events(batch, self._tables, self._shared)
            self._add_memory(rows, number, events, stacks)
            add_marks(rows.marks, number, events)
            rows.runs.add(number, events)
        return rows

    def _add_memory(self, rows: HostRows, line: int, events: Events, stacks: LineStacks) -> None:
        kind = self._kind[events.row]
        rows.untimed_memory_events += int(np.count_nonzero(kind[~events.batch.timed]))
        kind[~events.batch.timed] = 0
        nodes = self._stacks(events, kind, stacks)
        memory = np.flatnonzero(kind)
        if len(memory):
            stats = events.stats(memory, MEMORY_STATS)
            at_ps = events.batch.offset_ps[memory]
            rows.memory.add(line, at_ps, kind[memory], nodes[memory], stats)

    def _stacks(self, events: Events, kind: UInt8, stacks: LineStacks) -> Int32:
        """Return the stack of each event; only those of allocations are sought."""
        batch = events.batch
        spans = np.flatnonzero(batch.timed & (batch.end_ps > batch.offset_ps))
        births = np.flatnonzero(kind == EventKind.ALLOCATION)
        nodes = np.zeros(len(batch), np.int32)
        nodes[births] = stacks.feed(
            batch.offset_ps[spans], batch.end_ps[spans], events.row[spans], batch.offset_ps[births]
        )
        return nodes
