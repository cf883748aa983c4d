"""A plane chunk's metadata: what the ids of its events and stats mean."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

import numpy as np
from google.protobuf.message import DecodeError

from tensorboard_memleak.model.trace import Bool, Int32
from tensorboard_memleak.readers.proto import xplane_pb2
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_ids import IdTable
from tensorboard_memleak.readers.xplane_space import Extent, Plane, text_of

_NOT_INTERNED: Final = -1


def parse_head(view: Source, runs: list[Extent]) -> xplane_pb2.PlaneHead:
    """Parse runs of a plane's small fields through the generated code."""
    try:
        return xplane_pb2.PlaneHead.FromString(b"".join([view[a:b] for a, b in runs]))
    except DecodeError as error:
        raise Malformed("a plane's metadata cannot be decoded", runs[0][0]) from error


class Tables:
    """Names by row; an id's row comes from `stat_ids` and `event_ids`, the last row is "unknown".

    Texts are interned only when something refers to them: most names of a capture are never shown.
    """

    def __init__(self, view: Source, plane: Plane, strings: Strings) -> None:
        head = parse_head(view, plane.head + plane.event_metadata)
        self.plane_name = plane.name
        self._strings = strings
        self.stat_ids = IdTable(head.stat_metadata)
        self.event_ids = IdTable(head.event_metadata)
        stats = [text_of(head.stat_metadata[key].name) for key in self.stat_ids.keys.tolist()]
        events = [head.event_metadata[key] for key in self.event_ids.keys.tolist()]
        self.stat_names: list[str] = [*stats, ""]
        self.event_names: list[str] = [
            *(text_of(event.name or event.display_name) for event in events),
            "",
        ]
        self.event_stats: dict[int, tuple[bytes, ...]] = {
            row: tuple(stat.SerializeToString() for stat in event.stats)
            for row, event in enumerate(events)
            if event.stats
        }
        """Stats that stand in an event's metadata and so apply to all its events, by row."""
        self._event_texts: Int32 = np.full(len(self.event_names), _NOT_INTERNED, np.int32)
        self._named: dict[Collection[str], Bool] = {}
        self._tested: dict[Callable[[str], bool], Bool] = {}

    def stats_named(self, names: Collection[str]) -> Bool:
        """Mark the stat metadata rows that have one of these names (kept: asked every batch)."""
        mask = self._named.get(names)
        if mask is None:
            mask = np.array([name in names for name in self.stat_names], np.bool_)
            self._named[names] = mask
        return mask

    def events_named(self, test: Callable[[str], bool]) -> Bool:
        """Mark the event metadata rows whose name passes a test (kept: asked every batch)."""
        mask = self._tested.get(test)
        if mask is None:
            mask = np.array([test(name) for name in self.event_names], np.bool_)
            self._tested[test] = mask
        return mask

    def event_texts(self, rows: Int32) -> Int32:
        """Return the string index of the name of each event metadata row."""
        texts: Int32 = self._event_texts[rows]
        missing = texts == _NOT_INTERNED
        if missing.any():
            for row in np.unique(rows[missing]).tolist():
                self._event_texts[row] = self._strings.intern(self.event_names[row])
            texts = self._event_texts[rows]
        return texts
