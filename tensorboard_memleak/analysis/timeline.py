"""The memory over time as a chart draws it, and the line of growth through its troughs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.rates import theil_sen
from tensorboard_memleak.analysis.thinning import first_extreme, kept_points
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd, Blocks, Steps
from tensorboard_memleak.model.trace import UNKNOWN, Float64, Int64, MemoryEvents

_MOST_POINTS: Final = 400
"""Of the growth line; between them it is straight to the eye."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The allocator's counters after the events of [start, end], thinned to what pixels show.

    `events` is how many events lie in the range, `sampled` whether points were left out. Where an
    event before the range exists, its values stand first, at the start of the range.
    """

    start_ps: int
    end_ps: int
    events: int
    sampled: bool
    time_ps: Int64
    stack_bytes: Int64
    heap_bytes: Int64
    free_bytes: Int64
    fragmentation: Float64


@dataclass(frozen=True, slots=True)
class GrowthLine:
    """A line through the lowest use of each step: median slope, median height.

    It is straight in steps. Steps last differently long, so in time it has a point a step, at the
    moment of that step's trough.
    """

    time_ps: Int64
    line_bytes: Int64
    bytes_per_step: int


@dataclass(frozen=True, slots=True)
class LiveSeries:
    """Bytes that a group of blocks holds after each of its births and releases."""

    time_ps: Int64
    live_bytes: Int64
    sampled: bool


def timeline(events: MemoryEvents, start_ps: int, end_ps: int, pixels: int) -> Timeline:
    """Return the counters of one memory in a range of time."""
    series = (used_bytes(events), events.bytes_available, events.fragmentation)
    rows = kept_points(events.time_ps, series, start_ps, end_ps, pixels)
    first, last = np.searchsorted(events.time_ps, [start_ps, end_ps + 1]).tolist()
    drawn = np.append(first - 1, rows) if first > 0 else rows
    return Timeline(
        start_ps=start_ps,
        end_ps=end_ps,
        events=last - first,
        sampled=len(rows) < last - first,
        time_ps=np.maximum(events.time_ps[drawn], start_ps),
        stack_bytes=events.bytes_reserved[drawn],
        heap_bytes=events.bytes_in_use[drawn],
        free_bytes=events.bytes_available[drawn],
        fragmentation=events.fragmentation[drawn],
    )


def used_bytes(events: MemoryEvents) -> Int64:
    """Return stack plus heap after each event, `UNKNOWN` where the heap is not told."""
    used = events.bytes_in_use + np.maximum(events.bytes_reserved, 0)
    return np.where(events.bytes_in_use == UNKNOWN, UNKNOWN, used)


def growth_line(analysis: MemoryAnalysis) -> GrowthLine | None:
    """Return the line through the troughs of a memory that leaks, else `None`.

    A trough is the lowest use in a step and its tail. Blind spot: where events are few, a step may
    have none and is left out; its trough is that of the step before.
    """
    if analysis.diagnosis.verdict != "leak" or len(analysis.steps) < 2:
        return None
    events = analysis.memory.events
    step, row = troughs(events, analysis.steps)
    if len(step) < 2:
        return None
    trough = used_bytes(events)[row]
    slope, _, _ = theil_sen(step, trough.astype(np.float64))
    height = float(np.median(trough - slope * step))
    line = np.rint(height + slope * step).astype(np.int64)
    drawn = np.unique(np.linspace(0, len(step) - 1, min(len(step), _MOST_POINTS)).astype(np.int64))
    return GrowthLine(events.time_ps[row][drawn], line[drawn], round(slope))


def troughs(events: MemoryEvents, steps: Steps) -> tuple[Int64, Int64]:
    """Return the steps that hold events, and the event of the lowest use in each."""
    used = used_bytes(events)
    rows = np.flatnonzero((used != UNKNOWN) & (events.time_ps >= steps.start_ps[0]))
    step = np.searchsorted(steps.start_ps, events.time_ps[rows], side="right") - 1
    if not len(rows):
        return step.astype(np.int64), rows
    begin = np.flatnonzero(np.append(True, step[1:] != step[:-1]))
    return step[begin].astype(np.int64), rows[first_extreme(used[rows], begin)]


def live_series(blocks: Blocks, rows: Int64, pixels: int) -> LiveSeries:
    """Return what a group of blocks holds over time."""
    size = np.maximum(blocks.allocation_bytes[rows], 0)
    ended = blocks.end[rows] != BlockEnd.SURVIVED
    time = np.concatenate([blocks.born_ps[rows], blocks.freed_ps[rows][ended]])
    change = np.concatenate([size, -size[ended]])
    order = np.argsort(time, kind="stable")
    time, live = time[order], np.cumsum(change[order])
    if not len(time):
        return LiveSeries(time, live, sampled=False)
    kept = kept_points(time, [live], int(time[0]), int(time[-1]), pixels)
    return LiveSeries(time[kept], live[kept], sampled=len(kept) < len(time))
