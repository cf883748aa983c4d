"""Where fragmentation costs something: where a request would no longer fit.

Fragmentation by itself is no harm: a number near one half is normal while there is room. So the
question asked is whether the largest request that the program makes in the window would have fit at
every moment, by the allocator's own figures (see `fit` for what they assume), and if the largest
free block shrinks from step to step, for how long it still will.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.addresses import Use, address_map
from tensorboard_memleak.analysis.fit import largest_by_allocator
from tensorboard_memleak.analysis.rates import theil_sen
from tensorboard_memleak.model.blocks import Blocks, Steps
from tensorboard_memleak.model.trace import UNKNOWN, Int64, MemoryEvents


@dataclass(frozen=True, slots=True)
class Squeeze:
    """Where the largest free block came too close to the largest request.

    `largest_bytes` is its smallest size, at `time_ps` in `step` (-1: before the first), while
    `free_bytes` were free in all. `shrinks_bytes_per_step` is the median slope of each step's
    smallest (0: it does not shrink), `steps_left` how long a request still fits. `between` are the
    blocks that lie between free pieces at that moment.
    """

    request_bytes: int
    largest_bytes: int
    free_bytes: int
    fragmentation: float
    time_ps: int
    step: int
    shrinks_bytes_per_step: int
    steps_left: int | None
    between: Int64

    @property
    def fails(self) -> bool:
        """Whether the request would have failed for want of one piece."""
        return self.largest_bytes < self.request_bytes <= self.free_bytes


def find_squeeze(events: MemoryEvents, blocks: Blocks, steps: Steps) -> Squeeze | None:
    """Return the tightest moment of the window if it matters, else `None`.

    It matters if the largest request of the window would not have fit although enough was free, or
    if at the rate at which the largest free block shrinks it soon will not: within as many steps
    again as the window has.
    """
    largest = largest_by_allocator(events)
    request = int(blocks.allocation_bytes.max(initial=UNKNOWN))
    if not np.isfinite(largest).any() or request <= 0:
        return None
    row = int(np.nanargmin(largest))
    slope = _shrinking(events, largest, steps)
    last = float(largest[np.flatnonzero(np.isfinite(largest))[-1]])
    left = int((last - request) // -slope) if slope < 0 and last >= request else None
    free = int(events.bytes_available[row])
    fails = largest[row] < request <= free
    if not fails and (left is None or left > len(steps)):
        return None
    time = int(events.time_ps[row])
    return Squeeze(
        request_bytes=request,
        largest_bytes=int(largest[row]),
        free_bytes=free,
        fragmentation=float(events.fragmentation[row]),
        time_ps=time,
        step=int(np.searchsorted(steps.start_ps, time, side="right")) - 1,
        shrinks_bytes_per_step=round(-slope),
        steps_left=None if fails else left,
        between=blocks_between_free(blocks, time),
    )


def blocks_between_free(blocks: Blocks, time_ps: int) -> Int64:
    """Return the blocks that were born in the window and part two free pieces at a moment."""
    pieces = address_map(blocks, time_ps)
    used = np.flatnonzero(pieces.use == Use.IN_USE)
    inner = used[(used > 0) & (used < len(pieces.use) - 1)]
    parts = (pieces.use[inner - 1] == Use.FREE) & (pieces.use[inner + 1] == Use.FREE)
    rows = pieces.block[inner[parts]]
    return np.sort(rows[blocks.birth_event[rows] != UNKNOWN])


def _shrinking(
    events: MemoryEvents, largest: np.ndarray[tuple[int], np.dtype[np.float64]], steps: Steps
) -> float:
    """Return the median slope of each step's smallest largest block, 0 unless it surely falls."""
    rows = np.flatnonzero(np.isfinite(largest))
    step = np.searchsorted(steps.start_ps, events.time_ps[rows], side="right") - 1
    rows, step = rows[step >= 0], step[step >= 0]
    begin = np.flatnonzero(np.append(True, step[1:] != step[:-1]))[: len(step)]
    if len(begin) < 4:
        return 0.0
    slope, _, high = theil_sen(
        step[begin].astype(np.int64), np.minimum.reduceat(largest[rows], begin)
    )
    return slope if high < 0 else 0.0
