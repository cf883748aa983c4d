"""Our answer on a capture, and whether it is the right one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.readers.xplane import read_host_trace

#: A rate is over the steps that a window shows; blocks born between steps belong to none.
RATE_TOLERANCE = 0.1
URGENCY = ("leak", "inconclusive", "no_leak", "no_events")


@dataclass(frozen=True)
class Answer:
    """What we say of one host: its most urgent verdict, and the findings of that memory."""

    verdict: str
    confidence: float | None
    survivors: int
    findings: tuple[Finding, ...]
    warnings: tuple[str, ...]

    @property
    def growing(self) -> tuple[Finding, ...]:
        """The growth findings, parts of one cause included."""
        whole = [one for one in self.findings if one.kind == "growth"]
        return tuple(part for one in whole for part in (one, *one.parts))

    @property
    def first_site(self) -> str:
        """Where the first finding comes from: its op, or the stack around it."""
        return site_text(self.findings[0]) if self.findings else ""


def site_text(finding: Finding) -> str:
    """The op of a finding's site, else its stack, innermost frame first."""
    return finding.site.op or " < ".join(finding.site.stack)


def ask(xplane: Path) -> Answer:
    """Read and diagnose one file."""
    trace = read_host_trace(xplane.read_bytes(), xplane.name.partition(".")[0], str(xplane))
    memories = diagnose(trace).memories
    warnings = tuple(notice.code for notice in trace.notices)
    if not memories:
        return Answer("no_events", None, 0, (), warnings)
    worst = min(memories, key=_urgency)
    diagnosis = worst.diagnosis
    survivors = sum(one.diagnosis.totals.survivor_blocks for one in memories)
    return Answer(diagnosis.verdict, diagnosis.confidence, survivors, diagnosis.findings, warnings)


def _urgency(memory: MemoryAnalysis) -> int:
    return URGENCY.index(memory.diagnosis.verdict)


def faults(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    """What is wrong with an answer, in words; nothing if it is right."""
    checks = (_verdict, misnamed, _also, _survivors, _rate, _frame, _kind, _warning, _clean)
    return [fault for check in checks for fault in check(answer, truth)]


def _verdict(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    if answer.verdict in truth["accept"]:
        return []
    return [f"says {answer.verdict}, right is {' or '.join(truth['accept'])}"]


def misnamed(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    """The first finding is not at one of the sites that leak."""
    ops = truth.get("ops", ())
    if not ops or any(op in answer.first_site for op in ops):
        return []
    return [f"{answer.first_site or 'nothing'} stands first, right is {' or '.join(ops)}"]


def _also(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    named = [site_text(one) for one in answer.growing]
    missing = [op for op in truth.get("also", ()) if not any(op in name for name in named)]
    return [f"no growth found at {op}" for op in missing]


def _survivors(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    right = truth.get("survivors")
    if right in (None, answer.survivors):
        return []
    return [f"counts {answer.survivors} survivors, right is {right}"]


def _rate(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    """Truth counts requested bytes and findings allocated ones: as said, or scaled to requests."""
    right = truth.get("requested_bytes_per_step")
    if right is None or answer.verdict != "leak":
        return []
    whole = [one for one in answer.findings if one.kind == "growth"]
    said = sum(one.bytes_per_step or 0 for one in whole)
    scaled = sum(requested_per_step(one) for one in whole)
    if min(abs(said - right), abs(scaled - right)) <= RATE_TOLERANCE * right:
        return []
    return [f"says {said} bytes a step, right is {right}"]


def requested_per_step(finding: Finding) -> float:
    """A finding's rate, scaled by what its blocks asked for of what they got."""
    if not (finding.bytes and finding.requested_bytes and finding.bytes_per_step):
        return 0.0
    return finding.bytes_per_step * finding.requested_bytes / finding.bytes


def _frame(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    right = truth.get("frame")
    stacks = [frame for one in answer.growing for frame in one.site.stack]
    if right is None or any(right in frame for frame in stacks):
        return []
    return [f"{right} is on no stack"]


def _kind(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    right = truth.get("kind")
    if right is None or any(one.kind == right for one in answer.findings):
        return []
    return [f"no finding is {right}"]


def _warning(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    right = truth.get("warning")
    return [] if right is None or right in answer.warnings else [f"no warning {right}"]


def _clean(answer: Answer, truth: Mapping[str, Any]) -> list[str]:
    """A clean capture has no growth finding, however small."""
    if "leak" in truth["accept"] or "inconclusive" in truth["accept"]:
        return []
    return [f"growth claimed at {site_text(one)}" for one in answer.growing]
