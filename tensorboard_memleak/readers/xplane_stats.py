"""XStats in columns: every type of value that the format has, as numbers or as text."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Float64, Int32, Int64, UInt8, UInt64
from tensorboard_memleak.readers.columns import Fields, Window, read_fields, read_varints
from tensorboard_memleak.readers.xplane_space import text_of
from tensorboard_memleak.readers.xplane_tables import Tables

_METADATA_ID: Final = 1 << 3
_DOUBLE: Final = 2 << 3 | 1
_UINT64: Final = 3 << 3
_INT64: Final = 4 << 3
_STRING: Final = 5 << 3 | 2
_BYTES: Final = 6 << 3 | 2
_REFERENCE: Final = 7 << 3
_COMPRESSED: Final = 8 << 3 | 2

_IS_TEXT: Final = np.zeros(256, np.bool_)
_IS_TEXT[[_STRING, _BYTES, _REFERENCE, _COMPRESSED]] = True
_IS_VALUE: Final = _IS_TEXT.copy()
_IS_VALUE[[_DOUBLE, _UINT64, _INT64]] = True

_INTEGER: Final = re.compile("-?[0-9]{1,19}")
_MAX_TEXT_BYTES: Final = 1 << 20
"""A compressed string may not unfold into more than this: names are short, bombs are not."""


@dataclass(slots=True)
class Stats:
    """Stats of one name: `of` says whose, `tag` and `bits` or `start:end` hold the value.

    A tag of 0 is a stat without a value, which protobuf reads as the number 0.
    """

    name: str
    window: Window
    tables: Tables
    of: Int64
    tag: UInt8
    bits: UInt64
    start: Int64
    end: Int64

    def __len__(self) -> int:
        return len(self.of)


class StatTable:
    """Stats that lie in `start:end` of a window, known by the row of their metadata.

    Their values are decoded only when asked for, those of one row together.
    """

    def __init__(self, window: Window, tables: Tables, start: Int64, end: Int64) -> None:
        self._window = window
        self._tables = tables
        self._start = start
        self._end = end
        self._value_at = start
        if ((start < end) & (window.raw[start] == _METADATA_ID)).all():
            metadata_id, self._value_at = read_varints(window, start + 1)
        else:  # an id of 0 is left out, or fields stand in another order than serializers write
            metadata_id = _read_all(window, start, end)[0]
        self.row = tables.stat_ids.rows(metadata_id.view(np.int64))

    def values(self, row: int, chosen: Int64, of: Int64) -> Stats:
        """Decode the stats `chosen`, all of one metadata row, for the events `of`."""
        start, end = self._value_at[chosen], self._end[chosen]
        fields = next(read_fields(self._window, start, end), None)
        if fields is not None and len(fields.of) == len(chosen) and _is_whole(fields, end):
            tag, bits, start, end = fields.tag, fields.value, fields.start, fields.end
        else:
            _, tag, bits, start, end = _read_all(self._window, self._start[chosen], end)
        name = self._tables.stat_names[row]
        return Stats(name, self._window, self._tables, of, tag, bits, start, end)


def _is_whole(fields: Fields, end: Int64) -> bool:
    return bool(_IS_VALUE[fields.tag].all() and (fields.end == end).all())


def _read_all(
    window: Window, start: Int64, end: Int64
) -> tuple[UInt64, UInt8, UInt64, Int64, Int64]:
    """Read stats of any form: their metadata ids, and tags, bits and extents of their values."""
    metadata_id, bits = np.zeros((2, len(start)), np.uint64)
    value_start, value_end = np.zeros((2, len(start)), np.int64)
    tag = np.zeros(len(start), np.uint8)
    for fields in read_fields(window, start, end):
        name = fields.where(fields.tag == _METADATA_ID)
        metadata_id[name.of] = name.value
        value = fields.where(_IS_VALUE[fields.tag])
        tag[value.of], bits[value.of] = value.tag, value.value
        value_start[value.of], value_end[value.of] = value.start, value.end
    return metadata_id, tag, bits, value_start, value_end


def shared_stats(tables: Tables, row: int) -> list[Stats]:
    """Decode the stats that the metadata in `row` gives to all its events, each for event 0."""
    parts = tables.event_stats[row]
    end = np.cumsum([len(part) for part in parts])
    window = Window(memoryview(b"".join(parts)), 0, int(end[-1]))
    table = StatTable(window, tables, end - np.array([len(part) for part in parts]), end)
    zero = np.zeros(1, np.int64)
    return [table.values(row, zero + index, zero) for index, row in enumerate(table.row.tolist())]


def for_events(stats: Stats, events: Int64) -> Stats:
    """Give a stat of metadata to each of `events`."""
    same = np.zeros(len(events), np.int64)
    return Stats(
        stats.name,
        stats.window,
        stats.tables,
        events,
        stats.tag[same],
        stats.bits[same],
        stats.start[same],
        stats.end[same],
    )


def as_integers(stats: Stats) -> Int64:
    """Return values as int64: numbers of any type and text that is a number, else `UNKNOWN`."""
    values: Int64 = stats.bits.view(np.int64).copy()
    doubles = stats.tag == _DOUBLE
    if doubles.any():
        number = stats.bits[doubles].view(np.float64)
        whole = np.isfinite(number) & (np.abs(number) < 2.0**63)
        values[doubles] = np.where(whole, number, UNKNOWN).astype(np.int64)
    _fill_from_text(stats, values, _integer)
    return values


def as_floats(stats: Stats) -> Float64:
    """Return values as float64: numbers of any type and text that is a number, else NaN."""
    values: Float64 = stats.bits.view(np.float64).copy()
    signed = stats.tag == _INT64
    values[signed] = stats.bits[signed].view(np.int64)
    unsigned = (stats.tag == _UINT64) | (stats.tag == 0)
    values[unsigned] = stats.bits[unsigned]
    _fill_from_text(stats, values, _float)
    return values


def _fill_from_text(
    stats: Stats, values: Int64 | Float64, number_of: Callable[[str], float]
) -> None:
    for index in np.flatnonzero(_IS_TEXT[stats.tag]).tolist():
        values[index] = number_of(_text_at(stats, index))


def _integer(text: str) -> int:
    if not _INTEGER.fullmatch(text):
        return UNKNOWN
    number = int(text)
    return number if -(2**63) <= number < 2**63 else UNKNOWN


def _float(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def as_texts(stats: Stats, intern: Callable[[str], int]) -> Int32:
    """Return string indices of values.

    A name that looks like a number was stored as one by the producer and comes back as its text.
    """
    texts = np.zeros(len(stats), np.int32)
    for tag in np.flatnonzero(np.bincount(stats.tag)).tolist():
        chosen = np.flatnonzero(stats.tag == tag)
        if tag == _REFERENCE:
            texts[chosen] = _reference_texts(stats, chosen, intern)
        elif tag in (_STRING, _BYTES, _COMPRESSED):
            texts[chosen] = [intern(_text_at(stats, index)) for index in chosen.tolist()]
        elif tag:
            distinct, where = np.unique(stats.bits[chosen], return_inverse=True)
            shown = [intern(text) for text in _number_texts(tag, distinct)]
            texts[chosen] = np.array(shown, np.int32)[where]
    return texts


def _number_texts(tag: int, bits: UInt64) -> Iterable[str]:
    as_type = {_DOUBLE: np.float64, _INT64: np.int64}.get(tag, np.uint64)
    return (str(value) for value in bits.view(as_type).tolist())


def _reference_texts(stats: Stats, chosen: Int64, intern: Callable[[str], int]) -> Int32:
    rows = stats.tables.stat_ids.rows(stats.bits[chosen].view(np.int64))
    names = stats.tables.stat_names
    texts = np.zeros(len(names), np.int32)
    for row in np.flatnonzero(np.bincount(rows)).tolist():
        texts[row] = intern(names[row])
    return texts[rows]


def _text_at(stats: Stats, index: int) -> str:
    if stats.tag[index] == _REFERENCE:
        rows = stats.tables.stat_ids.rows(stats.bits[index : index + 1].view(np.int64))
        return stats.tables.stat_names[int(rows[0])]
    raw = stats.window.data[int(stats.start[index]) : int(stats.end[index])]
    return _unfold(raw) if stats.tag[index] == _COMPRESSED else text_of(raw)


def _unfold(raw: bytes) -> str:
    """Decompress a gzip'd (or zlib) string, or return "" where it is damaged."""
    try:
        return text_of(zlib.decompressobj(47).decompress(raw, _MAX_TEXT_BYTES))
    except zlib.error:
        return ""
