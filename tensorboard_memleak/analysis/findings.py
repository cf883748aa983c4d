"""From judgements to findings: the numbers, the words and the order to act in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.advice import Framework, advice_for
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.blocks import Blocks, BlockSteps
from tensorboard_memleak.model.findings import Evidence, Finding, Severity, Site, Sites
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import NO_STRING, HostTrace, Int64, MemoryEvents

SURE: Final = 0.87
"""Growth is called a leak from this confidence on: six steps in a row that keep and never free."""
_ORDER: Final = ("growth", "delayed_free", "bounded", "retained", "in_flight")


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


def write_findings(scene: Scene, judged: Sequence[tuple[int, Judgement]]) -> tuple[Finding, ...]:
    """Return the findings of one memory, what to act on first standing first."""
    growth = [_finding(scene, site, one) for site, one in judged if one.kind == "growth"]
    growth.sort(key=lambda one: (-(one.confidence or 0) >= -SURE, -(one.bytes_per_step or 0)))
    others: list[Finding] = []
    for kind in _ORDER[1:]:
        parts = [_finding(scene, site, one) for site, one in judged if one.kind == kind]
        parts.sort(key=lambda one: (-one.bytes, one.site.op))
        if kind in ("retained", "in_flight") and len(parts) > 1:
            parts = [_together(parts)]
        others.extend(parts)
    numbered = [*growth, *others]
    return tuple(replace(one, id=f"f{index + 1}") for index, one in enumerate(numbered))


def _finding(scene: Scene, index: int, one: Judgement) -> Finding:
    blocks, rows = scene.blocks, one.survivors
    site = _narrowed(scene, scene.sites.sites[index], rows)
    size = np.maximum(blocks.allocation_bytes[rows], 0)
    birth = scene.block_steps.birth[rows]
    inside = birth >= 0
    by_step = np.bincount(birth[inside], minlength=scene.step_count)
    bytes_by_step = np.bincount(birth[inside], size[inside], minlength=scene.step_count)
    requested = blocks.requested_bytes[rows]
    title, detail = _words(one, site, len(rows), int(size.sum()))
    return Finding(
        id="",
        kind=one.kind,
        severity=_severity(one),
        confidence=one.confidence,
        title=title,
        detail=detail,
        advice=advice_for(one.kind, scene.framework),
        site=site,
        blocks=len(rows),
        bytes=int(size.sum()),
        requested_bytes=int(requested.sum()) if np.all(requested >= 0) else None,
        bytes_per_step=one.rate,
        rate_low=one.rate_low,
        rate_high=one.rate_high,
        first_step=int(birth[inside].min()) if inside.any() else None,
        last_step=int(birth[inside].max()) if inside.any() else None,
        steps_with_survivors=int(np.count_nonzero(by_step)),
        evidence=Evidence(rows, by_step.astype(np.int64), bytes_by_step.astype(np.int64)),
        site_indices=(index,),
    )


def _narrowed(scene: Scene, site: Site, rows: Int64) -> Site:
    """Return the site as these blocks tell it: their shape, type, region, thread and stack."""
    birth = scene.blocks.birth_event[rows]
    events, strings = scene.events, scene.trace.strings
    stack = _most_frequent(events.stack[birth])
    thread = _most_frequent(events.thread[birth])
    threads = scene.trace.threads
    return replace(
        site,
        shape=strings[_common(events.shape[birth])],
        dtype=strings[_common(events.dtype[birth])],
        region=strings[_common(events.region[birth])],
        thread=threads[thread].name if 0 <= thread < len(threads) else "",
        stack=tuple(strings[frame] for frame in scene.trace.stacks.path(stack)),
    )


def _common(column: np.ndarray[tuple[int], np.dtype[np.int32]]) -> int:
    return int(column[0]) if np.all(column == column[0]) else NO_STRING


def _most_frequent(column: np.ndarray[tuple[int], np.dtype[np.int32]]) -> int:
    values, counts = np.unique(column, return_counts=True)
    return int(values[np.argmax(counts)])


def _severity(one: Judgement) -> Severity:
    if one.kind == "growth":
        return "high" if (one.confidence or 0) >= SURE else "medium"
    return "low" if one.kind == "delayed_free" else "info"


def _words(one: Judgement, site: Site, count: int, size: int) -> tuple[str, str]:
    name, held = site_text(site), f"{count_text(count, 'block')}, {bytes_text(size)}"
    if one.pattern is Pattern.BY_SIZE:
        title = (
            f"{name} is replaced by a larger block each step: {bytes_text(one.rate or 0)} a step"
        )
        return title, f"The block handed from step to step grew in {one.occasions} steps."
    if one.kind == "growth":
        verb = "leaks" if (one.confidence or 0) >= SURE else "may leak"
        often = "every step"
        if one.pattern is Pattern.EVERY_KTH:
            often = f"a step, in every {one.period:g}th"
        elif one.pattern is Pattern.IRREGULAR:
            often = "a step, now and then"
        title = f"{name} {verb} {bytes_text(one.rate or 0)} {often}"
        return title, (
            f"{held} born in {one.occasions} of {one.eligible} steps are still in use, "
            "older than this site ever frees one."
        )
    words = {
        Pattern.ONCE: f"{name} is kept: {held}",
        Pattern.LEVELS_OFF: f"{name} levels off at {held}",
        Pattern.REPLACED: f"{name} replaces blocks from before the capture: {held}",
        Pattern.LATE: f"{name} is freed late, about every {one.period:g} steps: {held} at the end",
        Pattern.YOUNG: f"{name} was still in use at the end: {held}",
    }
    return words[one.pattern], ""


def _together(parts: list[Finding]) -> Finding:
    """Put findings of one kind that ask for no action into one, the biggest first."""
    rows = np.concatenate([part.evidence.blocks for part in parts])
    total = sum(part.bytes for part in parts)
    requested = [part.requested_bytes for part in parts]
    first, last = ([getattr(p, name) for p in parts] for name in ("first_step", "last_step"))
    known_first = [step for step in first if step is not None]
    by_step = np.sum([part.evidence.survivors_by_step for part in parts], axis=0)
    held = f"{count_text(len(rows), 'block')}, {bytes_text(total)}"
    verb = "are kept" if parts[0].kind == "retained" else "were still in use at the end"
    return replace(
        parts[0],
        title=f"{held} from {count_text(len(parts), 'site')} {verb}, most of it "
        f"{site_text(parts[0].site)}",
        blocks=len(rows),
        bytes=total,
        requested_bytes=None if None in requested else sum(r for r in requested if r is not None),
        first_step=min(known_first, default=None),
        last_step=max([step for step in last if step is not None], default=None),
        steps_with_survivors=int(np.count_nonzero(by_step)),
        evidence=Evidence(
            np.sort(rows),
            by_step,
            np.sum([part.evidence.survivor_bytes_by_step for part in parts], axis=0),
        ),
        site_indices=tuple(index for part in parts for index in part.site_indices),
        parts=tuple(parts),
    )
