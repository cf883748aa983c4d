"""What a plane says of itself in its own stats."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import VARINT, Malformed, read_fields
from tensorboard_memleak.readers.xplane_space import Plane, text_of
from tensorboard_memleak.readers.xplane_tables import parse_head

ENVIRONMENT_PLANE: Final = "Task Environment"

_HOST_TRACER_LEVEL: Final = 2
"""Field of ProfileOptions, which the profiler stores with the capture."""

Fact = int | float | bytes


def plane_facts(view: Source, plane: Plane) -> dict[str, Fact]:
    """Return a plane's stats by name; text comes as bytes."""
    head = parse_head(view, plane.head)
    facts: dict[str, Fact] = {}
    for stat in head.stats:
        kind = stat.WhichOneof("value")
        if kind == "ref_value":
            value: Fact = head.stat_metadata[stat.ref_value].name
        elif kind is not None:
            value = getattr(stat, kind)
        else:
            continue
        facts[text_of(head.stat_metadata[stat.metadata_id].name)] = value
    return facts


def profile_span_ns(facts: dict[str, Fact]) -> tuple[int, int] | None:
    """Return when the profile was started and stopped, in wall-clock nanoseconds, if told."""
    start, stop = facts.get("profile_start_time"), facts.get("profile_stop_time")
    if isinstance(start, int) and isinstance(stop, int) and 0 < start <= stop:
        return start, stop
    return None


def host_tracer_level(facts: dict[str, Fact]) -> int | None:
    """Return the level of the host tracer in the stored options, or None if they do not tell."""
    options = facts.get("profile_options")
    if not isinstance(options, bytes):
        return None
    try:
        for item in read_fields(memoryview(options), 0, len(options)):
            if item.number == _HOST_TRACER_LEVEL and item.kind == VARINT:
                return item.value
    except Malformed:
        return None
    return None
