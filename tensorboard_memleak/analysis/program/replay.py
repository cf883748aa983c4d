"""Replay one heap trace: which buffer holds memory from when to when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tensorboard_memleak.model.lifetimes import NO_POINT
from tensorboard_memleak.model.program import NO_ROW, HeapEventKind, HeapTrace
from tensorboard_memleak.model.trace import Int32


class Lives(NamedTuple):
    """Columns of buffers (`born`, `freed`, `holder`) and of points (`changed`, `change`).

    At a point, the memory of buffer `changed` begins (`change` 1) or ends (-1); 0 where an event
    changes nothing, because others still share the memory.
    """

    born: Int32
    freed: Int32
    holder: Int32
    changed: Int32
    change: Int32


def replay(points: HeapTrace, buffer_count: int) -> Lives:
    """Follow the events; a buffer that is never freed lives to the last point.

    Memory is shared by counting: it is freed when the last of its sharers is. Where a buffer
    shares memory that nobody uses any more, that memory begins a second life, and the buffer
    holds it. A FREE of what does not live changes nothing: it is damage.
    """
    born, freed = [NO_POINT] * buffer_count, [NO_POINT] * buffer_count
    holder, sharers = list(range(buffer_count)), [0] * buffer_count
    current = list(range(buffer_count))  # of a buffer that others share: who holds its memory now
    changed, change = points.buffer.tolist(), [0] * len(points)
    events = zip(
        points.kind.tolist(), points.buffer.tolist(), points.canonical.tolist(), strict=True
    )
    for point, (kind, buffer, canonical) in enumerate(events):
        if kind == HeapEventKind.FREE:
            owner = holder[buffer]
            if buffer != owner:
                freed[buffer] = point
            if sharers[owner] > 0:
                sharers[owner] -= 1
                if sharers[owner] == 0:
                    freed[owner] = point
                    changed[point], change[point] = owner, -1
            continue
        if kind == HeapEventKind.SHARE and canonical != NO_ROW:
            if sharers[current[canonical]] == 0:
                current[canonical] = buffer
            holder[buffer] = current[canonical]
        owner = holder[buffer]
        born[buffer] = point
        sharers[owner] += 1
        if sharers[owner] == 1:
            changed[point], change[point] = owner, 1
    ends = np.array(freed, np.int32)
    starts = np.array(born, np.int32)
    ends[(starts != NO_POINT) & (ends == NO_POINT)] = len(points)
    return Lives(
        starts,
        ends,
        np.array(holder, np.int32),
        np.array(changed, np.int32),
        np.array(change, np.int32),
    )
