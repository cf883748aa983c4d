"""A batch of events with the meaning of its ids: which stats which events have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Int32, Int64
from tensorboard_memleak.readers.xplane_batch import Batch
from tensorboard_memleak.readers.xplane_stats import (
    Stats,
    StatTable,
    as_integers,
    as_texts,
    for_events,
)
from tensorboard_memleak.readers.xplane_tables import Tables


class Events:
    """Events of one batch; `shared` are the stats that metadata give to all events of a row."""

    def __init__(self, batch: Batch, tables: Tables, shared: Mapping[int, list[Stats]]) -> None:
        self.batch = batch
        self.tables = tables
        self.row: Int32 = tables.event_ids.rows(batch.metadata_id)
        self._shared = shared
        self._stats = StatTable(batch.window, tables, batch.stat_start, batch.stat_end)

    def having(self, names: Collection[str]) -> Int64:
        """Return the timed events that have a stat of one of these names."""
        having = np.zeros(len(self.batch), np.bool_)
        wanted = self.tables.stats_named(names)
        if wanted.any():
            having[self.batch.stat_of[wanted[self._stats.row]]] = True
        for row, shared in self._shared.items():
            if any(stats.name in names for stats in shared):
                having |= self.row == row
        return np.flatnonzero(having & self.batch.timed)

    def named(self, test: Callable[[str], bool]) -> Int64:
        """Return the timed events whose name passes a test."""
        return np.flatnonzero(self.tables.events_named(test)[self.row] & self.batch.timed)

    def stats(self, events: Int64, names: Collection[str]) -> Iterator[Stats]:
        """Yield stats of `events` name by name, shared ones first; `of` counts within `events`."""
        for row, shared in self._shared.items():
            for stats in shared:
                if stats.name in names:
                    yield for_events(stats, np.flatnonzero(self.row[events] == row))
        position = np.full(len(self.batch), UNKNOWN, np.int64)
        position[events] = np.arange(len(events))
        of = position[self.batch.stat_of]
        own = np.flatnonzero((of >= 0) & self.tables.stats_named(names)[self._stats.row])
        for row, chosen in _by_row(self._stats.row, own):
            yield self._stats.values(row, chosen, of[chosen])

    def integers(self, events: Int64, names: Sequence[str]) -> list[Int64]:
        """Return one column of numbers a name, `UNKNOWN` where an event lacks it."""
        columns = [np.full(len(events), UNKNOWN, np.int64) for _ in names]
        for stats in self.stats(events, names):
            columns[names.index(stats.name)][stats.of] = as_integers(stats)
        return columns

    def texts(self, events: Int64, name: str, intern: Callable[[str], int]) -> Int32:
        """Return the text of one stat as string indices, 0 where an event lacks it."""
        column = np.zeros(len(events), np.int32)
        for stats in self.stats(events, (name,)):
            column[stats.of] = as_texts(stats, intern)
        return column


def _by_row(rows: Int32, chosen: Int64) -> Iterator[tuple[int, Int64]]:
    """Yield the chosen stats row by row, those of one row in their order."""
    if not len(chosen):
        return
    row = rows[chosen]
    small = row.max() < 1 << 16  # 16-bit numbers are sorted by radix, many times faster
    order = np.argsort(row.astype(np.uint16) if small else row, kind="stable")
    for part in np.split(chosen[order], np.flatnonzero(np.diff(row[order])) + 1):
        yield int(rows[part[0]]), part
