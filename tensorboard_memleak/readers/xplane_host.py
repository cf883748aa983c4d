"""Lines of host events: memory events with their stacks, step marks and module runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from tensorboard_memleak.model.telling import Told, to_nobody
from tensorboard_memleak.model.trace import Bool, EventKind, Int32, UInt8
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.stacks import Disorder, LineStacks, StackTree
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.xplane_batch import batches
from tensorboard_memleak.readers.xplane_events import Events
from tensorboard_memleak.readers.xplane_lines import WINDOW_BYTES, Line, grouped
from tensorboard_memleak.readers.xplane_marks import add_marks
from tensorboard_memleak.readers.xplane_memory import KIND_OF_NAME, MEMORY_STATS, MemoryRows
from tensorboard_memleak.readers.xplane_runs import RunRows
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_stats import shared_stats
from tensorboard_memleak.readers.xplane_tables import Tables

_ASYNC_STAT: Final = ("_a",)
_MOST_AT_ONCE_BYTES: Final = 1 << 26
"""A line that is out of order must be seen at once for its stacks. Profilers sort what they save,
so none writes one; a larger one is read without stacks, lest it cost all memory."""

StacksOf = Callable[[Events, UInt8], Int32]
"""Finds the stack node of each event, given their kinds; only allocations have one."""


class HostRows:
    """What host lines hold for us."""

    def __init__(self, strings: Strings) -> None:
        self.memory = MemoryRows(strings)
        self.marks = SpanRows()
        self.runs = RunRows(strings)
        self.untimed_memory_events = 0
        self.lines_without_stacks = 0

    def extend(self, rows: HostRows) -> None:
        """Take over the rows of one line."""
        self.memory.extend(rows.memory)
        self.marks.extend(rows.marks)
        self.runs.extend(rows.runs)
        self.untimed_memory_events += rows.untimed_memory_events
        self.lines_without_stacks += rows.lines_without_stacks


class HostPlane:
    """Reads lines of one plane chunk.

    `told` hears after each batch where in the capture it ends; a line that has to be read a second
    time is told of from its start again.
    """

    def __init__(
        self, tables: Tables, tree: StackTree, strings: Strings, told: Told = to_nobody
    ) -> None:
        self._told = told
        self._tables = tables
        self._tree = tree
        self._strings = strings
        self._kind = np.array([KIND_OF_NAME.get(name, 0) for name in tables.event_names], np.uint8)
        self._shared = {row: shared_stats(tables, row) for row in tables.event_stats}

    def read(self, view: Source, lines: Iterable[Line]) -> HostRows:
        """Read lines to their ends."""
        rows = HostRows(self._strings)
        for group in grouped(lines):
            rows.extend(self._read_group(view, group))
        return rows

    def _read_group(self, view: Source, group: list[Line]) -> HostRows:
        try:
            return self._read(view, group, WINDOW_BYTES, self._stacks_of(group))
        except Disorder:  # of one large line
            whole = group[0].end - group[0].start
        if whole <= _MOST_AT_ONCE_BYTES:
            return self._read(view, group, whole, self._stacks_of(group))
        rows = self._read(view, group, WINDOW_BYTES, lambda events, kind: _no_stacks(kind))
        rows.lines_without_stacks += 1
        return rows

    def _read(
        self, view: Source, group: list[Line], window_bytes: int, stacks_of: StacksOf
    ) -> HostRows:
        rows = HostRows(self._strings)
        for batch in batches(view, group, window_bytes):
            events = Events(batch, self._tables, self._shared)
            self._add_memory(rows, events, stacks_of)
            add_marks(rows.marks, events)
            rows.runs.add(events)
            self._told(batch.window.offset + batch.window.size)
        return rows

    def _stacks_of(self, group: list[Line]) -> StacksOf:
        """Return how to find the stacks of each batch of a group.

        Batches of one line carry its open spans from one to the next; a batch of several lines has
        each of them whole.
        """
        if len(group) == 1:
            stacks = LineStacks(self._tree, self._tables.event_texts)
            return lambda events, kind: _stacks(
                events, kind, can_enclose(events), stacks, slice(None)
            )
        return self._stacks_of_whole_lines

    def _stacks_of_whole_lines(self, events: Events, kind: UInt8) -> Int32:
        nodes, encloses = _no_stacks(kind), can_enclose(events)
        for part in _lines_with_births(events.batch.line, kind):
            fresh = LineStacks(self._tree, self._tables.event_texts)
            nodes[part] = _stacks(events, kind, encloses, fresh, part)
        return nodes

    def _add_memory(self, rows: HostRows, events: Events, stacks_of: StacksOf) -> None:
        kind = self._kind[events.row]
        rows.untimed_memory_events += int(np.count_nonzero(kind[~events.batch.timed]))
        kind[~events.batch.timed] = 0
        nodes = stacks_of(events, kind)
        memory = np.flatnonzero(kind)
        if len(memory):
            batch = events.batch
            stats = events.stats(memory, MEMORY_STATS)
            line, at_ps = batch.line[memory], batch.offset_ps[memory]
            rows.memory.add(line, at_ps, kind[memory], nodes[memory], stats)


def _no_stacks(kind: UInt8) -> Int32:
    return np.zeros(len(kind), np.int32)


def _lines_with_births(line: Int32, kind: UInt8) -> list[slice]:
    """Return where the lines of a batch that have allocations lie in it."""
    numbers = np.unique(line[kind == EventKind.ALLOCATION])
    first, last = np.searchsorted(line, numbers), np.searchsorted(line, numbers, "right")
    return [slice(a, b) for a, b in zip(first.tolist(), last.tolist(), strict=True)]


def _stacks(events: Events, kind: UInt8, encloses: Bool, stacks: LineStacks, part: slice) -> Int32:
    """Return the stack of each event in a part of a batch; only those of allocations are sought."""
    batch = events.batch
    start, end, row = batch.offset_ps[part], batch.end_ps[part], events.row[part]
    spans = np.flatnonzero(encloses[part])
    births = np.flatnonzero(kind[part] == EventKind.ALLOCATION)
    nodes = _no_stacks(kind[part])
    nodes[births] = stacks.feed(start[spans], end[spans], row[spans], start[births])
    return nodes


def can_enclose(events: Events) -> Bool:
    """Mark the spans that can enclose others.

    Asynchronous ones cannot: they merely share a line with what runs on the thread.
    """
    batch = events.batch
    encloses: Bool = batch.timed & (batch.end_ps > batch.offset_ps)
    found = events.having(_ASYNC_STAT)
    if len(found):
        (value,) = events.integers(found, _ASYNC_STAT)
        encloses[found[value > 0]] = False
    return encloses
