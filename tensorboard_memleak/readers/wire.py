"""The protobuf wire format, one field at a time: for the few large fields of a capture.

Scalar and lazy: it yields where a field's bytes lie and never copies them. What comes by the
million (events, stats) is decoded in columns by `columns`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from tensorboard_memleak.readers.source import Source

VARINT: Final = 0
FIXED64: Final = 1
LENGTH: Final = 2
FIXED32: Final = 5

_MAX_VARINT_BYTES: Final = 10
_MASK64: Final = (1 << 64) - 1
_FIXED_BYTES: Final = {FIXED64: 8, FIXED32: 4}


class Malformed(Exception):
    """The bytes at `position` are not what the wire format allows there."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"{reason} at byte {position}")
        self.reason = reason
        self.position = position


class Truncated(Malformed):
    """A field goes on behind the end of the buffer."""


class Field(NamedTuple):
    """One field, whose tag stands at `begin`: a varint has `value`, others lie in `start:end`."""

    number: int
    kind: int
    value: int
    begin: int
    start: int
    end: int


def read_varint(data: Source, position: int, end: int) -> tuple[int, int]:
    """Return the unsigned 64-bit value at `position` and the position behind it."""
    value = 0
    for index in range(_MAX_VARINT_BYTES):
        if position + index >= end:
            raise _overrun("a number is cut off", position, end, data)
        byte = data[position + index]
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value & _MASK64, position + index + 1
    raise Malformed("a number has more than ten bytes", position)


def read_field(data: Source, position: int, end: int) -> Field:
    """Return the field whose tag stands at `position`."""
    tag, start = read_varint(data, position, end)
    number, kind = tag >> 3, tag & 7
    if number == 0:
        raise Malformed("field number 0", position)
    if kind == VARINT:
        value, after = read_varint(data, start, end)
        return Field(number, kind, value, position, start, after)
    if kind == LENGTH:
        length, start = read_varint(data, start, end)
    elif kind in _FIXED_BYTES:
        length = _FIXED_BYTES[kind]
    else:
        raise Malformed(f"unknown wire type {kind}", position)
    if length > end - start:
        reason = f"a field of {length} bytes has only {end - start} left"
        raise _overrun(reason, position, end, data)
    return Field(number, kind, 0, position, start, start + length)


def read_fields(data: Source, start: int, end: int) -> Iterator[Field]:
    """Yield the fields of the message in `data[start:end]`."""
    while start < end:
        field = read_field(data, start, end)
        yield field
        start = field.end


def _overrun(reason: str, position: int, end: int, data: Source) -> Malformed:
    return Truncated(reason, position) if end == len(data) else Malformed(reason, position)


def require_length(field: Field) -> None:
    """Refuse a field of another wire type than text and messages have: the bytes are damaged."""
    if field.kind != LENGTH:
        raise Malformed("a number stands where text or a message belongs", field.begin)


def signed(value: int) -> int:
    """Read an unsigned 64-bit number as int64, as protobuf writes negative ones."""
    return value - (1 << 64) if value >> 63 else value
