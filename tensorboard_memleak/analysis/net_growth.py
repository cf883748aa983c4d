"""Growth that ages hide: a site that also frees old blocks, and a block replaced by larger ones.

*Net.* Let `D[j]` be the site's live blocks after step j, less all pre-window blocks of their sizes
that went meanwhile, and `floor[j] = min(D[j:])` what it never gives back from step j on. Where a
site leaks the floor rises in step after step. Where its use only fluctuates about a level, the
floor is that of the records of a random series: in N steps it rises about log N times, most of them
near the end. The last quarter is therefore no evidence for growth, but that nothing rises there is
evidence against: what fills up and stops is left out.

*By size.* What one step hands to the next is always the same number of blocks, larger each time, to
the end of the window.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.confidence import succession
from tensorboard_memleak.analysis.histories import History
from tensorboard_memleak.analysis.rates import theil_sen
from tensorboard_memleak.analysis.settling import FEWEST_OCCASIONS
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Int64

EARLIER: Final = 0.75
FEWEST_RISES: Final = 6
EVEN_RISE: Final = (0.3, 0.7)
"""Where the floor stands half way, as a share of its whole rise, if it rises evenly."""
MOSTLY: Final = 0.9
"""Share of the changes in size, by count and by bytes, that must be upwards."""


def net(history: History) -> Judgement | None:
    """Judge whether a site frees fewer blocks than it makes, whatever their ages."""
    until = int(EARLIER * history.steps)
    if until < 2 * FEWEST_RISES or len(history.survivors) < FEWEST_RISES:
        return None
    live = np.cumsum(history.born - history.freed - history.lost - history.replaceable)
    floor = np.minimum.accumulate(live[::-1])[::-1]
    all_rises = np.flatnonzero(np.diff(floor, prepend=min(int(floor[0]), 0)) > 0)
    rises = all_rises[all_rises < until]
    if len(rises) < max(FEWEST_RISES, until / 3) or not _evenly(floor[:until]):
        return None
    if _stopped(rises, until) or _stopped(all_rises, history.steps):
        return None  # it has filled up
    size = float(np.median(history.kept_bytes[history.kept > 0] / history.kept[history.kept > 0]))
    slope, low, high = (
        size * one for one in theil_sen(np.arange(until), floor[:until].astype(np.float64))
    )
    if slope <= 0:
        return None
    confidence = succession(len(rises))
    return _grown(history, Pattern.NET, rises, until, confidence, (slope, low, high))


def _stopped(rises: Int64, until: int) -> bool:
    """Tell whether the silence since the last rise is longer than any pause between two."""
    return bool(until - 1 - rises[-1] > 1 + np.diff(rises).max())


def _evenly(floor: Int64) -> bool:
    rise = floor[-1] - floor[0]
    middle = floor[len(floor) // 2] - floor[0]
    return bool(rise > 0 and EVEN_RISE[0] * rise <= middle <= EVEN_RISE[1] * rise)


def by_size(history: History) -> Judgement | None:
    """Judge growth by size: what each step hands to the next is one block, larger each time.

    The sizes compared are the requested ones; allocators round. Slope and bounds are those of the
    requested bytes, widened to the allocated ones' quartiles.
    """
    steps = np.flatnonzero(history.carried)
    if len(steps) < FEWEST_OCCASIONS + 2 or history.lag < 0:
        return None
    most = 2 + int(history.carried.max()) * (history.usual_lag + 1) + history.steps // 10
    if int(history.kept.sum()) > most:
        return None
    change = np.diff(history.carried_requested[steps] / history.carried[steps])
    up, down = int(np.count_nonzero(change > 0)), int(np.count_nonzero(change < 0))
    fallen = -float(change[change < 0].sum())
    if up <= FEWEST_OCCASIONS or 3 * up < len(change) or up < MOSTLY * (up + down):
        return None
    if fallen > (1 - MOSTLY) * float(change[change > 0].sum()):
        return None  # it starts again from time to time
    if _stopped(np.flatnonzero(change > 0), len(change)):
        return None  # it has its full size
    # As asked for: what allocators round up to, and larger chunks that they find, go up and down.
    slope, low, high = theil_sen(steps, history.carried_requested[steps].astype(np.float64))
    if slope <= 0:
        return None
    confidence = succession(up, down)
    return _grown(history, Pattern.BY_SIZE, steps, history.steps, confidence, (slope, low, high))


def _grown(
    history: History,
    pattern: Pattern,
    occasions: Int64,
    eligible: int,
    confidence: float,
    rate: tuple[float, float, float],
) -> Judgement:
    slope, low, high = rate
    return Judgement(
        group=history.group,
        kind="growth",
        pattern=pattern,
        confidence=confidence,
        survivors=history.survivors,
        occasions=occasions,
        eligible=eligible,
        rate=round(slope),
        rate_low=int(min(low, slope)),
        rate_high=int(np.ceil(max(high, slope))),
        grounds=history.born_rows if pattern is Pattern.NET else history.carried_rows,
    )
