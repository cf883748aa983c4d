"""The verdict on one memory, with its reason in one sentence.

`leak`: at least one group grows with confidence. `no_leak`: enough steps, and nothing that stays
keeps coming. `inconclusive`: something may grow, or what stays cannot be told from a leak because
the window has too few steps, or the capture shows kernels' work space and no tensor at all.
`no_events`: the allocator told nothing.
"""

from __future__ import annotations

import re
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
ENOUGH: Final = 7
"""With so many steps that kept something growth is sure, be the last too young to count."""
_TENS: Final = 10
MARK_STEPS: Final = "A capture with marked steps can tell."
CAPTURE_MORE: Final = "A longer capture can tell."
CAPTURE_LESS: Final = "Capture fewer steps at a time, so that the profiler loses no events."
_REMEDY: Final = re.compile(
    rf"(?:{re.escape(MARK_STEPS)}|{re.escape(CAPTURE_MORE)}|{re.escape(CAPTURE_LESS)}"
    r"|A capture of [\d\u202f]+ steps can tell\.)"
)


def remedy_of(reason: str) -> str:
    """Return the sentence of a reason that says what to capture, "" where it says none."""
    found = _REMEDY.search(reason)
    return found.group() if found else ""


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
    why, remedy = _why_unsure(suspect, steps)
    return f"{suspect.title}; {why}. {remedy}"


def _why_unsure(suspect: Finding, steps: Steps) -> tuple[str, str]:
    """Say why growth is not sure, and what would tell: only what the capture lacks."""
    doubt = suspect.detail.rpartition("Less than certain: ")
    if steps.source in ("pattern", "slices", "none"):
        return _why_few(steps), MARK_STEPS
    if doubt[1]:
        why = doubt[2].rstrip(".")
        return why, CAPTURE_LESS if "lost" in why else CAPTURE_MORE
    held = suspect.steps_with_survivors or 0
    if held >= ENOUGH:
        return "it does not go on evenly enough to be sure", CAPTURE_MORE
    if held <= 1:
        return f"{count_text(len(steps), 'step')} are too few to be sure", CAPTURE_MORE
    enough = -(-len(steps) * ENOUGH // held // _TENS) * _TENS
    return f"{held} such steps are too few to be sure", _capture_of(enough)


def _capture_of(steps: int) -> str:
    return f"A capture of {count_text(steps, 'step')} can tell."


def _few_reason(steps: Steps, totals: Totals) -> str:
    held = (
        f"{count_text(totals.survivor_blocks, 'block')}, {bytes_text(totals.survivor_bytes or 0)}"
    )
    return (
        f"What was allocated in the window and is still in use ({held}) cannot be told from a "
        f"leak: {_why_few(steps)}. {_remedy_for_few(steps)}"
    )


def _remedy_for_few(steps: Steps) -> str:
    if steps.source in ("pattern", "slices", "none"):
        return MARK_STEPS
    return CAPTURE_MORE if len(steps) >= FEWEST_STEPS else _capture_of(_TENS)


def _why_few(steps: Steps) -> str:
    if not len(steps):
        return "the capture has no steps"
    if steps.source == "pattern":
        return "nothing marks the steps, they are inferred from what recurs"
    if steps.source == "slices":
        return "nothing marks the steps, equal slices of time stand for them"
    if len(steps) >= FEWEST_STEPS:
        return "some of it was kept in the last steps of the capture"
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
