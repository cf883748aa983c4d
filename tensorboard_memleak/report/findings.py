"""Findings and sites as the report writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.model.findings import Finding, Site
from tensorboard_memleak.report.types import FindingPayload, SitePayload


def finding_payload(finding: Finding, step_numbers: Sequence[int] = ()) -> FindingPayload:
    """Write a finding and its parts.

    `step_numbers` gives the number of each step by its position; findings that know no steps
    need none.
    """
    return {
        "id": finding.id,
        "kind": finding.kind,
        "pattern": finding.pattern,
        "severity": finding.severity,
        "confidence": confidence_payload(finding.confidence),
        "title": finding.title,
        "expected": finding.expected or None,
        "detail": finding.detail,
        "advice": finding.advice,
        "site": site_payload(finding.site),
        "blocks": int(finding.blocks),
        "bytes": int(finding.bytes),
        "requested_bytes": _whole(finding.requested_bytes),
        "bytes_per_step": _whole(finding.bytes_per_step),
        "rate_low_bytes": _whole(finding.rate_low),
        "rate_high_bytes": _whole(finding.rate_high),
        "first_step": _number(finding.first_step, step_numbers),
        "last_step": _number(finding.last_step, step_numbers),
        "steps_with_survivors": _whole(finding.steps_with_survivors),
        "parts": [finding_payload(part, step_numbers) for part in finding.parts],
    }


def site_payload(site: Site) -> SitePayload:
    """Write where blocks come from."""
    return {
        "op": site.op,
        "shape": site.shape,
        "dtype": site.dtype,
        "region": site.region,
        "thread": site.thread,
        "stack": list(site.stack),
        "source": site.source,
        "unknown_why": site.unknown_why,
    }


def _whole(value: int | None) -> int | None:
    # numpy's integers look like Python's until json.dumps refuses them.
    return None if value is None else int(value)


SUREST: Final = 0.9999
"""Nothing that a window shows is certain, and rounding must not make it so."""


def confidence_payload(value: float | None) -> float | None:
    """Write a confidence to four places, below 1; `None` where there is none."""
    return None if value is None or value != value else min(round(float(value), 4), SUREST)


def _number(position: int | None, step_numbers: Sequence[int]) -> int | None:
    if position is None:
        return None
    return int(step_numbers[position]) if position < len(step_numbers) else int(position)
