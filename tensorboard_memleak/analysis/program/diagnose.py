"""Everything that is to be told of one program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tensorboard_memleak.analysis.program.donation_advice import donation_findings
from tensorboard_memleak.analysis.program.lifetimes import lifetimes
from tensorboard_memleak.analysis.program.long_buffers import long_buffer_findings
from tensorboard_memleak.analysis.program.waste import waste_findings
from tensorboard_memleak.model.findings import SEVERITIES, Finding
from tensorboard_memleak.model.lifetimes import Lifetimes
from tensorboard_memleak.model.program import Program

MAIN_SPACE: Final = 0
"""The device's own memory: what findings and the peak of a module speak of."""


@dataclass(frozen=True, slots=True)
class ProgramDiagnosis:
    """One program, its life in the device's main memory, and what to do about it."""

    program: Program
    lives: Lifetimes
    findings: tuple[Finding, ...]


def diagnose_program(program: Program) -> ProgramDiagnosis:
    """Analyse one program; findings stand in the order to act on them."""
    lives = lifetimes(program, MAIN_SPACE)
    found = [
        *donation_findings(program, lives.peak_bytes),
        *long_buffer_findings(program, lives),
        *waste_findings(program, lives),
    ]
    return ProgramDiagnosis(program, lives, in_order(found, f"p{program.program_id}"))


def in_order(findings: list[Finding], prefix: str) -> tuple[Finding, ...]:
    """Return findings numbered in the order to act on them: by severity, then by bytes."""
    ranked = sorted(findings, key=lambda one: (SEVERITIES.index(one.severity), -one.bytes))
    return tuple(
        replace(finding, id=f"{prefix}-{number}") for number, finding in enumerate(ranked, start=1)
    )
