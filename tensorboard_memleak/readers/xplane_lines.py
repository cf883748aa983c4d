"""Lines: their own few fields, and where their events begin.

Only lengths are looked at here, two bytes an event; what events hold is decoded by `xplane_batch`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Int64
from tensorboard_memleak.readers.columns import Window
from tensorboard_memleak.readers.event_walk import EVENT_TAG, WORTH_LANES_BYTES, walk
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import LENGTH, VARINT, Malformed, read_field, signed
from tensorboard_memleak.readers.xplane_space import text_of

WINDOW_BYTES: Final = 1 << 21
_SMALL_BYTES: Final = 1 << 16

_ID, _NAME, _TIMESTAMP_NS, _EVENTS, _DISPLAY_NAME = 1, 2, 3, 4, 11


@dataclass(slots=True)
class Line:
    """A line's own fields, and the first and last moment of its events relative to its time.

    `number` is what its rows are known by. Fields may stand behind the events: they are whole when
    all of the line's `batches` have been taken.
    """

    number: int
    start: int
    end: int
    line_id: int = 0
    name: str = ""
    display_name: str = ""
    timestamp_ns: int = 0
    first_ps: int | None = None
    last_ps: int | None = None


def grouped(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Yield large lines alone and small neighbours together.

    A capture may have thousands of lines of a few events; decoding each on its own would cost far
    more than the events do.
    """
    group: list[Line] = []
    for line in lines:
        small = line.end - line.start < _SMALL_BYTES
        if group and not (small and line.end - group[0].start <= WINDOW_BYTES):
            yield group
            group = []
        if small:
            group.append(line)
        else:
            yield [line]
    if group:
        yield group


def find_events(view: Source, line: Line, window: Window) -> tuple[Int64, int]:
    """Return where events begin in the window, and how far it holds whole fields."""
    begins, position = np.zeros(0, np.int64), 0
    if window.size >= WORTH_LANES_BYTES:
        begins, position = walk(window)
        if len(begins) and window.size - position >= WORTH_LANES_BYTES:
            return begins, position  # stopped early: lanes go on from there in the next window
    tags, position = walk_events(view, line, window, position)
    return np.concatenate((begins, np.array(tags, np.int64))), position


def walk_events(view: Source, line: Line, window: Window, position: int) -> tuple[list[int], int]:
    """Walk event by event, over the line's own fields too, as far as the window holds the line."""
    data, whole = window.data, line.end <= window.offset + window.size
    size = line.end - window.offset if whole else window.size
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
        if whole:
            raise Malformed("an event leaves its line", window.offset + position)
    return tags, position


def read_own_fields(view: Source, line: Line) -> int:
    """Fill a line's own fields up to its first event; return where that stands."""
    position = line.start
    while position < line.end and view[position] != EVENT_TAG:
        position = _read_own_field(view, line, position)
    return position


def _read_own_field(view: Source, line: Line, position: int) -> int:
    item = read_field(view, position, line.end)
    if item.number in (_ID, _TIMESTAMP_NS) and item.kind == VARINT:
        if item.number == _ID:
            line.line_id = signed(item.value)
        else:
            line.timestamp_ns = signed(item.value)
    elif item.number in (_NAME, _DISPLAY_NAME) and item.kind == LENGTH:
        text = text_of(bytes(view[item.start : item.end]))
        if item.number == _NAME:
            line.name = text
        else:
            line.display_name = text
    elif item.number == _EVENTS:
        raise Malformed("an event's tag is not written as protobuf writes it", position)
    return item.end
