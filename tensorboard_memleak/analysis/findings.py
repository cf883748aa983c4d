"""From judgements to findings: the numbers, the words and the order to act in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.advice import Framework, advice_for
from tensorboard_memleak.analysis.causes import by_cause, parts_text, together
from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.judging import Judged
from tensorboard_memleak.analysis.titles import detail, rhythm_text, title
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.blocks import Blocks, BlockSteps
from tensorboard_memleak.model.findings import Evidence, Finding, Severity, Site, Sites
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import NO_STRING, HostTrace, Int32, Int64, MemoryEvents

SHARED: Final = ("retained", "in_flight")
"""Kinds that ask for no action: all sites of one kind stand in one finding."""
ORDER: Final = ("delayed_free", "bounded", *SHARED)


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that a finding of one memory is written from."""

    trace: HostTrace
    events: MemoryEvents
    blocks: Blocks
    block_steps: BlockSteps
    sites: Sites
    step_count: int
    framework: Framework


def write_findings(scene: Scene, judged: Sequence[Judged]) -> tuple[Finding, ...]:
    """Return the findings of one memory, what to act on first standing first."""
    ordered = [*_growth(scene, judged), *_others(scene, judged)]
    return tuple(replace(one, id=f"f{index + 1}") for index, one in enumerate(ordered))


def is_sure(finding: Finding) -> bool:
    """Tell whether a finding is a leak as far as this tool calls it one."""
    return finding.kind == "growth" and (finding.confidence or 0) >= SURE


def _growth(scene: Scene, judged: Sequence[Judged]) -> list[Finding]:
    pairs = [
        (_finding(scene, one), one.judgement.pattern is not Pattern.BY_SIZE)
        for one in judged
        if one.judgement.kind == "growth"
    ]
    pairs.sort(key=lambda pair: _urgency(pair[0]))
    grouped = by_cause([one for one, _ in pairs], [may for _, may in pairs])
    return sorted((_retold(one) for one in grouped), key=_urgency)


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


def _others(scene: Scene, judged: Sequence[Judged]) -> list[Finding]:
    result: list[Finding] = []
    for kind in ORDER:
        found = [_finding(scene, one) for one in judged if one.judgement.kind == kind]
        found.sort(key=lambda one: (-one.bytes, one.site.op))
        if kind in SHARED and len(found) > 1:
            found = [_shared(found)]
        result.extend(found)
    return result


def _shared(parts: list[Finding]) -> Finding:
    whole = together(parts)
    held = f"{count_text(whole.blocks, 'block')}, {bytes_text(whole.bytes)}"
    verb = "are kept" if whole.kind == "retained" else "were still in use when the capture ended"
    sure = [part.confidence for part in parts if part.confidence is not None]
    return replace(
        whole,
        confidence=min(sure, default=None),
        title=f"{held} from {count_text(len(parts), 'site')} {verb}, most of it "
        f"{site_text(whole.site)}",
    )


def _finding(scene: Scene, judged: Judged) -> Finding:
    one, rows = judged.judgement, judged.judgement.survivors
    size = np.maximum(scene.blocks.allocation_bytes[rows], 0)
    requested = scene.blocks.requested_bytes[rows]
    birth = scene.block_steps.birth[rows]
    inside = birth >= 0
    by_step = np.bincount(birth[inside], minlength=scene.step_count).astype(np.int64)
    bytes_by_step = np.bincount(birth[inside], size[inside], minlength=scene.step_count)
    site = _narrowed(scene, scene.sites.sites[judged.site], rows)
    total = int(size.sum())
    return Finding(
        id="",
        kind=one.kind,
        severity=_severity(one),
        confidence=one.confidence,
        title=title(one, site, len(rows), total),
        detail=detail(one, len(rows), total),
        advice=advice_for(one.kind, scene.framework),
        site=site,
        blocks=len(rows),
        bytes=total,
        requested_bytes=int(requested.sum()) if np.all(requested >= 0) else None,
        bytes_per_step=one.rate,
        rate_low=one.rate_low,
        rate_high=one.rate_high,
        first_step=int(birth[inside].min()) if inside.any() else None,
        last_step=int(birth[inside].max()) if inside.any() else None,
        steps_with_survivors=int(np.count_nonzero(by_step)),
        evidence=Evidence(rows, by_step, bytes_by_step.astype(np.int64)),
        site_indices=(judged.site,),
        pattern=rhythm_text(one),
    )


def _narrowed(scene: Scene, site: Site, rows: Int64) -> Site:
    """Return the site as these blocks tell it: their shape, type, region, thread and stack."""
    birth = scene.blocks.birth_event[rows]
    events, strings, threads = scene.events, scene.trace.strings, scene.trace.threads
    stack = _most_frequent(events.stack[birth])
    thread = _most_frequent(events.thread[birth])
    return replace(
        site,
        shape=strings[_common(events.shape[birth])],
        dtype=strings[_common(events.dtype[birth])],
        region=strings[_common(events.region[birth])],
        thread=threads[thread].name if 0 <= thread < len(threads) else "",
        stack=tuple(strings[frame] for frame in scene.trace.stacks.path(stack)),
    )


def _common(column: Int32) -> int:
    return int(column[0]) if np.all(column == column[0]) else NO_STRING


def _most_frequent(column: Int32) -> int:
    values, counts = np.unique(column, return_counts=True)
    return int(values[np.argmax(counts)])


def _severity(one: Judgement) -> Severity:
    if one.kind == "growth":
        return "high" if (one.confidence or 0) >= SURE else "medium"
    return "low" if one.kind == "delayed_free" else "info"
