"""Writes XSpace captures from literals, with an encoder of its own.

It shares no code with the readers, so that a wrong idea of the format cannot hide on both sides.

    space = XSpace()
    python = space.plane("/host:CPU").line("python", timestamp_ns=1_000)
    python.event("train", at_ps=0, lasts_ps=5_000_000, step_num=0, _r=1)
    python.allocation(at_ps=10, address=0x1000, requested=100, allocated=256, in_use=256, op="Relu")
    python.deallocation(at_ps=20, address=0x1000, requested=100, allocated=256, in_use=0)
    data = space.encode()

A stat's type follows its Python type (int: int64, float: double, str: reference, bytes: bytes);
`UInt`, `Text`, `Zipped` and `Raw` ask for another one.
"""

from __future__ import annotations

import gzip
import struct
from dataclasses import dataclass, field


@dataclass(frozen=True)
class UInt:
    """A stat stored as uint64."""

    value: int


@dataclass(frozen=True)
class Text:
    """A stat stored as an inline string."""

    value: str | bytes


@dataclass(frozen=True)
class Zipped:
    """A stat stored as a gzip'd string."""

    value: str


@dataclass(frozen=True)
class Raw:
    """A stat whose encoded value field is given, b"" for a stat without any value."""

    value: bytes


Value = int | float | str | bytes | UInt | Text | Zipped | Raw


def varint(number: int) -> bytes:
    """Encode a number; a negative one as the ten bytes of its two's complement."""
    number &= (1 << 64) - 1
    parts = bytearray()
    while number >= 0x80:
        parts.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*parts, number])


def number_field(number: int, value: int) -> bytes:
    """Encode an integer field, even where it holds the default."""
    return varint(number << 3) + varint(value)


def bytes_field(number: int, value: bytes) -> bytes:
    """Encode a text, bytes or message field."""
    return varint(number << 3 | 2) + varint(len(value)) + value


@dataclass
class Line:
    """One line of events; encoded fields may be appended to `extra`."""

    plane: Plane
    name: str
    line_id: int
    timestamp_ns: int
    events: list[bytes] = field(default_factory=list)
    extra: bytes = b""

    def event(
        self,
        name: str,
        at_ps: int | None = None,
        lasts_ps: int = 0,
        occurrences: int | None = None,
        extra: bytes = b"",
        **stats: Value,
    ) -> Line:
        """Add an event; without `at_ps` it has no time field at all."""
        parts = [number_field(1, self.plane.event_id(name))] if self.plane.event_id(name) else []
        if at_ps is not None:
            parts.append(number_field(2, at_ps))
        if lasts_ps:
            parts.append(number_field(3, lasts_ps))
        parts += [bytes_field(4, self.plane.stat(key, value)) for key, value in stats.items()]
        if occurrences is not None:
            parts.append(number_field(5, occurrences))
        self.events.append(b"".join(parts) + extra)
        return self

    def allocation(self, at_ps: int, **told: Value) -> Line:
        """Add a MemoryAllocation; see `memory_stats` for the short names."""
        return self.event("MemoryAllocation", at_ps, **memory_stats(told))

    def deallocation(self, at_ps: int, **told: Value) -> Line:
        """Add a MemoryDeallocation; see `memory_stats` for the short names."""
        return self.event("MemoryDeallocation", at_ps, **memory_stats(told))

    def encode(self) -> bytes:
        """Return the line's message."""
        own = number_field(1, self.line_id) + bytes_field(2, self.name.encode())
        own += number_field(3, self.timestamp_ns)
        return own + b"".join(bytes_field(4, event) for event in self.events) + self.extra


_SHORT = {
    "allocator": "allocator_name",
    "address": "addr",
    "requested": "requested_bytes",
    "allocated": "allocation_bytes",
    "in_use": "bytes_allocated",
    "reserved": "bytes_reserved",
    "available": "bytes_available",
    "peak": "peak_bytes_in_use",
    "op": "tf_op",
    "region": "region_type",
    "dtype": "data_type",
}


def memory_stats(told: dict[str, Value]) -> dict[str, Value]:
    """Return a memory event's stats under the profiler's names, on `GPU_0_bfc` unless told.

    `allocator=b""` leaves the allocator out.
    """
    stats = {_SHORT.get(key, key): value for key, value in told.items()}
    if stats.setdefault("allocator_name", "GPU_0_bfc") == b"":
        del stats["allocator_name"]
    return stats


@dataclass
class Plane:
    """One plane chunk with its own ids, handed out from 1 in order of use."""

    name: str
    lines: list[Line] = field(default_factory=list)
    events: dict[str, int] = field(default_factory=dict)
    stat_names: dict[str, int] = field(default_factory=dict)
    event_stats: dict[str, bytes] = field(default_factory=dict)
    stats: bytes = b""

    def line(self, name: str, line_id: int | None = None, timestamp_ns: int = 0) -> Line:
        """Add a line."""
        number = len(self.lines) + 1 if line_id is None else line_id
        self.lines.append(Line(self, name, number, timestamp_ns))
        return self.lines[-1]

    def event_id(self, name: str) -> int:
        """Return the metadata id of events of this name."""
        return self.events.setdefault(name, len(self.events) + 1)

    def stat_id(self, name: str) -> int:
        """Return the metadata id of a stat's name, or of the text that a reference means."""
        return self.stat_names.setdefault(name, len(self.stat_names) + 1)

    def stat(self, name: str, value: Value) -> bytes:
        """Return the message of one stat."""
        return number_field(1, self.stat_id(name)) + self._value(value)

    def _value(self, value: Value) -> bytes:
        if isinstance(value, float):
            return varint(2 << 3 | 1) + struct.pack("<d", value)
        if isinstance(value, UInt):
            return number_field(3, value.value)
        if isinstance(value, int):
            return number_field(4, value)
        if isinstance(value, Text):
            text = value.value
            return bytes_field(5, text if isinstance(text, bytes) else text.encode())
        if isinstance(value, bytes):
            return bytes_field(6, value)
        if isinstance(value, str):
            return number_field(7, self.stat_id(value))
        if isinstance(value, Zipped):
            return bytes_field(8, gzip.compress(value.value.encode(), mtime=0))
        return value.value

    def own_stat(self, name: str, value: Value) -> Plane:
        """Add a stat of the plane itself."""
        self.stats += bytes_field(6, self.stat(name, value))
        return self

    def shared_stat(self, event: str, name: str, value: Value) -> Plane:
        """Add a stat to an event's metadata: it applies to all events of that name."""
        self.event_id(event)
        self.event_stats[event] = self.event_stats.get(event, b"") + bytes_field(
            5, self.stat(name, value)
        )
        return self

    def encode(self) -> bytes:
        """Return the plane's message, its fields in order of their numbers."""
        parts = [bytes_field(2, self.name.encode())]
        parts += [bytes_field(3, line.encode()) for line in self.lines]
        for name, key in self.events.items():
            value = number_field(1, key) + bytes_field(2, name.encode("utf-8", "surrogateescape"))
            parts.append(_entry(4, key, value + self.event_stats.get(name, b"")))
        for name, key in self.stat_names.items():
            value = number_field(1, key) + bytes_field(2, name.encode("utf-8", "surrogateescape"))
            parts.append(_entry(5, key, value))
        return b"".join(parts) + self.stats


def _entry(number: int, key: int, value: bytes) -> bytes:
    return bytes_field(number, number_field(1, key) + bytes_field(2, value))


@dataclass
class XSpace:
    """A whole capture. Concatenate two encoded ones to get what merging writers produce."""

    planes: list[Plane] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    hostnames: list[str] = field(default_factory=list)

    def plane(self, name: str = "/host:CPU") -> Plane:
        """Add a plane chunk."""
        self.planes.append(Plane(name))
        return self.planes[-1]

    def encode(self) -> bytes:
        """Return the capture's bytes."""
        parts = [bytes_field(1, plane.encode()) for plane in self.planes]
        for number, texts in ((2, self.errors), (3, self.warnings), (4, self.hostnames)):
            parts += [bytes_field(number, text.encode()) for text in texts]
        return b"".join(parts)


def hlo_plane(space: XSpace, modules: dict[str, bytes], program_ids: bool = True) -> Plane:
    """Add `/host:metadata` with HLO modules named like `jit_step(8)`."""
    plane = space.plane("/host:metadata")
    for name, proto in modules.items():
        plane.shared_stat(name, "Hlo Proto", proto)
        if program_ids:
            number = int(name.rpartition("(")[2].rstrip(")"))
            plane.shared_stat(name, "program_id", UInt(number))
    return plane
