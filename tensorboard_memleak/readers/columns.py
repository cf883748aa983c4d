"""The protobuf wire format in columns: many messages at once, never one Python object each.

A `Window` is a copy of a few megabytes of the capture with padding behind it, so that reads near
its end need no bounds checks. Everything here works on arrays of positions into one window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import Bool, Int64, UInt8, UInt64
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import FIXED32, FIXED64, LENGTH, VARINT, Malformed

PADDING: Final = bytes(24)

UInt16 = NDArray[np.uint16]

_U1: Final = np.uint64(1)
_CONTINUES: Final = np.uint64(0x8080808080808080)
_PAYLOAD: Final = np.uint64(0x7F7F7F7F7F7F7F7F)
_BYTE_INDEX: Final = np.uint64(sum(index << (56 - 8 * index) for index in range(8)))
"""256**k times this has k in its top byte."""
_FOLDS: Final = tuple(
    (np.uint64(keep), np.uint64(move), np.uint64(shift))
    for keep, move, shift in (
        (0x007F007F007F007F, 0x7F007F007F007F00, 1),
        (0x00003FFF00003FFF, 0x3FFF00003FFF0000, 2),
        (0x000000000FFFFFFF, 0x0FFFFFFF00000000, 4),
    )
)


class Window:
    """Bytes `offset:offset + size` of the capture, addressed from 0."""

    __slots__ = ("data", "limit", "offset", "pairs", "raw", "size", "words")

    def __init__(self, view: Source, start: int, end: int) -> None:
        self.data = b"".join((view[start:end], PADDING))
        self.offset = start
        self.size = end - start
        self.limit = np.uint64(self.size + 1)
        self.raw: UInt8 = np.frombuffer(self.data, np.uint8)
        self.pairs: UInt16 = np.ndarray((self.size + 16,), "<u2", self.data, strides=(1,))
        # Word i is the eight bytes that begin at byte i: an unaligned gather reads a whole number.
        self.words: UInt64 = np.ndarray((self.size + 16,), "<u8", self.data, strides=(1,))


class Fields(NamedTuple):
    """One field of each message in `of`: varints have `value`, the rest lie in `start:end`."""

    of: Int64
    tag: UInt8
    value: UInt64
    start: Int64
    end: Int64

    def where(self, chosen: Bool) -> Fields:
        """Return the fields that `chosen` marks."""
        if chosen.all():
            return self
        return Fields(
            self.of[chosen],
            self.tag[chosen],
            self.value[chosen],
            self.start[chosen],
            self.end[chosen],
        )

    def by_tag(self) -> Iterator[Fields]:
        """Yield the fields tag by tag: most rounds have a single one."""
        if (self.tag == self.tag[0]).all():
            yield self
            return
        for tag in np.flatnonzero(np.bincount(self.tag)).tolist():
            yield self.where(self.tag == tag)


def read_varints(window: Window, at: Int64) -> tuple[UInt64, Int64]:
    """Return the unsigned values at `at`, and the positions behind them."""
    first = window.raw[at]
    if first.max(initial=0) < 0x80:
        return first.astype(np.uint64), at + 1
    word = window.words[at]
    stops = ~word
    stops &= _CONTINUES
    lowest = ~stops
    lowest += _U1
    lowest &= stops  # the top bit of the number's last byte
    value = lowest - _U1
    value &= word
    value &= _PAYLOAD
    for keep, move, shift in _FOLDS:
        moved = value & move
        moved >>= shift
        value &= keep
        value |= moved
    after = at + _byte_of(lowest) + 1
    long = np.flatnonzero(stops == 0)
    if len(long):
        value[long], after[long] = _long_varints(window, at[long], word[long])
    return value, after


def _byte_of(top_bit: UInt64) -> Int64:
    """Return in which byte, counted from 0, the only bit stands: a multiplication looks it up."""
    index = top_bit >> np.uint64(7)
    index *= _BYTE_INDEX
    index >>= np.uint64(56)
    byte: Int64 = index.view(np.int64)
    return byte


def _long_varints(window: Window, at: Int64, word: UInt64) -> tuple[UInt64, Int64]:
    """Read numbers of nine and ten bytes, whose first eight bytes are in `word`."""
    value = word & _PAYLOAD
    for keep, move, shift in _FOLDS:
        value = (value & keep) | ((value & move) >> shift)
    ninth = window.raw[at + 8].astype(np.uint64)
    tenth = window.raw[at + 9].astype(np.uint64)
    more = ninth >= 0x80
    if (tenth[more] >= 0x80).any():
        raise Malformed("a number has more than ten bytes", window.offset + int(at[0]))
    value |= (ninth & np.uint64(0x7F)) << np.uint64(56)
    return np.where(more, value | (tenth << np.uint64(63)), value), at + 9 + more


def read_fields(window: Window, start: Int64, end: Int64) -> Iterator[Fields]:
    """Yield the first fields of all messages, then their second fields, and so on.

    Message i lies in `start[i]:end[i]`. A field that leaves its message is `Malformed`, so that
    damage shows instead of turning into numbers.
    """
    of: Int64 = np.arange(len(start))
    at = start
    while True:
        unfinished = at < end
        if not unfinished.all():
            of, at, end = of[unfinished], at[unfinished], end[unfinished]
        if not len(of):
            return
        fields = _read_round(window, of, at, end)
        yield fields
        at = fields.end


def _read_round(window: Window, of: Int64, at: Int64, end: Int64) -> Fields:
    tag = window.raw[at]
    after_tag = at + 1
    if tag.max(initial=0) >= 0x80:
        tag, after_tag = _long_tags(window, at, tag)
    if (tag == tag[0]).all():
        value, start, after = _read_alike(window, int(tag[0]) & 7, after_tag)
    else:
        value, start, after = _read_mixed(window, tag & np.uint8(7), after_tag)
    wrong = (after > end) | (tag < 8)
    if wrong.any():
        bad = int(np.flatnonzero(wrong)[0])
        raise Malformed("a field leaves its message", window.offset + int(at[bad]))
    return Fields(of, tag, value, start, after)


def _long_tags(window: Window, at: Int64, tag: UInt8) -> tuple[UInt8, Int64]:
    """Read tags of several bytes: fields that we do not know, all shown as number 31."""
    value, after = read_varints(window, at)
    unknown = (value & np.uint64(7)).astype(np.uint8) | np.uint8(31 << 3)
    return np.where(tag >= 0x80, unknown, tag), after


def _read_alike(window: Window, kind: int, at: Int64) -> tuple[UInt64, Int64, Int64]:
    """Read payloads of one kind: numbers or bits, and where text and messages begin and end."""
    if kind == FIXED64:
        return window.words[at], at + 8, at + 8
    if kind == FIXED32:
        return np.zeros(len(at), np.uint64), at + 4, at + 4
    if kind not in (VARINT, LENGTH):
        raise Malformed("unknown wire type", window.offset + int(at[0]))
    value, start = read_varints(window, at)
    if kind == VARINT:
        return value, start, start
    # A length beyond the window would overflow the sum; capped, it still leaves its message.
    return value, start, start + np.minimum(value, window.limit).astype(np.int64)


def _read_mixed(window: Window, kind: UInt8, at: Int64) -> tuple[UInt64, Int64, Int64]:
    """Read payloads of several kinds."""
    value = np.zeros(len(at), np.uint64)
    start, end = at.copy(), at.copy()
    for one in np.flatnonzero(np.bincount(kind)).tolist():
        its = np.flatnonzero(kind == one)
        value[its], start[its], end[its] = _read_alike(window, one, at[its])
    return value, start, end
