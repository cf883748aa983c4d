"""Makes a large capture out of a real small one: its steps repeated, as in a long run.

Each repetition is shifted in time, numbers its steps on, takes addresses of its own and carries the
allocator's counters forward, so that the result balances exactly like its source: what leaks once a
step in the source leaks once a step in the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tensorboard_memleak.readers.wire import Field, read_fields, signed

_PLANES, _LINES, _EVENTS, _STAT_METADATA = 1, 3, 4, 5
_OFFSET_PS, _DURATION_PS, _STATS = 2, 3, 4
_STAT_ID, _STAT_INT64 = 1, 4

_ADDRESS_STRIDE = 1 << 32
"""Apart by more than any address range of the source's blocks."""


def varint(number: int) -> bytes:
    """Encode a number; a negative one as the ten bytes of its two's complement."""
    number &= (1 << 64) - 1
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def bytes_field(number: int, value: bytes) -> bytes:
    """Encode a text, bytes or message field."""
    return varint(number << 3 | 2) + varint(len(value)) + value


Shift = Callable[[int], int]
"""What repetition i adds to a number."""
Piece = bytes | Callable[[int], bytes]
"""Part of an event: the same in every repetition, or made for one."""


@dataclass(slots=True)
class Source:
    """The figures of the source by which repetitions are shifted."""

    end_ps: int = 0
    steps: int = 0
    before_bytes: int | None = None
    after_bytes: int = 0

    def shifts(self) -> dict[str, Shift]:
        """Return the shift of every stat that a repetition changes."""
        grown = self.after_bytes - (self.before_bytes or 0)
        return {
            "step_num": lambda i: i * self.steps,
            "addr": lambda i: i * _ADDRESS_STRIDE,
            "bytes_allocated": lambda i: i * grown,
            "peak_bytes_in_use": lambda i: i * grown,
            "bytes_available": lambda i: -i * grown,
        }


def build(source: bytes, repetitions: range) -> bytes:
    """Return the source capture with its lines repeated, as these repetitions of a longer run.

    The source has its memory events on one line, as captures of a single-threaded program do.
    """
    view = memoryview(source)
    parts = []
    for plane in read_fields(view, 0, len(view)):
        whole = bytes(view[plane.begin : plane.end])
        is_plane = plane.number == _PLANES
        parts.append(bytes_field(_PLANES, _plane(view, plane, repetitions)) if is_plane else whole)
    return b"".join(parts)


def _plane(view: memoryview, plane: Field, repetitions: range) -> bytes:
    fields = list(read_fields(view, plane.start, plane.end))
    names = dict(_stat_name(view, f) for f in fields if f.number == _STAT_METADATA)
    figures = Source()
    for line in fields:
        if line.number == _LINES:
            for event in _events(view, line):
                _measure(figures, _numbers(view, event, names))
    parts = []
    for item in fields:
        if item.number == _LINES:
            events = [_template(view, event, names, figures) for event in _events(view, item)]
            own = [f for f in read_fields(view, item.start, item.end) if f.number != _EVENTS]
            line_head = b"".join(bytes(view[f.begin : f.end]) for f in own)
            parts.append(bytes_field(_LINES, line_head + _repeat(events, repetitions)))
        else:
            parts.append(bytes(view[item.begin : item.end]))
    return b"".join(parts)


def _repeat(events: list[list[Piece]], repetitions: range) -> bytes:
    out = bytearray()
    for index in repetitions:
        for pieces in events:
            made = (piece if isinstance(piece, bytes) else piece(index) for piece in pieces)
            out += bytes_field(_EVENTS, b"".join(made))
    return bytes(out)


def _events(view: memoryview, line: Field) -> Iterator[Field]:
    return (f for f in read_fields(view, line.start, line.end) if f.number == _EVENTS)


def _stat_name(view: memoryview, entry: Field) -> tuple[int, str]:
    key, name = 0, ""
    for item in read_fields(view, entry.start, entry.end):
        if item.number == 1:
            key = signed(item.value)
        else:
            for part in read_fields(view, item.start, item.end):
                if part.number == 2:
                    name = bytes(view[part.start : part.end]).decode()
    return key, name


def _numbers(view: memoryview, event: Field, names: dict[int, str]) -> dict[str, int]:
    """Return an event's own numbers and its integer stats by name."""
    found = {}
    for item in read_fields(view, event.start, event.end):
        if item.number == _STATS:
            stat = {f.number: f.value for f in read_fields(view, item.start, item.end)}
            if _STAT_INT64 in stat:
                found[names[stat[_STAT_ID]]] = signed(stat[_STAT_INT64])
        elif item.number in (_OFFSET_PS, _DURATION_PS):
            found[{_OFFSET_PS: "offset_ps", _DURATION_PS: "duration_ps"}[item.number]] = item.value
    return found


def _measure(figures: Source, numbers: dict[str, int]) -> None:
    end_ps = numbers.get("offset_ps", 0) + numbers.get("duration_ps", 0)
    figures.end_ps = max(figures.end_ps, end_ps)
    figures.steps = max(figures.steps, numbers.get("step_num", -1) + 1)
    if "bytes_allocated" in numbers:
        figures.after_bytes = numbers["bytes_allocated"]
        if figures.before_bytes is None:  # a window opens with an allocation in these captures
            figures.before_bytes = figures.after_bytes - numbers["allocation_bytes"]


def _template(
    view: memoryview, event: Field, names: dict[int, str], figures: Source
) -> list[Piece]:
    """Return an event in pieces, fixed neighbours joined."""
    shifts = figures.shifts()
    pieces: list[Piece] = [b""]
    for item in read_fields(view, event.start, event.end):
        piece: Piece = bytes(view[item.begin : item.end])
        if item.number == _OFFSET_PS:
            piece = _shifted(_OFFSET_PS, item.value, lambda i: i * figures.end_ps)
        elif item.number == _STATS:
            stat = {f.number: f.value for f in read_fields(view, item.start, item.end)}
            shift = shifts.get(names[stat[_STAT_ID]])
            if shift is not None and _STAT_INT64 in stat:
                piece = _shifted_stat(stat[_STAT_ID], signed(stat[_STAT_INT64]), shift)
        if isinstance(piece, bytes) and isinstance(pieces[-1], bytes):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _shifted(number: int, value: int, shift: Shift) -> Callable[[int], bytes]:
    tag = varint(number << 3)
    return lambda index: tag + varint(value + shift(index))


def _shifted_stat(stat_id: int, value: int, shift: Shift) -> Callable[[int], bytes]:
    head, number = varint(_STAT_ID << 3) + varint(stat_id), _shifted(_STAT_INT64, value, shift)
    return lambda index: bytes_field(_STATS, head + number(index))
