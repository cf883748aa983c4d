"""Findings that rest on a compiled program or on snapshots, not on the events of a memory."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.findings import Evidence, Finding, FindingKind, Severity, Site

NO_EVIDENCE: Final = Evidence(*(np.zeros(0, np.int64) for _ in range(3)))


def static_finding(
    *,
    kind: FindingKind,
    severity: Severity,
    confidence: float | None,
    title: str,
    detail: str,
    advice: str,
    site: Site,
    blocks: int,
    size_bytes: int,
    parts: tuple[Finding, ...] = (),
    pattern: str = "",
) -> Finding:
    """Return a finding of a program or of snapshots: without steps and blocks of a memory."""
    return Finding(
        id="",
        kind=kind,
        severity=severity,
        confidence=confidence,
        title=title,
        detail=detail,
        advice=advice,
        site=site,
        blocks=blocks,
        bytes=size_bytes,
        requested_bytes=None,
        bytes_per_step=None,
        rate_low=None,
        rate_high=None,
        first_step=None,
        last_step=None,
        steps_with_survivors=None,
        evidence=NO_EVIDENCE,
        parts=parts,
        pattern=pattern,
    )
