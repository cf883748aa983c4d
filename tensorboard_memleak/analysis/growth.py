"""Is a group of blocks growing? Told by the steps that its survivors come from.

A survivor is *old* if it is older, in steps, than the group ever frees a block (`History.lag`): by
the group's own habit it should be gone. Steps that made old survivors are *occasions*, steps that
could have are *eligible*.

* Occasions that go on to the end of the eligible steps: growth.
* Occasions that stop: kept once, or levelled off where births and releases go on.
* No occasion: in flight, or released late.
* As many pre-window blocks of the same sizes freed as were kept: replaced, not growing.
"""

from __future__ import annotations

from math import comb, exp
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.confidence import SUSPICION, succession
from tensorboard_memleak.analysis.histories import History
from tensorboard_memleak.analysis.rates import rate_of_occasions
from tensorboard_memleak.model.findings import FindingKind
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Int64

FEWEST_OCCASIONS: Final = 3
LATE_LAG: Final = 3
"""Blocks freed this many steps later are freed late; fewer is a pipeline's normal depth."""
MATCHED: Final = 0.75
"""Share of the kept blocks that pre-window blocks must make up for to call them replaced."""
CHANCE: Final = 0.01
"""What happens more rarely than this by chance is taken to have a reason."""
NEVER_BY_CHANCE: Final = 0.001
"""Blocks that only may live long would all have been spared with less than this chance."""
EVEN: Final = 0.34
"""Gaps between occasions are even if their standard deviation is at most this share of the mean."""


def judge(history: History) -> Judgement | None:
    """Say what the survivors of one group amount to, `None` if it has none."""
    if not len(history.survivors):
        return None
    eligible = max(history.steps - 1 - history.lag, 0)
    occasions = np.flatnonzero(history.kept[:eligible])
    few = len(occasions) < FEWEST_OCCASIONS
    old = int(history.kept[:eligible].sum()) + history.early
    if not len(occasions) or (few and 2 * old < len(history.survivors)):
        return _young(history)
    if history.replaced_share >= MATCHED:
        return _plain(history, "bounded", Pattern.REPLACED, occasions, eligible)
    if few or stopped(occasions, eligible) or slowed(occasions, eligible):
        return _settled(history, occasions, eligible)
    return _growing(history, occasions, eligible)


def stopped(occasions: Int64, eligible: int) -> bool:
    """Tell whether no occasion came for longer than the longest pause between them.

    A few occasions far apart say little about their pauses: they must be missing for two.
    """
    silence = eligible - 1 - int(occasions[-1])
    longest = int(np.diff(occasions).max(initial=1))
    pauses = 2 if len(occasions) < 6 and longest > 1 else 1
    return silence > 1 + pauses * longest


def slowed(occasions: Int64, eligible: int) -> bool:
    """Tell whether irregular occasions get rarer than chance explains, as where a cache fills up.

    If they came at a constant rate, each would fall in the later half of the time since the first
    with a chance of one half; so few in it as there are must be likelier than `CHANCE`.
    """
    gaps = np.diff(occasions)
    if gaps.std() <= EVEN * gaps.mean():
        return False
    middle = (int(occasions[0]) + eligible) / 2
    later, trials = int(np.count_nonzero(occasions > middle)), len(occasions) - 1
    return bool(sum(comb(trials, k) for k in range(later + 1)) < CHANCE * 2**trials)


def _growing(history: History, occasions: Int64, eligible: int) -> Judgement:
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
        doubt=doubt,
    )


def _doubt(history: History, occasions: Int64, eligible: int) -> str:
    """Say what else than growth the survivors' ages allow, "" if nothing.

    *Bursts*: what is alive when a collector runs moves to its older generation, which the window
    may not have seen collected. *Long lives*: if old survivors were released at the rate at which
    the oldest released blocks were, `expected` of them would have gone by the end; where none
    going is not rare, they may be of the same kind.
    """
    pause = float(np.median(np.diff(occasions)))
    if history.lag >= LATE_LAG and pause >= history.lag and _in_bursts(history):
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


def _settled(history: History, occasions: Int64, eligible: int) -> Judgement:
    """Judge a group whose survivors are old and have stopped coming, or are too few to tell."""
    if history.lag >= LATE_LAG and _in_bursts(history):
        return _plain(history, "delayed_free", Pattern.LATE, occasions, eligible)
    last = int(occasions[-1])
    quiet = _quiet(occasions, eligible)
    if len(occasions) >= FEWEST_OCCASIONS and history.born[last + 1 :].any():
        return _plain(history, "bounded", Pattern.LEVELS_OFF, occasions, eligible, quiet)
    return _plain(history, "retained", Pattern.ONCE, occasions, eligible, quiet)


def _quiet(occasions: Int64, eligible: int) -> float:
    """Return how sure it is that no more is kept: by the steps that kept nothing since.

    Where the pause is not yet longer than the last one, the earlier occasion counts against it.
    """
    silence = eligible - 1 - int(occasions[-1])
    if stopped(occasions, eligible) or len(occasions) < 2:
        return succession(silence)
    return succession(silence, int(np.diff(occasions).max()))


def _young(history: History) -> Judgement:
    """Judge a group whose survivors are all younger than what it usually frees."""
    nothing = np.zeros(0, np.int64)
    if history.early and not history.kept.any():
        quiet = succession(history.steps)
        return _plain(history, "retained", Pattern.ONCE, nothing, history.steps, quiet)
    if history.lag < LATE_LAG:
        return _plain(history, "in_flight", Pattern.YOUNG, nothing, history.steps)
    if _in_bursts(history):
        return _plain(history, "delayed_free", Pattern.LATE, nothing, history.steps)
    return _plain(history, "bounded", Pattern.LEVELS_OFF, nothing, history.steps)


def _in_bursts(history: History) -> bool:
    """Tell whether releases come in few steps, several steps' worth at a time."""
    carried = int(np.count_nonzero(history.carried))
    return 2 * int(np.count_nonzero(history.freed)) <= carried


def _plain(
    history: History,
    kind: FindingKind,
    pattern: Pattern,
    occasions: Int64,
    eligible: int,
    confidence: float | None = None,
) -> Judgement:
    return Judgement(
        group=history.group,
        kind=kind,
        pattern=pattern,
        confidence=confidence,
        survivors=history.survivors,
        occasions=occasions,
        eligible=eligible,
        period=float(max(history.lag + 1, 1)),
    )
