"""A second, slow and simple reading of a capture, to check the declared truth when it is recorded.

It shares nothing with the package: TensorFlow's own protos and a dictionary of live addresses.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tensorflow.tsl.profiler.protobuf import xplane_pb2


def survivors(content: bytes) -> Counter[tuple[str, int]]:
    """Blocks born and not freed, counted by (op, requested bytes)."""
    live = dict[tuple[str, int], tuple[str, int]]()
    for _, born, stats in sorted(_memory_events(content), key=lambda event: event[0]):
        address = (str(stats["allocator_name"]), int(stats["addr"]))
        if born:
            live[address] = (str(stats.get("tf_op", "")), int(stats["requested_bytes"]))
        else:
            live.pop(address, None)
    return Counter(live.values())


def _memory_events(content: bytes) -> Any:
    space = xplane_pb2.XSpace.FromString(content)
    for plane in space.planes:
        names = {key: entry.name for key, entry in plane.stat_metadata.items()}
        kinds = {key: entry.name for key, entry in plane.event_metadata.items()}
        for line in plane.lines:
            for event in line.events:
                kind = kinds.get(event.metadata_id)
                if kind in ("MemoryAllocation", "MemoryDeallocation"):
                    stats = {names[stat.metadata_id]: _value(stat, names) for stat in event.stats}
                    time_ps = line.timestamp_ns * 1000 + event.offset_ps
                    yield time_ps, kind == "MemoryAllocation", stats


def _value(stat: Any, names: dict[int, str]) -> Any:
    which = stat.WhichOneof("value")
    value = getattr(stat, which)
    return names[value] if which == "ref_value" else value
