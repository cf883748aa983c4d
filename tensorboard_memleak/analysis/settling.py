"""What survivors are where they do not grow: kept once, levelled off, late, in flight, replaced.

The rules, first match wins, for every group at once:

1. none of its survivors is old, or most are young: *in flight*; *freed late* if blocks get old and
   are released in bursts; else *levelled off*;
2. about as many pre-window blocks of the same sizes were freed: *replaced*;
3. blocks get old and are released in bursts: *freed late*;
4. old survivors from several steps, and births go on: *levelled off*;
5. *kept once*.

The last two say that nothing more is kept. If too few steps show that, what was kept is *too recent
to tell*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.confidence import QUIET
from tensorboard_memleak.analysis.summaries import Summaries
from tensorboard_memleak.model.judgement import Pattern
from tensorboard_memleak.model.trace import Bool, Float64, Int64

FEWEST_OCCASIONS: Final = 3
"""Two steps that kept something are no pattern."""
LATE_LAG: Final = 3
"""Blocks freed this many steps later are freed late; fewer is a pipeline's normal depth."""
MATCHED: Final = 0.75
"""Share of the kept blocks that pre-window blocks must make up for to call them replaced."""

PATTERNS: Final = (
    Pattern.YOUNG,
    Pattern.LATE,
    Pattern.LEVELS_OFF,
    Pattern.REPLACED,
    Pattern.ONCE,
    Pattern.RECENT,
)
_YOUNG, _LATE, _LEVELS_OFF, _REPLACED, _ONCE, _RECENT = range(len(PATTERNS))


@dataclass(frozen=True, slots=True)
class Settled:
    """What each group is if it does not grow: an index into `PATTERNS`.

    `quiet` is how sure it is that nothing more is kept (nan where nothing old was kept), `open`
    which groups have old survivors from enough steps, to the end, to be growing instead.
    """

    pattern: Int64
    quiet: Float64
    open: Bool


def settle(all_groups: Summaries) -> Settled:
    """Classify every group."""
    one = all_groups
    old = one.old + one.early
    few = one.old_steps < FEWEST_OCCASIONS
    bursts = (one.lag >= LATE_LAG) & (2 * one.release_steps <= one.carry_steps)
    young = (old == 0) | (few & (2 * old < one.survivors))
    replaced = one.replaced >= MATCHED * one.survivors
    stopped = has_stopped(one)
    pattern = np.select(
        [
            young & (one.lag < LATE_LAG),
            young & bursts,
            young,
            replaced,
            bursts,
            ~few & (one.last_birth > one.last_old),
        ],
        [_YOUNG, _LATE, _LEVELS_OFF, _REPLACED, _LATE, _LEVELS_OFF],
        _ONCE,
    )
    quiet = np.where(np.isin(pattern, (_LEVELS_OFF, _ONCE)) & ~young, _quiet(one), np.nan)
    return Settled(
        pattern=np.where(quiet < QUIET, _RECENT, pattern),
        quiet=quiet,
        open=~few & ~replaced & ~stopped,
    )


def has_stopped(one: Summaries) -> Bool:
    """Tell where no occasion came for longer than the longest pause between them.

    A few occasions far apart say little about their pauses: they must be missing for two.
    """
    pause = np.maximum(one.longest_pause, 1)
    pauses = np.where((one.old_steps < 6) & (pause > 1), 2, 1)
    return np.asarray(one.eligible - 1 - one.last_old > 1 + pauses * pause)


def _quiet(one: Summaries) -> Float64:
    """Return the rule of succession over the steps since the last occasion that kept nothing.

    Where the silence is not yet longer than an earlier pause, that pause counts against it.
    """
    silence = np.where(one.old_steps > 0, one.eligible - 1 - one.last_old, one.steps)
    against = np.where(has_stopped(one) | (one.old_steps < 2), 0, one.longest_pause)
    return np.asarray((silence + 1) / (silence + against + 2))
