"""One row a group of blocks: how old its blocks get, and when its survivors were born.

Everything is made in one pass over all groups at once, because a profile may have as many groups
as events. Steps are positions; a group's `lag` is the age in steps that its freed blocks do not
exceed (-1: none was freed), and a survivor is *old* if it is older than that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.blocks import BlockEnd, Blocks, BlockSteps
from tensorboard_memleak.model.trace import Bool, Float64, Int32, Int64

LAG_SHARE: Final = 0.995
"""The lag is the age that this share of the freed blocks does not exceed: one block in two hundred
may be freed late, or be paired wrongly because an event was lost."""


@dataclass(frozen=True, slots=True)
class Summaries:
    """Columns aligned to the groups; `steps` is the number of steps of the window.

    `old` counts old survivors and `old_steps` the steps they come from, from `first_old` to
    `last_old` with at most `longest_pause` between two (-1, -1 and 0 where there is none); `early`
    survivors were born before the first step. `last_birth` is the last step with any birth.
    `carry_steps` counts the steps with blocks that outlived them, `release_steps` those that freed
    such a block. `replaced` is how many survivors made up for freed pre-window blocks.
    """

    steps: int
    survivors: Int64
    early: Int64
    lag: Int64
    old: Int64
    old_steps: Int64
    first_old: Int64
    last_old: Int64
    longest_pause: Int64
    last_birth: Int64
    release_steps: Int64
    carry_steps: Int64
    replaced: Float64

    @property
    def eligible(self) -> Int64:
        """How many steps could have made old survivors."""
        return np.maximum(self.steps - 1 - self.lag, 0)


def summarise(
    blocks: Blocks,
    block_steps: BlockSteps,
    group: Int32,
    count: int,
    steps: int,
    replaced_share: Float64,
) -> Summaries:
    """Sum up every group; `replaced_share` is each block's chance to have replaced another."""
    rows = np.flatnonzero(group >= 0)
    of, birth, free = group[rows].astype(np.int64), block_steps.birth[rows], block_steps.free[rows]
    end = blocks.end[rows]
    inside, survives = birth >= 0, end == BlockEnd.SURVIVED
    freed = inside & (end == BlockEnd.FREED)
    lag = _quantiles(of[freed], (free - birth)[freed], count)
    old = inside & survives & (birth < (steps - 1 - lag)[of])
    late = freed & (free > birth)
    carried = late | (inside & survives)
    first, last, pause, old_steps = _spans(of[old], birth[old], count)
    return Summaries(
        steps=steps,
        survivors=_count(of, survives, count),
        early=_count(of, survives & ~inside, count),
        lag=lag,
        old=_count(of, old, count),
        old_steps=old_steps,
        first_old=first,
        last_old=last,
        longest_pause=pause,
        last_birth=_spans(of[inside], birth[inside], count)[1],
        release_steps=_spans(of[late], free[late], count)[3],
        carry_steps=_spans(of[carried], birth[carried], count)[3],
        replaced=np.asarray(
            np.bincount(of[survives], replaced_share[rows][survives], count), np.float64
        ),
    )


def lag_of(ages: Int32) -> int:
    """Return the age that `LAG_SHARE` of some freed blocks do not exceed, -1 without any."""
    return int(_quantiles(np.zeros(len(ages), np.int64), ages, 1)[0])


def _count(group: Int64, where: Bool, count: int) -> Int64:
    return np.bincount(group[where], minlength=count).astype(np.int64)


def _quantiles(group: Int64, age: Int32, count: int) -> Int64:
    """Return the age of each group that `LAG_SHARE` of its rows do not exceed, -1 without rows."""
    order = np.lexsort((age, group))
    size = np.bincount(group, minlength=count)
    begin = np.cumsum(size) - size
    result = np.full(count, -1, np.int64)
    some = size > 0
    place = begin[some] + np.ceil(LAG_SHARE * size[some]).astype(np.int64) - 1
    result[some] = age[order][place]
    return result


def _spans(group: Int64, step: Int32, count: int) -> tuple[Int64, Int64, Int64, Int64]:
    """Return first and last step of each group, the longest pause, and the number of steps."""
    width = int(step.max(initial=0)) + 1
    pairs = np.unique(group * width + step)
    owner, when = pairs // width, pairs % width
    number = np.bincount(owner, minlength=count).astype(np.int64)
    first, last, pause = np.full(count, -1), np.full(count, -1), np.zeros(count, np.int64)
    begin = np.flatnonzero(np.append(True, owner[1:] != owner[:-1]))[: len(owner)]
    if len(owner):
        present = owner[begin]
        first[present] = when[begin]
        last[present] = when[np.append(begin[1:], len(owner)) - 1]
        gap = np.diff(when, prepend=when[0])
        gap[begin] = 0
        pause[present] = np.maximum.reduceat(gap, begin)
    return first, last, pause, number
