"""How many steps, and how long, until a leak has used up the memory.

Room is counted from the peaks: what was still free at the fullest moment of the last steps, since a
step needs its peak to run. Steps left are the room over the sum of the sure rates; the range comes
from the ranges of those rates. What grows by size may live twice while a step replaces it, and then
the peaks rise twice as fast: the near end of the range takes that for granted. Time is steps times
the median length of a step. Nothing is forecast from a suspicion.

Blind spots: growth is taken to go on as it did; the capacity is the allocator's limit, and a
fragmented memory fails earlier.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.findings import is_sure
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Finding, Forecast
from tensorboard_memleak.model.judgement import Pattern
from tensorboard_memleak.model.trace import UNKNOWN, MemoryEvents

LAST_STEPS: Final = 5
_PS_PER_NS: Final = 1000


def forecast(events: MemoryEvents, steps: Steps, findings: Sequence[Finding]) -> Forecast | None:
    """Return when the sure leaks fill the memory, `None` without any or without a known limit."""
    sure = [one for one in findings if is_sure(one)]
    rate = sum(one.bytes_per_step or 0 for one in sure)
    room = room_bytes(events, steps)
    if rate <= 0 or room is None:
        return None
    slow = sum(_known(one.rate_low, one) for one in sure)
    fast = sum(_at_most(one) for one in sure)
    length = _step_ns(steps)
    at, soonest, latest = room // rate, room // fast, room // slow if slow > 0 else None
    return Forecast(
        bytes_per_step=rate,
        room_bytes=room,
        steps=at,
        steps_low=soonest,
        steps_high=latest,
        time_ns=_times(at, length),
        time_low_ns=_times(soonest, length),
        time_high_ns=_times(latest, length),
    )


def room_bytes(events: MemoryEvents, steps: Steps) -> int | None:
    """Return the fewest bytes that were free in the last steps, `None` where that is not told."""
    told = np.flatnonzero(events.bytes_available != UNKNOWN)
    if not len(told):
        return None
    if len(steps):
        since = steps.start_ps[-min(LAST_STEPS, len(steps))]
        recent = told[events.time_ps[told] >= since]
        told = recent if len(recent) else told[-1:]
    return int(events.bytes_available[told].min())


def _known(bound: int | None, finding: Finding) -> int:
    return (finding.bytes_per_step or 0) if bound is None else bound


def _at_most(finding: Finding) -> int:
    """Return by how many bytes a step the peaks may rise at the most."""
    lives = 2 if finding.pattern == Pattern.BY_SIZE.value else 1
    return lives * _known(finding.rate_high, finding)


def _step_ns(steps: Steps) -> float | None:
    if len(steps) < 2:
        return None
    return float(np.median(np.diff(steps.start_ps))) / _PS_PER_NS


def _times(count: int | None, length_ns: float | None) -> int | None:
    return None if count is None or length_ns is None else round(count * length_ns)
