"""A batch of events with the meaning of its ids: which stats which events have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int32, Int64
from tensorboard_memleak.readers.xplane_lines import Batch
from tensorboard_memleak.readers.xplane_stats import (
    Stats,
    as_integers,
    as_texts,
    for_events,
    peek_rows,
    read_stats,
)
from tensorboard_memleak.readers.xplane_tables import Tables


class Events:
    """Events of one batch; `shared` are the stats that metadata give to all events of a row."""

    def __init__(self, batch: Batch, tables: Tables, shared: Mapping[int, Stats]) -> None:
        self.batch = batch
        self.tables = tables
        self.row: Int32 = tables.event_ids.rows(batch.metadata_id)
        self._shared = shared
        self._stat_row = peek_rows(batch.window, tables, batch.stat_start, batch.stat_end)

    def having(self, wanted: Bool) -> Int64:
        """Return the timed events that have a stat whose metadata row is marked in `wanted`."""
        having = np.zeros(len(self.batch), np.bool_)
        having[self.batch.stat_of[wanted[self._stat_row]]] = True
        for row, stats in self._shared.items():
            if wanted[stats.row].any():
                having |= self.row == row
        return np.flatnonzero(having & self.batch.timed)

    def named(self, test: Callable[[str], bool]) -> Int64:
        """Return the timed events whose name passes a test."""
        return np.flatnonzero(self.tables.events_named(test)[self.row] & self.batch.timed)

    def stats(self, events: Int64, wanted: Bool) -> list[Stats]:
        """Return the wanted stats of `events`, shared ones first; `of` counts within `events`."""
        position = np.full(len(self.batch), UNKNOWN, np.int64)
        position[events] = np.arange(len(events))
        parts = [
            for_events(stats, position[(self.row == row) & (position >= 0)])
            for row, stats in self._shared.items()
        ]
        of = position[self.batch.stat_of]
        own = np.flatnonzero((of >= 0) & wanted[self._stat_row])
        start, end = self.batch.stat_start[own], self.batch.stat_end[own]
        parts = [part.where(wanted[part.row]) for part in parts]
        return [*parts, read_stats(self.batch.window, self.tables, of[own], start, end)]

    def integers(self, events: Int64, names: Sequence[str]) -> list[Int64]:
        """Return one column of numbers a name, `UNKNOWN` where an event lacks it."""
        columns = [np.full(len(events), UNKNOWN, np.int64) for _ in names]
        for part in self.stats(events, self.tables.stats_named(names)):
            for row in np.unique(part.row).tolist():
                chosen = part.where(part.row == row)
                column = columns[names.index(self.tables.stat_names[row])]
                column[chosen.of] = as_integers(chosen)
        return columns

    def texts(self, events: Int64, names: tuple[str], intern: Callable[[str], int]) -> Int32:
        """Return the text of one stat as string indices, 0 where an event lacks it."""
        column = np.zeros(len(events), np.int32)
        for part in self.stats(events, self.tables.stats_named(names)):
            column[part.of] = as_texts(part, intern)
        return column
