"""Is a group of blocks growing? Told by the steps that its survivors come from.

Let `lag` be the largest age in steps at which the group ever frees a block. A survivor is *old* if
it is older than that: by the group's own habit it should be gone. Steps that hold old survivors are
*occasions*, steps that could are *eligible*.

* Occasions that go on to the end of the eligible steps: growth.
* Occasions that stop: kept once, or levelled off where births and releases go on.
* No occasion: in flight, or released late.
* As many pre-window blocks of the same size freed as were kept: replaced, not growing.

Confidence is the rule of succession (see docs/diagnosis.md): after `m` steps that kept something
and never gave it back, the chance that the next one is kept too is `(m + 1) / (m + 2)`.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.histories import History
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Float64, Int64

FEWEST_OCCASIONS: Final = 3
SUSPICION: Final = 0.8
"""Confidence is at most this where the window cannot tell growth from something harmless."""
LATE_LAG: Final = 3
"""Blocks freed this many steps later are freed late; fewer is a pipeline's normal depth."""


def judge(history: History) -> Judgement | None:
    """Say what the survivors of one group amount to, `None` if it has none."""
    if not len(history.survivors):
        return None
    eligible = max(history.steps - 1 - history.lag, 0)
    occasions = np.flatnonzero(history.kept[:eligible])
    if _replaced(history):
        return _made(history, "bounded", Pattern.REPLACED, occasions, eligible, None)
    if not len(occasions):
        return _young(history)
    if len(occasions) < FEWEST_OCCASIONS or _stopped(occasions, eligible):
        return _settled(history, occasions, eligible)
    return _growing(history, occasions, eligible)


def succession(kept: int, given_back: int = 0) -> float:
    """Return the chance that the next one is kept too: the mean of a uniform prior's posterior."""
    return (kept + 1) / (kept + given_back + 2)


def _stopped(occasions: Int64, eligible: int) -> bool:
    """Tell whether no occasion came for longer than the longest pause between them."""
    silence = eligible - 1 - int(occasions[-1])
    longest = int(np.diff(occasions).max(initial=1))
    return silence > 1 + longest + (longest if len(occasions) < 6 and longest > 1 else 0)


def _replaced(history: History) -> bool:
    """Tell whether as many pre-window blocks of these sizes went as survivors stayed."""
    kept = int(history.kept.sum()) + history.early
    return float(history.replaced.sum()) >= 0.75 * kept


def _growing(history: History, occasions: Int64, eligible: int) -> Judgement:
    gaps = np.diff(occasions)
    period = float(np.median(gaps))
    regular = bool(np.all(gaps == period)) or float(gaps.std()) <= 0.34 * float(gaps.mean())
    pattern = Pattern.EVERY_STEP if period == 1 else Pattern.EVERY_KTH
    if not regular and period > 1:
        pattern = Pattern.IRREGULAR
    confidence = succession(len(occasions))
    if history.lag >= LATE_LAG and period >= history.lag and _in_bursts(history):
        # What is alive when a collector runs moves to its older generation: no more than a
        # suspicion as long as that generation has not been collected in the window.
        confidence = min(confidence, SUSPICION)
    rate = _rate(history.kept_bytes[:eligible], occasions)
    return _made(history, "growth", pattern, occasions, eligible, confidence, rate)


def _rate(kept_bytes: Int64, occasions: Int64) -> tuple[int, int, int]:
    """Return bytes a step: the median occasion over the mean distance between occasions.

    The range comes from the quartiles of the occasions. Zero steps between occasions count, so
    that 100 bytes every fifth step are 20 bytes a step.
    """
    amounts = kept_bytes[occasions].astype(np.float64)
    distance = (int(occasions[-1]) - int(occasions[0])) / max(len(occasions) - 1, 1)
    low, middle, high = np.quantile(amounts, [0.25, 0.5, 0.75]) / max(distance, 1.0)
    return round(middle), int(np.floor(low)), int(np.ceil(high))


def _settled(history: History, occasions: Int64, eligible: int) -> Judgement:
    """Judge a group whose survivors are old and have stopped coming, or are too few to tell."""
    stopped = _stopped(occasions, eligible)
    if history.lag >= LATE_LAG and _in_bursts(history):
        return _made(history, "delayed_free", Pattern.LATE, occasions, eligible, None)
    silence = eligible - 1 - int(occasions[-1])
    after = int(history.born[int(occasions[-1]) + 1 :].sum())
    if len(occasions) >= FEWEST_OCCASIONS and after and stopped:
        kind, pattern = "bounded", Pattern.LEVELS_OFF
        return _made(history, kind, pattern, occasions, eligible, succession(silence))
    return _made(history, "retained", Pattern.ONCE, occasions, eligible, succession(silence))


def _young(history: History) -> Judgement:
    """Judge a group whose survivors are all younger than what it usually frees."""
    nothing = np.zeros(0, np.int64)
    if history.early and not history.kept.sum():
        quiet = succession(history.steps)
        return _made(history, "retained", Pattern.ONCE, nothing, history.steps, quiet)
    if history.lag < LATE_LAG:
        return _made(history, "in_flight", Pattern.YOUNG, nothing, history.steps, None)
    if _in_bursts(history):
        return _made(history, "delayed_free", Pattern.LATE, nothing, history.steps, None)
    return _made(history, "bounded", Pattern.LEVELS_OFF, nothing, history.steps, None)


def _in_bursts(history: History) -> bool:
    """Tell whether releases come in few steps, several steps' worth at a time."""
    busy = int(np.count_nonzero(history.freed))
    carried = int(np.count_nonzero(history.carried))
    return 2 * busy <= carried


def by_size(history: History) -> Judgement | None:
    """Judge growth by size: what each step hands to the next is one block, larger each time."""
    steps = np.flatnonzero(history.carried)
    if len(steps) < FEWEST_OCCASIONS + 2:
        return None
    handed = history.carried_requested[steps] / history.carried[steps]
    change = np.diff(handed)
    up, down = int(np.count_nonzero(change > 0)), int(np.count_nonzero(change < 0))
    if up < FEWEST_OCCASIONS + 1 or up < 9 * down or 3 * up < len(change):
        return None
    if history.lag < 0 or int(history.kept.sum()) > 2 + int(history.carried.max()) * (
        history.lag + 1
    ):
        return None
    slope, _, _ = theil_sen(steps, history.carried_requested[steps].astype(np.float64))
    _, low, high = theil_sen(steps, history.carried_bytes[steps].astype(np.float64))
    if slope <= 0:
        return None
    return _made(
        history,
        "growth",
        Pattern.BY_SIZE,
        steps,
        history.steps,
        succession(up, down),
        (round(slope), int(np.floor(min(low, slope))), int(np.ceil(max(high, slope)))),
    )


def theil_sen(x: Int64, y: Float64, limit: int = 400) -> tuple[float, float, float]:
    """Return the median slope of all pairs, and its quartiles; long series are thinned evenly."""
    if len(x) > limit:
        chosen = np.linspace(0, len(x) - 1, limit).astype(np.int64)
        x, y = x[chosen], y[chosen]
    i, j = np.triu_indices(len(x), 1)
    slopes = (y[j] - y[i]) / (x[j] - x[i])
    low, middle, high = np.quantile(slopes, [0.25, 0.5, 0.75])
    return float(middle), float(low), float(high)


def _made(
    history: History,
    kind: str,
    pattern: Pattern,
    occasions: Int64,
    eligible: int,
    confidence: float | None,
    rate: tuple[int, int, int] | None = None,
) -> Judgement:
    gaps = np.diff(occasions)
    late = history.lag + 1 if pattern is Pattern.LATE else 1
    return Judgement(
        group=history.group,
        kind=kind,  # type: ignore[arg-type]
        pattern=pattern,
        confidence=confidence,
        survivors=history.survivors,
        first_step=int(occasions[0]) if len(occasions) else None,
        last_step=int(occasions[-1]) if len(occasions) else None,
        period=float(late) if late > 1 or not len(gaps) else float(np.median(gaps)),
        occasions=len(occasions),
        eligible=eligible,
        rate=rate[0] if rate else None,
        rate_low=rate[1] if rate else None,
        rate_high=rate[2] if rate else None,
    )
