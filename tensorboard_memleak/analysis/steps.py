"""The iterations of a window, and which of them each block was born and freed in.

A step is the span of its own marker. What happens between two markers belongs to the tail of the
earlier one, what happens before the first marker to no step (-1). Without numbered markers the
launches that recur stand for steps, then the recurring pattern of allocations, then ten equal
slices of the window; `Steps.source` says which it was.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.launches import from_launches
from tensorboard_memleak.analysis.marks import from_marks
from tensorboard_memleak.analysis.recurrence import starts_of_iterations
from tensorboard_memleak.model.blocks import Blocks, BlockSteps, Steps
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int32, Int64

SLICES: Final = 10
ENOUGH_EVENTS: Final = 20
"""With fewer allocator events than this, slices of time say nothing."""


def find_steps(trace: HostTrace) -> Steps:
    """Return the steps of a host in time order, with where they come from."""
    marked = from_marks(trace.step_marks)
    if marked is not None:
        return marked
    for spans in (trace.module_runs, trace.step_marks):
        launched = from_launches(spans, trace.end_ps)
        if launched is not None:
            return launched
    return _from_memories(trace)


def _from_memories(trace: HostTrace) -> Steps:
    memory = max(trace.memories, key=lambda one: len(one.events), default=None)
    if memory is None or len(memory.events) == 0:
        return steps_at(np.zeros(0, np.int64), trace.end_ps, "none")
    starts = starts_of_iterations(trace, memory.events)
    if len(starts) > 0:
        return steps_at(starts, trace.end_ps, "pattern")
    times = memory.events.time_ps
    if len(times) < ENOUGH_EVENTS:
        return steps_at(np.zeros(0, np.int64), trace.end_ps, "none")
    edges = np.linspace(int(times[0]), int(times[-1]) + 1, SLICES, endpoint=False)
    return steps_at(edges.astype(np.int64), trace.end_ps, "slices")


def steps_at(starts: Int64, end_ps: int, source: str) -> Steps:
    """Return steps that begin at `starts` and reach to the next start."""
    ends = np.append(starts[1:], end_ps)[: len(starts)].astype(np.int64)
    return Steps(starts, ends, np.full(len(starts), UNKNOWN, np.int64), source)


def step_of(steps: Steps, time_ps: Int64) -> Int32:
    """Return the step that each moment belongs to, -1 before the first."""
    found = np.searchsorted(steps.start_ps, time_ps, side="right") - 1
    return found.astype(np.int32)


def steps_of_blocks(steps: Steps, blocks: Blocks) -> BlockSteps:
    """Return birth and free steps; -1 where the window does not hold the event."""
    birth, free = step_of(steps, blocks.born_ps), step_of(steps, blocks.freed_ps)
    birth[blocks.birth_event == UNKNOWN] = UNKNOWN
    free[blocks.free_event == UNKNOWN] = UNKNOWN
    return BlockSteps(birth, free)


def step_numbers(steps: Steps) -> list[int]:
    """Return what each step is called: its marker's number, else its place in time."""
    places = np.arange(len(steps))
    numbers: list[int] = np.where(steps.number == UNKNOWN, places, steps.number).tolist()
    return numbers
