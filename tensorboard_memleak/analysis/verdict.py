"""The verdict on one memory, with its reason in one sentence.

`leak`: at least one group grows with confidence. `no_leak`: enough steps, and nothing that stays
keeps coming. `inconclusive`: something may grow, or what stays cannot be told from a leak because
the window has too few steps, or the capture shows kernels' work space and no tensor at all.
`no_events`: the allocator told nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.analysis.confidence import QUIET, succession
from tensorboard_memleak.analysis.findings import is_sure
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Finding, Totals, VerdictName

FEWEST_STEPS: Final = 6
"""With fewer steps, what stays cannot be told from what keeps coming."""
FEWEST_INFERRED: Final = 10
"""The same for steps that nothing marks: they may be something else."""

_NO_TENSORS: Final = (
    "This is only the work space of kernels: the memory that tensors lie in wrote no events, so a "
    "leak of tensors cannot show."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of one memory. The confidence of `inconclusive` is unknown by definition."""

    name: VerdictName
    confidence: float | None
    reason: str


def decide(
    steps: Steps,
    totals: Totals,
    findings: Sequence[Finding],
    unmatched_survivors: int,
    tensors_show: bool = True,
) -> Verdict:
    """Return the verdict of one memory.

    `unmatched_survivors` are those beyond one for each pre-window block of their size that went:
    where there are none the memory holds at the end what it held at the start. Without
    `tensors_show` the capture has no memory that tensors lie in, so that it cannot clear them.
    """
    if totals.allocations + totals.deallocations == 0:
        return Verdict("no_events", None, "This memory has no allocator events in the capture.")
    sure = [one for one in findings if is_sure(one)]
    if sure:
        return Verdict("leak", max(one.confidence or 0 for one in sure), _leak_reason(sure))
    suspects = [one for one in findings if one.kind == "growth"]
    if suspects:
        return Verdict("inconclusive", None, _suspect_reason(suspects[0], steps))
    if not tensors_show:
        return Verdict("inconclusive", None, _NO_TENSORS)
    if unmatched_survivors and (_few(steps) or _too_recent(findings)):
        return Verdict("inconclusive", None, _few_reason(steps, totals))
    return Verdict("no_leak", _confidence(steps, findings), _clean_reason(steps, totals, findings))


def _few(steps: Steps) -> bool:
    if steps.source == "pattern":
        return len(steps) < FEWEST_INFERRED
    return len(steps) < FEWEST_STEPS or steps.source in ("slices", "none")


def _parts(findings: Sequence[Finding]) -> list[Finding]:
    return [part for whole in findings for part in (whole.parts or (whole,))]


def _too_recent(findings: Sequence[Finding]) -> bool:
    """Tell whether something was kept so late that the window cannot show that it stopped."""
    return any(
        one.kind == "retained" and one.confidence is not None and one.confidence < QUIET
        for one in _parts(findings)
    )


def _leak_reason(sure: Sequence[Finding]) -> str:
    if len(sure) == 1:
        return f"{sure[0].title}."
    rate = bytes_text(sum(one.bytes_per_step or 0 for one in sure))
    return f"{len(sure)} leaks take {rate} a step, most of it {site_text(sure[0].site)}."


def _suspect_reason(suspect: Finding, steps: Steps) -> str:
    why = _why_few(steps)
    if steps.source == "markers" and suspect.detail.rpartition("Less than certain: ")[1]:
        why = suspect.detail.rpartition("Less than certain: ")[2].rstrip(".")
    return f"{suspect.title}; {why}. A longer capture with step markers can tell."


def _few_reason(steps: Steps, totals: Totals) -> str:
    held = (
        f"{count_text(totals.survivor_blocks, 'block')}, {bytes_text(totals.survivor_bytes or 0)}"
    )
    return (
        f"What was allocated in the window and is still in use ({held}) cannot be told from a "
        f"leak: {_why_few(steps)}."
    )


def _why_few(steps: Steps) -> str:
    if not len(steps):
        return "the capture has no steps"
    if steps.source == "pattern":
        return "nothing marks the steps, they are inferred from what recurs"
    if steps.source == "slices":
        return "nothing marks the steps, equal slices of time stand for them"
    return f"the capture holds only {count_text(len(steps), 'step')}"


def _confidence(steps: Steps, findings: Sequence[Finding]) -> float:
    """Return the least sure of what `no_leak` rests on."""
    known = [one.confidence for one in _parts(findings) if one.confidence is not None]
    return min([succession(len(steps)), *known])


def _clean_reason(steps: Steps, totals: Totals, findings: Sequence[Finding]) -> str:
    if not totals.survivor_blocks:
        return "Everything that was allocated in the window was also freed in it."
    kinds = {one.kind for one in findings}
    words = {
        "retained": "kept once",
        "bounded": "held by something that has levelled off",
        "delayed_free": "freed late",
        "in_flight": "in flight",
    }
    named = [text for kind, text in words.items() if kind in kinds]
    several = totals.survivor_blocks != 1
    return (
        f"{count_text(totals.survivor_blocks, 'block')} {'stay' if several else 'stays'} at the "
        f"end of {count_text(len(steps), 'step')}: {' or '.join(named) or 'replaced'}; nothing "
        "keeps coming."
    )
