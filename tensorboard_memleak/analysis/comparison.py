"""Two memories side by side: whether what grew before has stopped growing, site by site.

Only rates are compared, never what survives: that hangs on how long a window is. A rate is that of
growth findings, with the range that its evidence allows; two rates differ where their ranges do not
meet. Blind spot: a step that holds other work than before has another rate for no other reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from tensorboard_memleak.analysis.findings import is_sure
from tensorboard_memleak.analysis.site_matching import Match, match_sites
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.findings import Finding

Change = Literal["gone", "absent", "slower", "same", "faster", "new"]
Outcome = Literal["fixed", "slower", "same", "faster", "new_leak", "no_leak", "unclear"]


@dataclass(frozen=True, slots=True)
class Rate:
    """Growth in allocated bytes a step and its range; 0 means that nothing grows."""

    bytes_per_step: int
    low: int
    high: int


NO_GROWTH = Rate(0, 0, 0)


@dataclass(frozen=True, slots=True)
class Pair:
    """One site in both memories, with its rates (`None`: absent on that side, or untold).

    `change` is `None` where nothing grows or a rate is not known. `absent` is growth whose site
    allocates nothing afterwards: gone, or its code did not run.
    """

    match: Match
    before: Rate | None
    after: Rate | None
    change: Change | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Pairs with the greatest change of rate first; `before` and `after` are rates of the whole.

    `absent` says that all that grew before belongs to sites that allocate nothing afterwards.
    """

    outcome: Outcome
    before: Rate | None
    after: Rate | None
    confidence: float | None
    absent: bool
    pairs: tuple[Pair, ...]


def compare(before: MemoryAnalysis, after: MemoryAnalysis) -> Comparison:
    """Return what changed from one memory to another."""
    old, new = _site_rates(before), _site_rates(after)
    pairs = [
        _pair(match, _sum(old[index] for index in match.before), _sum(new[i] for i in match.after))
        for match in match_sites(before.sites.sites, after.sites.sites)
    ]
    pairs.sort(key=_urgency)
    was, now = _whole(before), _whole(after)
    grew = [one for one in pairs if one.before is not None and one.before.bytes_per_step > 0]
    sure = (before.diagnosis.confidence, after.diagnosis.confidence)
    known = [one for one in sure if one is not None]
    return Comparison(
        outcome=_outcome(was, now),
        before=was,
        after=now,
        confidence=min(known) if len(known) == len(sure) else None,
        absent=bool(grew) and all(one.change == "absent" for one in grew),
        pairs=tuple(pairs),
    )


def _whole(analysis: MemoryAnalysis) -> Rate | None:
    """Return the rate of all leaks of a memory, `None` where the verdict leaves it open."""
    verdict = analysis.diagnosis.verdict
    if verdict == "no_leak":
        return NO_GROWTH
    sure = [one for one in analysis.diagnosis.findings if is_sure(one) and not one.expected]
    return _sum(_rate(one) for one in sure) if verdict == "leak" else None


def _site_rates(analysis: MemoryAnalysis) -> list[Rate | None]:
    """Return the growth of each site, `None` where only that of several together is known.

    What is still in use in a memory that was not decided may grow or not: that is unknown too.
    """
    rates: list[Rate | None] = [NO_GROWTH] * len(analysis.sites.sites)
    for one in _single(analysis.diagnosis.findings):
        growing = one.kind == "growth"
        open_end = analysis.diagnosis.verdict == "inconclusive"
        if not growing and not open_end:
            continue
        rate = _rate(one) if growing and len(one.site_indices) == 1 else None
        for index in one.site_indices:
            rates[index] = _sum([rates[index], rate])
    return rates


def _single(findings: Sequence[Finding]) -> list[Finding]:
    return [part for one in findings for part in (one.parts or (one,))]


def _rate(finding: Finding) -> Rate | None:
    rate = finding.bytes_per_step
    if rate is None:
        return None
    low, high = finding.rate_low, finding.rate_high
    return Rate(rate, rate if low is None else low, rate if high is None else high)


def _sum(rates: Iterable[Rate | None]) -> Rate | None:
    """Add rates up; what is not known leaves the sum unknown, and so does nothing at all."""
    total: Rate | None = None
    for one in rates:
        if one is None:
            return None
        total = one if total is None else _plus(total, one)
    return total


def _plus(one: Rate, other: Rate) -> Rate:
    return Rate(
        one.bytes_per_step + other.bytes_per_step, one.low + other.low, one.high + other.high
    )


def _pair(match: Match, before: Rate | None, after: Rate | None) -> Pair:
    return Pair(match, before, after, _change(match, before, after))


def _change(match: Match, before: Rate | None, after: Rate | None) -> Change | None:
    if not match.after:
        return "absent" if before is not None and before.bytes_per_step > 0 else None
    if not match.before:
        before = NO_GROWTH
    if before is None or after is None:
        return None
    if not after.bytes_per_step:
        return "gone" if before.bytes_per_step else None
    return "new" if not before.bytes_per_step else _relation(before, after)


def _relation(before: Rate, after: Rate) -> Literal["slower", "same", "faster"]:
    if after.high < before.low:
        return "slower"
    return "faster" if after.low > before.high else "same"


def _outcome(before: Rate | None, after: Rate | None) -> Outcome:
    if before is None or after is None:
        return "unclear"
    if not after.bytes_per_step:
        return "fixed" if before.bytes_per_step else "no_leak"
    return "new_leak" if not before.bytes_per_step else _relation(before, after)


def _urgency(pair: Pair) -> tuple[bool, int]:
    was = pair.before.bytes_per_step if pair.before else 0
    now = pair.after.bytes_per_step if pair.after else 0
    return pair.change is None, -abs(now - was)
