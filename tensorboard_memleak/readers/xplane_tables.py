"""A plane chunk's metadata: what the ids of its events and stats mean."""

from __future__ import annotations

from typing import Final

import numpy as np
from google.protobuf.message import DecodeError

from tensorboard_memleak.model.trace import Int32
from tensorboard_memleak.readers.proto import xplane_pb2
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_ids import IdTable
from tensorboard_memleak.readers.xplane_space import Extent, Plane, text_of

NOT_INTERNED: Final = -1


def parse_head(view: memoryview, runs: list[Extent]) -> xplane_pb2.PlaneHead:
    """Parse runs of a plane's small fields through the generated code."""
    try:
        return xplane_pb2.PlaneHead.FromString(b"".join([view[a:b] for a, b in runs]))
    except DecodeError as error:
        raise Malformed("a plane's metadata cannot be decoded", runs[0][0]) from error


class Tables:
    """Names by row; an id's row comes from `stat_ids` and `event_ids`, the last row is "unknown".

    Texts are interned only when something refers to them: most names of a capture are never shown.
    """

    def __init__(self, view: memoryview, plane: Plane, strings: Strings) -> None:
        head = parse_head(view, plane.head + plane.event_metadata)
        self.plane_name = plane.name
        self._strings = strings
        self.stat_ids = IdTable(head.stat_metadata)
        self.event_ids = IdTable(head.event_metadata)
        stats = [text_of(head.stat_metadata[key].name) for key in self.stat_ids.keys.tolist()]
        events = [head.event_metadata[key] for key in self.event_ids.keys.tolist()]
        self.stat_names: list[str] = [*stats, ""]
        self.event_names: list[str] = [*(text_of(event.name) for event in events), ""]
        self.event_stats: dict[int, tuple[bytes, ...]] = {
            row: tuple(stat.SerializeToString() for stat in event.stats)
            for row, event in enumerate(events)
            if event.stats
        }
        """Stats that stand in an event's metadata and so apply to all its events, by row."""
        self._stat_texts: Int32 = np.full(len(self.stat_names), NOT_INTERNED, np.int32)
        self._event_texts: Int32 = np.full(len(self.event_names), NOT_INTERNED, np.int32)

    def stat_texts(self, rows: Int32) -> Int32:
        """Return the string index of the name of each stat metadata row (a reference's text)."""
        return self._texts(self._stat_texts, self.stat_names, rows)

    def event_texts(self, rows: Int32) -> Int32:
        """Return the string index of the name of each event metadata row."""
        return self._texts(self._event_texts, self.event_names, rows)

    def _texts(self, known: Int32, names: list[str], rows: Int32) -> Int32:
        texts = known[rows]
        missing = texts == NOT_INTERNED
        if missing.any():
            for row in np.unique(rows[missing]).tolist():
                known[row] = self._strings.intern(names[row])
            texts = known[rows]
        return texts
