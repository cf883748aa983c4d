"""Lines: their own few fields, and their events in batches of columns.

The lengths of events are walked in a loop that touches two bytes an event; everything else about
events is done in columns, a window of a few megabytes at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Bool, Int64
from tensorboard_memleak.readers.columns import (
    Fields,
    Window,
    read_fields,
    read_varints,
    release,
)
from tensorboard_memleak.readers.event_walk import EVENT_TAG, WORTH_LANES_BYTES, walk
from tensorboard_memleak.readers.wire import LENGTH, Malformed, Truncated, read_field, signed
from tensorboard_memleak.readers.xplane_space import text_of

WINDOW_BYTES: Final = 1 << 21

FARTHEST_PS: Final = 1 << 61
"""About 27 days: nothing real is farther from its line, nor a line from the start of the capture.
Within it sums of such times cannot overflow."""

_ID, _NAME, _TIMESTAMP_NS, _DISPLAY_NAME = 1, 2, 3, 11

_METADATA_ID: Final = 1 << 3
_OFFSET_PS: Final = 2 << 3
_DURATION_PS: Final = 3 << 3
_STATS: Final = 4 << 3 | LENGTH
_NUM_OCCURRENCES: Final = 5 << 3


@dataclass(slots=True)
class Line:
    """A line's own fields, and the first and last moment of its events relative to its time.

    Fields may stand behind the events: they are whole when all `batches` have been taken.
    """

    start: int
    end: int
    line_id: int = 0
    name: str = ""
    display_name: str = ""
    timestamp_ns: int = 0
    first_ps: int | None = None
    last_ps: int | None = None


@dataclass(slots=True)
class Batch:
    """Some events of one line in file order; `stat_*` list their stats, `stat_of` whose each is.

    Times count from the line's own. `timed` is false for aggregates, which count occurrences and
    have no time.
    """

    window: Window
    metadata_id: Int64
    offset_ps: Int64
    end_ps: Int64
    timed: Bool
    stat_of: Int64
    stat_start: Int64
    stat_end: Int64

    def __len__(self) -> int:
        return len(self.metadata_id)


def read_line_fields(view: memoryview, line: Line) -> None:
    """Fill a line's own fields as far as they stand before its first event."""
    _read_own_fields(view, line, line.start)


def batches(view: memoryview, line: Line, window_bytes: int = WINDOW_BYTES) -> Iterator[Batch]:
    """Yield a line's events, about `window_bytes` of them at a time."""
    position, size = _read_own_fields(view, line, line.start), window_bytes
    while position < line.end:
        window = Window(view, position, min(position + size, line.end))
        begins, after = _find_events(view, line, window)
        if after == 0:  # not even one field fits: an event larger than the window
            size *= 4
            continue
        position, size = position + after, window_bytes
        if len(begins):
            batch = _decode(window, begins)
            _widen(line, batch)
            yield batch
        release(view, window.offset, position)


def _widen(line: Line, batch: Batch) -> None:
    if batch.timed.any():
        first = int(batch.offset_ps[batch.timed].min())
        last = int(batch.end_ps[batch.timed].max())
        line.first_ps = first if line.first_ps is None else min(line.first_ps, first)
        line.last_ps = last if line.last_ps is None else max(line.last_ps, last)


def _find_events(view: memoryview, line: Line, window: Window) -> tuple[Int64, int]:
    """Return where events begin in the window, and how far it holds whole fields."""
    begins, position = np.zeros(0, np.int64), 0
    if window.size >= WORTH_LANES_BYTES:
        begins, position = walk(window)
        if len(begins) and window.size - position >= WORTH_LANES_BYTES:
            return begins, position  # stopped early: lanes go on from there in the next window
    tags, position = _walk_on(view, line, window, position)
    return np.concatenate((begins, np.array(tags, np.int64))), position


def _walk_on(view: memoryview, line: Line, window: Window, position: int) -> tuple[list[int], int]:
    """Walk event by event, over a line's own fields too."""
    data, size = window.data, window.size
    tags: list[int] = []
    append = tags.append
    while position < size:
        if data[position] != EVENT_TAG:
            position = _read_own_field(view, line, window.offset + position) - window.offset
            if position > size:
                return tags, position
            continue
        append(position)
        length = data[position + 1]
        if length < 0x80:
            position += 2 + length
        elif data[position + 2] < 0x80:
            position += 3 + (length & 0x7F | data[position + 2] << 7)
        else:
            position = read_field(view, window.offset + position, line.end).end - window.offset
    if tags and position > size:  # the last event goes on behind the window
        position = tags.pop()
        if window.offset + size == line.end:
            raise Truncated("an event leaves its line", window.offset + position)
    return tags, position


def _read_own_fields(view: memoryview, line: Line, position: int) -> int:
    while position < line.end and view[position] != EVENT_TAG:
        position = _read_own_field(view, line, position)
    return position


def _read_own_field(view: memoryview, line: Line, position: int) -> int:
    item = read_field(view, position, line.end)
    if item.number == _ID:
        line.line_id = signed(item.value)
    elif item.number == _TIMESTAMP_NS:
        line.timestamp_ns = signed(item.value)
    elif item.number == _NAME:
        line.name = text_of(bytes(view[item.start : item.end]))
    elif item.number == _DISPLAY_NAME:
        line.display_name = text_of(bytes(view[item.start : item.end]))
    return item.end


def _decode(window: Window, begins: Int64) -> Batch:
    length, start = read_varints(window, begins + 1)
    metadata_id, offset_ps, duration_ps = np.zeros((3, len(begins)), np.int64)
    timed = np.ones(len(begins), np.bool_)
    stats: list[Fields] = []
    for fields in read_fields(window, start, start + length.astype(np.int64)):
        _place(fields, _METADATA_ID, metadata_id)
        _place(fields, _DURATION_PS, duration_ps)
        timed[_place(fields, _OFFSET_PS, offset_ps)] = True
        timed[fields.of[fields.tag == _NUM_OCCURRENCES]] = False
        stats.append(fields.where(fields.tag == _STATS))
    if (offset_ps > FARTHEST_PS).any() or (offset_ps < -FARTHEST_PS).any():
        raise Malformed("an event lies months away from its line", window.offset + int(begins[0]))
    # A duration that is negative or overflows is no duration.
    end_ps = np.maximum(offset_ps + duration_ps, offset_ps)
    of, at, end = (
        np.concatenate(columns) if stats else np.zeros(0, np.int64)
        for columns in zip(*((part.of, part.start, part.end) for part in stats), strict=True)
    )
    return Batch(window, metadata_id, offset_ps, end_ps, timed, of, at, end)


def _place(fields: Fields, tag: int, column: Int64) -> Int64:
    """Put the values of one field into its column; return which messages had it."""
    chosen = fields.tag == tag
    if chosen.all():
        column[fields.of] = fields.value.view(np.int64)
        return fields.of
    of: Int64 = fields.of[chosen]
    column[of] = fields.value[chosen].view(np.int64)
    return of
