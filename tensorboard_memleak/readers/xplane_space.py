"""The outline of a capture: its planes, and where their lines and metadata lie.

Nothing that comes by the million is touched here, and nothing is copied. Ids mean something only
within one plane chunk: concatenated XSpaces repeat a plane, each chunk with its own tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import Field, Malformed, read_fields, require_length

Extent = tuple[int, int]

_PLANES, _ERRORS, _WARNINGS, _HOSTNAMES = 1, 2, 3, 4
_NAME, _LINES, _EVENT_METADATA = 2, 3, 4


def text_of(raw: bytes) -> str:
    """Decode a name from a profile; what is not UTF-8 is shown as such, never an error."""
    return raw.decode("utf-8", "replace")


@dataclass(slots=True)
class Plane:
    """One plane chunk; extents are runs of whole fields, except a line's, which is its message."""

    name: str = ""
    lines: list[Extent] = field(default_factory=list)
    event_metadata: list[Extent] = field(default_factory=list)
    head: list[Extent] = field(default_factory=list)


@dataclass(slots=True)
class Space:
    """The top level of a capture."""

    planes: list[Plane] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    hostnames: list[str] = field(default_factory=list)


def outline(view: Source) -> Space:
    """Walk the capture's top two levels; raise `Malformed` where the bytes are no XSpace."""
    space = Space()
    texts = {_ERRORS: space.errors, _WARNINGS: space.warnings, _HOSTNAMES: space.hostnames}
    known = False
    for item in read_fields(view, 0, len(view)):
        if item.number == _PLANES:
            require_length(item)
            space.planes.append(_outline_plane(view, item))
        elif item.number in texts:
            require_length(item)
            texts[item.number].append(text_of(bytes(view[item.start : item.end])))
        known = known or item.number in (_PLANES, *texts)
    if not known:
        raise Malformed("nothing of a profile", 0)
    return space


def _outline_plane(view: Source, message: Field) -> Plane:
    plane = Plane()
    run, begin = plane.head, message.start
    for item in read_fields(view, message.start, message.end):
        if item.number == _LINES:
            require_length(item)
            plane.lines.append((item.start, item.end))
            _close(run, begin, item.begin)
            begin = item.end
            continue
        if item.number == _NAME:
            require_length(item)
            plane.name = text_of(bytes(view[item.start : item.end]))
        target = plane.event_metadata if item.number == _EVENT_METADATA else plane.head
        if target is not run:
            _close(run, begin, item.begin)
            run, begin = target, item.begin
    _close(run, begin, message.end)
    return plane


def _close(run: list[Extent], begin: int, end: int) -> None:
    if begin < end:
        run.append((begin, end))
