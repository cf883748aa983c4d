"""The verdict on one memory, with its reason in one sentence.

`leak`: at least one group grows with confidence. `no_leak`: enough steps, and nothing that stays
keeps coming. `inconclusive`: something may grow, or what stays cannot be told from a leak because
the window has too few steps. `no_events`: the allocator told nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.analysis.findings import SURE
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Finding, Totals, VerdictName

FEWEST_STEPS: Final = 4
QUIET: Final = 0.75
"""Something kept counts as kept once if at least two steps after it kept nothing more."""
Verdict = tuple[VerdictName, float | None, str]


def decide(steps: Steps, totals: Totals, findings: Sequence[Finding]) -> Verdict:
    """Return the verdict, its confidence and its reason."""
    if totals.allocations + totals.deallocations == 0:
        return "no_events", None, "This memory has no allocator events in the capture."
    growth = [one for one in findings if one.kind == "growth"]
    sure = [one for one in growth if (one.confidence or 0) >= SURE]
    if sure:
        return "leak", max(one.confidence or 0 for one in sure), _leak_reason(sure)
    if growth:
        return (
            "inconclusive",
            None,
            (f"{growth[0].title}, but {_why_unsure(steps)}: capture more steps to be sure."),
        )
    few = len(steps) < FEWEST_STEPS or steps.source == "slices"
    if (few and _unmatched(totals, findings)) or _too_recent(findings):
        return (
            "inconclusive",
            None,
            (
                f"{count_text(totals.survivor_blocks, 'block')} "
                f"({bytes_text(totals.survivor_bytes or 0)}) stay at the end, and "
                f"{_why_unsure(steps)}: whether they keep coming cannot be told."
            ),
        )
    return "no_leak", _confidence(steps), _clean_reason(steps, totals, findings)


def _leak_reason(sure: Sequence[Finding]) -> str:
    rate = sum(one.bytes_per_step or 0 for one in sure)
    if len(sure) == 1:
        return f"{sure[0].title}."
    most = site_text(sure[0].site)
    return f"{len(sure)} sites grow by {bytes_text(rate)} a step, most of it {most}."


def _why_unsure(steps: Steps) -> str:
    if not len(steps):
        return "the capture has no steps"
    if steps.source == "pattern":
        return "no step markers: the steps are inferred from what recurs"
    if steps.source == "slices":
        return "no step markers: equal slices of time stand for steps"
    return f"the capture holds only {count_text(len(steps), 'step')}"


def _too_recent(findings: Sequence[Finding]) -> bool:
    """Tell whether something was kept so late that the window cannot show that it stopped."""
    return any(
        one.kind == "retained" and (one.confidence or 0) < QUIET
        for whole in findings
        for one in (whole.parts or (whole,))
    )


def _unmatched(totals: Totals, findings: Sequence[Finding]) -> int:
    """Return how many survivors are not explained by levelling off or replacing."""
    explained = sum(one.blocks for one in findings if one.kind in ("bounded", "delayed_free"))
    return totals.survivor_blocks - explained


def _confidence(steps: Steps) -> float:
    return (len(steps) + 1) / (len(steps) + 2)


def _clean_reason(steps: Steps, totals: Totals, findings: Sequence[Finding]) -> str:
    if not totals.survivor_blocks:
        return "Everything that was allocated in the window was also freed in it."
    kinds = {one.kind for one in findings}
    words = {
        "retained": "kept once",
        "bounded": "held by something that levels off",
        "delayed_free": "freed late",
        "in_flight": "still in use at the end",
    }
    named = [text for kind, text in words.items() if kind in kinds]
    return (
        f"{count_text(totals.survivor_blocks, 'block')} stay at the end of "
        f"{count_text(len(steps), 'step')}; they are {' or '.join(named)}, none keeps coming."
    )
