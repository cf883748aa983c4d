"""XStats in columns: every type of value that the format has, as numbers or as text."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, Int32, Int64, UInt8, UInt64
from tensorboard_memleak.readers.columns import Window, read_fields, read_varints
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

_TEXT_TAGS: Final = (_STRING, _BYTES, _REFERENCE, _COMPRESSED)

_MAX_TEXT_BYTES: Final = 1 << 20
"""A compressed string may not unfold into more than this: names are short, bombs are not."""


@dataclass(slots=True)
class Stats:
    """Some stats: `row` of their metadata, `tag` of their value (0: none) and its bits or extent.

    `of` says whose each stat is.
    """

    window: Window
    tables: Tables
    of: Int64
    row: Int32
    tag: UInt8
    bits: UInt64
    start: Int64
    end: Int64

    def __len__(self) -> int:
        return len(self.of)

    def where(self, chosen: Bool) -> Stats:
        """Return the stats that `chosen` marks."""
        return self.take(np.flatnonzero(chosen))

    def take(self, indices: Int64) -> Stats:
        """Return the stats at `indices`, which may repeat."""
        return Stats(
            self.window,
            self.tables,
            self.of[indices],
            self.row[indices],
            self.tag[indices],
            self.bits[indices],
            self.start[indices],
            self.end[indices],
        )


def read_stats(window: Window, tables: Tables, of: Int64, start: Int64, end: Int64) -> Stats:
    """Decode the stats that lie in `start:end`, one each."""
    count = len(of)
    metadata_id = np.zeros(count, np.int64)
    tag = np.zeros(count, np.uint8)
    bits = np.zeros(count, np.uint64)
    value_start, value_end = np.zeros((2, count), np.int64)
    for fields in read_fields(window, start, end):
        names = fields.tag == _METADATA_ID
        metadata_id[fields.of[names]] = fields.value[names].view(np.int64)
        values = ~names & (fields.tag >= _DOUBLE) & (fields.tag <= _COMPRESSED)
        at = fields.of[values]
        tag[at], bits[at] = fields.tag[values], fields.value[values]
        value_start[at], value_end[at] = fields.start[values], fields.end[values]
    row = tables.stat_ids.rows(metadata_id)
    return Stats(window, tables, of, row, tag, bits, value_start, value_end)


def shared_stats(tables: Tables, row: int) -> Stats:
    """Decode the stats that the metadata in `row` gives to all its events; `of` is all zeros."""
    parts = tables.event_stats[row]
    end = np.cumsum([len(part) for part in parts])
    window = Window(memoryview(b"".join(parts)), 0, int(end[-1]))
    start = end - np.array([len(part) for part in parts])
    stats = read_stats(window, tables, np.arange(len(parts)), start, end)
    stats.of = np.zeros(len(parts), np.int64)
    return stats


def for_events(stats: Stats, events: Int64) -> Stats:
    """Give the stats of one metadata to each of `events`."""
    repeated = stats.take(np.tile(np.arange(len(stats)), len(events)))
    repeated.of = np.repeat(events, len(stats))
    return repeated


def peek_rows(window: Window, tables: Tables, start: Int64, end: Int64) -> Int32:
    """Return the metadata row of each stat without decoding its value."""
    if (window.raw[start] == _METADATA_ID).all():
        return tables.stat_ids.rows(read_varints(window, start + 1)[0].view(np.int64))
    return read_stats(window, tables, np.arange(len(start)), start, end).row


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
    for index in np.flatnonzero(np.isin(stats.tag, _TEXT_TAGS)).tolist():
        values[index] = number_of(_text_at(stats, index))


def _integer(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        return UNKNOWN
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
    for tag in np.unique(stats.tag).tolist():
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
    distinct, where = np.unique(rows, return_inverse=True)
    names = stats.tables.stat_names
    return np.array([intern(names[row]) for row in distinct.tolist()], np.int32)[where]


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
