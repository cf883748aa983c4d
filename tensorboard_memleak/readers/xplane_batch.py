"""Events decoded in columns, a window of a few megabytes at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Bool, Int32, Int64
from tensorboard_memleak.readers.columns import (
    Fields,
    Window,
    read_fields,
    read_varints,
)
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import LENGTH, Malformed
from tensorboard_memleak.readers.xplane_lines import (
    WINDOW_BYTES,
    Line,
    find_events,
    read_own_fields,
    walk_events,
)

FARTHEST_PS: Final = 1 << 61
"""About 27 days: nothing real is farther from its line, nor a line from the start of the capture.
Within it sums of such times cannot overflow."""

_METADATA_ID: Final = 1 << 3
_OFFSET_PS: Final = 2 << 3
_DURATION_PS: Final = 3 << 3
_STATS: Final = 4 << 3 | LENGTH
_NUM_OCCURRENCES: Final = 5 << 3


@dataclass(slots=True)
class Batch:
    """Some events in file order: part of one line, or all of several; `line` says whose each is.

    `stat_*` list their stats, `stat_of` whose each is. Times count from the line's own. `timed` is
    false for aggregates, which count occurrences and have no time.
    """

    window: Window
    line: Int32
    metadata_id: Int64
    offset_ps: Int64
    end_ps: Int64
    timed: Bool
    stat_of: Int64
    stat_start: Int64
    stat_end: Int64

    def __len__(self) -> int:
        return len(self.metadata_id)


def batches(
    view: Source, group: Sequence[Line], window_bytes: int = WINDOW_BYTES
) -> Iterator[Batch]:
    """Yield a group's events: one line's about `window_bytes` at a time, several lines' at once."""
    if len(group) == 1:
        yield from _batches_of_one(view, group[0], window_bytes)
        return
    window = Window(view, group[0].start, group[-1].end)
    begins = [walk_events(view, line, window, line.start - window.offset)[0] for line in group]
    if any(begins):
        numbers = np.array([line.number for line in group], np.int32)
        batch = _decode(window, np.array(list(chain.from_iterable(begins)), np.int64))
        batch.line = np.repeat(numbers, [len(part) for part in begins])
        _widen([line for line, part in zip(group, begins, strict=True) if part], batch)
        yield batch


def _batches_of_one(view: Source, line: Line, window_bytes: int) -> Iterator[Batch]:
    position, size = read_own_fields(view, line), window_bytes
    while position < line.end:
        window = Window(view, position, min(position + size, line.end))
        begins, after = find_events(view, line, window)
        if after == 0:  # not even one field fits: an event larger than the window
            size *= 4
            continue
        position, size = position + after, window_bytes
        if len(begins):
            batch = _decode(window, begins)
            batch.line = np.full(len(batch), line.number, np.int32)
            _widen([line], batch)
            yield batch


def _widen(lines: list[Line], batch: Batch) -> None:
    """Widen the extent of each line to its timed events."""
    timed = np.flatnonzero(batch.timed)
    if not len(timed):
        return
    line = batch.line[timed]
    begin = np.flatnonzero(np.append(True, line[1:] != line[:-1]))
    first = np.minimum.reduceat(batch.offset_ps[timed], begin).tolist()
    last = np.maximum.reduceat(batch.end_ps[timed], begin).tolist()
    by_number = {one.number: one for one in lines}
    for number, first_ps, last_ps in zip(line[begin].tolist(), first, last, strict=True):
        one = by_number[number]
        one.first_ps = first_ps if one.first_ps is None else min(one.first_ps, first_ps)
        one.last_ps = last_ps if one.last_ps is None else max(one.last_ps, last_ps)


def _decode(window: Window, begins: Int64) -> Batch:
    length, start = read_varints(window, begins + 1)
    metadata_id, offset_ps, duration_ps = np.zeros((3, len(begins)), np.int64)
    columns = {_METADATA_ID: metadata_id, _OFFSET_PS: offset_ps, _DURATION_PS: duration_ps}
    timed = np.ones(len(begins), np.bool_)
    stats: list[Fields] = []
    for fields in read_fields(window, start, start + length.astype(np.int64)):
        for part in fields.by_tag():
            tag = part.tag[0]
            if tag == _STATS:
                stats.append(part)
            elif tag in columns:
                columns[tag][part.of] = part.value.view(np.int64)
            if tag in (_OFFSET_PS, _NUM_OCCURRENCES):
                timed[part.of] = tag == _OFFSET_PS
    if (offset_ps > FARTHEST_PS).any() or (offset_ps < -FARTHEST_PS).any():
        raise Malformed("an event lies months away from its line", window.offset + int(begins[0]))
    # A duration that is negative or of months is no duration.
    lasts = (duration_ps >= 0) & (duration_ps <= FARTHEST_PS)
    end_ps = offset_ps + np.where(lasts, duration_ps, 0)
    of, at, end = np.zeros((3, 0), np.int64)
    if stats:
        of, at, end = (
            np.concatenate(parts)
            for parts in zip(*((part.of, part.start, part.end) for part in stats), strict=True)
        )
    no_line = np.zeros(0, np.int32)
    return Batch(window, no_line, metadata_id, offset_ps, end_ps, timed, of, at, end)
