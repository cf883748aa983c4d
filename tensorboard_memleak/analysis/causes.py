"""Growth findings that share one cause, put together as parts of one finding.

A kept tape keeps many activations, a rebuilt model its variables, their handles and its optimizer's
slots. Such sites gain blocks in the same steps, on the same thread. That is all the evidence there
is, so the finding says "in the same steps" and not "for the same reason".

Blind spot: two unrelated leaks that each keep something in every step look alike and stand
together; each keeps its own numbers as a part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.findings import Evidence, Finding

ALIKE: Final = 0.8
"""Share of steps that two sites must have in common, of those in which either gained blocks."""


def by_cause(growth: Sequence[Finding], mergeable: Sequence[bool]) -> list[Finding]:
    """Put together what grows in the same steps; `growth` stands with the fastest first."""
    groups: list[list[Finding]] = []
    for finding, may in zip(growth, mergeable, strict=True):
        home = next((g for g in groups if may and _alike(g[0], finding)), None)
        if home is not None:
            home.append(finding)
        elif may:
            groups.append([finding])
    alone = [one for one, may in zip(growth, mergeable, strict=True) if not may]
    return [together(group) if len(group) > 1 else group[0] for group in groups] + alone


def _alike(first: Finding, second: Finding) -> bool:
    if first.site.thread != second.site.thread:
        return False
    a, b = first.evidence.survivors_by_step > 0, second.evidence.survivors_by_step > 0
    either = int(np.count_nonzero(a | b))
    return either > 0 and int(np.count_nonzero(a & b)) >= ALIKE * either


def together(parts: Sequence[Finding]) -> Finding:
    """Return one finding over several, the first of which gives it its site and its words."""
    rows = np.sort(np.concatenate([part.evidence.blocks for part in parts]))
    by_step = np.sum([part.evidence.survivors_by_step for part in parts], axis=0)
    bytes_by_step = np.sum([part.evidence.survivor_bytes_by_step for part in parts], axis=0)
    grounds = np.sort(np.concatenate([part.evidence.grounds for part in parts]))
    confident = [part.confidence for part in parts if part.confidence is not None]
    return replace(
        parts[0],
        confidence=max(confident, default=None),
        blocks=sum(part.blocks for part in parts),
        bytes=sum(part.bytes for part in parts),
        requested_bytes=_sum([part.requested_bytes for part in parts]),
        bytes_per_step=_sum([part.bytes_per_step for part in parts]),
        rate_low=_sum([part.rate_low for part in parts]),
        rate_high=_sum([part.rate_high for part in parts]),
        first_step=min((p.first_step for p in parts if p.first_step is not None), default=None),
        last_step=max((p.last_step for p in parts if p.last_step is not None), default=None),
        steps_with_survivors=int(np.count_nonzero(by_step)),
        evidence=Evidence(rows, by_step, bytes_by_step, grounds),
        site_indices=tuple(dict.fromkeys(i for part in parts for i in part.site_indices)),
        parts=tuple(parts),
    )


def _sum(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def parts_text(parts: Sequence[Finding]) -> str:
    """List the sites of one cause with what each takes."""
    listed = "; ".join(f"{part.title}" for part in parts[:5])
    more = f"; {count_text(len(parts) - 5, 'more site')}" if len(parts) > 5 else ""
    total = bytes_text(sum(part.bytes for part in parts))
    return f"{count_text(len(parts), 'site')} gain blocks in the same steps, {total} so far: " + (
        listed + more + "."
    )
