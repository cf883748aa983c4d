"""Is a group of blocks growing? Told by the steps that its survivors come from.

A survivor is *old* if it is older, in steps, than the group ever frees a block (`History.lag`): by
the group's own habit it should be gone. Steps that made old survivors are *occasions*, steps that
could have are *eligible*. Occasions that go on to the end of the eligible steps are growth; what
else survivors may be is told in `settling`.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.confidence import SUSPICION, succession
from tensorboard_memleak.analysis.histories import History
from tensorboard_memleak.analysis.rates import rate_of_occasions
from tensorboard_memleak.analysis.settling import LATE_LAG
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Int64

FADING: Final = -2.33
"""Standard errors by which occasions lie early: one constant rate in a hundred looks so."""
NEVER_BY_CHANCE: Final = 0.001
"""Blocks that only may live long would all have been spared with less than this chance."""
EVEN: Final = 0.34
"""Gaps between occasions are even if their standard deviation is at most this share of the mean."""


def judge(history: History) -> Judgement | None:
    """Judge a group whose occasions go on to the end, `None` if they get rarer and rarer."""
    eligible = max(history.steps - 1 - history.lag, 0)
    occasions = np.flatnonzero(history.kept[:eligible])
    if slowed(occasions, eligible):
        return None
    confidence, doubt = succession(len(occasions)), _doubt(history, occasions, eligible)
    rate = rate_of_occasions(history.kept_bytes[:eligible], occasions)
    return Judgement(
        group=history.group,
        kind="growth",
        pattern=_rhythm(occasions),
        confidence=min(confidence, SUSPICION) if doubt else confidence,
        survivors=history.survivors,
        occasions=occasions,
        eligible=eligible,
        period=float(np.median(np.diff(occasions))),
        since=_since(history, occasions),
        rate=rate.per_step,
        rate_low=rate.low,
        rate_high=rate.high,
        grounds=history.survivors[np.isin(history.survivor_steps, occasions)],
        doubt=doubt,
    )


def slowed(occasions: Int64, eligible: int) -> bool:
    """Tell whether irregular occasions get rarer than chance explains, as where a cache fills up.

    Laplace's trend test: at a constant rate the later occasions spread evenly over the time since
    the first, and their mean place is half way with a standard error of `1 / sqrt(12 n)`.
    """
    gaps = np.diff(occasions)
    if gaps.std() <= EVEN * gaps.mean():
        return False
    place = (occasions[1:] - occasions[0]) / (eligible - int(occasions[0]))
    return bool((place.mean() - 0.5) * sqrt(12 * len(place)) < FADING)


def _doubt(history: History, occasions: Int64, eligible: int) -> str:
    """Say what else than growth the survivors' ages allow, "" if nothing.

    *Bursts*: what is alive when a collector runs moves to its older generation, which the window
    may not have seen collected. *Long lives*: if old survivors were released at the rate at which
    the oldest released blocks were, `expected` of them would have gone by the end; where none
    going is not rare, they may be of the same kind.
    """
    pause = float(np.median(np.diff(occasions)))
    if history.lag >= LATE_LAG and pause >= history.lag and history.in_bursts:
        return "blocks of this site are released in bursts, and these may wait for a later one"
    age = history.steps - 1 - np.arange(eligible) - history.lag
    expected = history.late_release_rate * float((history.kept[:eligible] * age).sum())
    if history.lag > 0 and exp(-expected) > NEVER_BY_CHANCE:
        return "blocks of this site live long, and these may only be the oldest of them"
    return ""


def _rhythm(occasions: Int64) -> Pattern:
    gaps = np.diff(occasions)
    if np.median(gaps) == 1 and gaps.mean() < 1.5:
        return Pattern.EVERY_STEP
    return Pattern.EVERY_KTH if gaps.std() <= EVEN * gaps.mean() else Pattern.IRREGULAR


def _since(history: History, occasions: Int64) -> int | None:
    """Return the first occasion if the site was active for long before it and kept nothing."""
    first, longest = int(occasions[0]), int(np.diff(occasions).max(initial=1))
    active = int(np.count_nonzero(history.born[:first]))
    return first if active > 2 + 2 * longest else None
