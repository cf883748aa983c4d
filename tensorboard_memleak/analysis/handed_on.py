"""What each step hands to the next.

The entry of step s is the sum over the blocks that are live just before step s + 1 begins, for the
last step at the end of the window: exact, and independent of how long steps last. `held_bytes`
counts what the memory loses, `requested_bytes` what was asked for (what was allocated, where the
request is not told): an allocator that puts a request into a larger hole hides how it grows.

A block that each step replaces by a larger one makes a rising ramp of it, where survivors counted
by birth step show a single bar. Blind spot: what is allocated before the window is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.analysis.steps import step_of
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.trace import UNKNOWN, Int64


@dataclass(frozen=True, slots=True)
class HandedOn:
    """Blocks, allocated and requested bytes that are live when each step ends; one entry a step."""

    blocks: Int64
    held_bytes: Int64
    requested_bytes: Int64


def handed_on(analysis: MemoryAnalysis, rows: Int64) -> HandedOn:
    """Return what some blocks hold at the end of each step; those without a birth do not count."""
    blocks, steps = analysis.blocks, analysis.steps
    rows = rows[blocks.birth_event[rows] != UNKNOWN]
    count = len(steps)
    first = np.maximum(step_of(steps, blocks.born_ps[rows]), 0)
    # By time, not by event: a block whose release is not seen ends when its address is born again.
    last = np.maximum(step_of(steps, blocks.freed_ps[rows]), 0)
    last[blocks.end[rows] == BlockEnd.SURVIVED] = count
    size = np.maximum(blocks.allocation_bytes[rows], 0)
    asked = blocks.requested_bytes[rows]
    return HandedOn(
        blocks=_held(first, last, np.ones(len(rows), np.int64), count),
        held_bytes=_held(first, last, size, count),
        requested_bytes=_held(first, last, np.where(asked > 0, asked, size), count),
    )


def _held(first: Int64, last: Int64, weight: Int64, count: int) -> Int64:
    """Sum the weights over the steps from `first` up to and without `last`."""
    change = np.zeros(count + 1, np.int64)
    np.add.at(change, first, weight)
    np.subtract.at(change, last, weight)
    return np.cumsum(change)[:count]
