"""All findings of one memory, in the order in which to act on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.causes import by_cause, parts_text
from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.fragmentation import Squeeze
from tensorboard_memleak.analysis.judging import Judged, Judgements
from tensorboard_memleak.analysis.resting import resting_findings
from tensorboard_memleak.analysis.scene import Scene
from tensorboard_memleak.analysis.squeezed import squeeze_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.findings import SEVERITIES, Finding
from tensorboard_memleak.model.judgement import Pattern

MOST_GROWING: Final = 200
"""Growing sites that are told one by one; the rest stand together in one last finding."""


def write_findings(
    scene: Scene, judgements: Judgements, squeeze: Squeeze | None
) -> tuple[Finding, ...]:
    """Return the findings of one memory, what to act on first standing first."""
    squeezed = [squeeze_finding(scene, squeeze)] if squeeze else []
    resting = resting_findings(scene, judgements)
    found = [*_growth(scene, judgements.growing), *squeezed, *resting]
    ordered = sorted(found, key=lambda one: SEVERITIES.index(one.severity))
    return tuple(_numbered(one, f"f{place}") for place, one in enumerate(ordered, start=1))


def _numbered(finding: Finding, name: str) -> Finding:
    """Give a finding its id, and its parts theirs: f1.1, f1.2."""
    parts = (_numbered(one, f"{name}.{n}") for n, one in enumerate(finding.parts, start=1))
    return replace(finding, id=name, parts=tuple(parts))


def is_sure(finding: Finding) -> bool:
    """Tell whether a finding is a leak as far as this tool calls it one."""
    return finding.kind == "growth" and (finding.confidence or 0) >= SURE


def _growth(scene: Scene, growing: Sequence[Judged]) -> list[Finding]:
    ranked = sorted(growing, key=_rank)
    told = [(one, scene.finding(one.site, one.judgement)) for one in ranked[:MOST_GROWING]]
    told.sort(key=lambda pair: _urgency(pair[1]))
    grouped = by_cause(
        [finding for _, finding in told],
        [one.judgement.pattern is not Pattern.BY_SIZE for one, _ in told],
    )
    findings = sorted((_retold(one) for one in grouped), key=_urgency)
    return findings + _rest(scene, ranked[MOST_GROWING:])


def _rank(one: Judged) -> tuple[bool, int, int]:
    judgement = one.judgement
    return ((judgement.confidence or 0) < SURE, -(judgement.rate or 0), one.site)


def _urgency(finding: Finding) -> tuple[bool, int, str]:
    return (not is_sure(finding), -(finding.bytes_per_step or 0), finding.site.op)


def _retold(finding: Finding) -> Finding:
    """Say the title of several sites with their sum."""
    if not finding.parts:
        return finding
    verb = "leak" if is_sure(finding) else "may leak"
    more = count_text(len(finding.parts) - 1, "more site")
    rate = bytes_text(finding.bytes_per_step or 0)
    how = "every step" if finding.pattern == "every step" else f"a step, {finding.pattern}"
    return replace(
        finding,
        title=f"{site_text(finding.site)} and {more} {verb} {rate} {how}",
        detail=parts_text(finding.parts),
    )


def _rest(scene: Scene, growing: Sequence[Judged]) -> list[Finding]:
    if not growing:
        return []
    rows = np.sort(np.concatenate([one.judgement.survivors for one in growing]))
    largest = scene.finding(growing[0].site, growing[0].judgement)
    rate = sum(one.judgement.rate or 0 for one in growing)
    verb = "leak" if is_sure(largest) else "may leak"
    return [
        replace(
            scene.counted(largest, rows),
            title=f"{count_text(len(growing), 'more site')} {verb} {bytes_text(rate)} a step",
            detail=f"Slower than the {MOST_GROWING} sites above; the fastest of them is shown.",
            bytes_per_step=rate,
            rate_low=sum(one.judgement.rate_low or 0 for one in growing),
            rate_high=sum(one.judgement.rate_high or 0 for one in growing),
            site_indices=tuple(sorted({one.site for one in growing})),
        )
    ]
