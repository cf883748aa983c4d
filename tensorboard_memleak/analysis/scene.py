"""Everything that a finding of one memory is written from, and the finding of some blocks."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tensorboard_memleak.analysis.advice import Framework, advice_for
from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.own_code import own_functions
from tensorboard_memleak.analysis.titles import detail, rhythm_text, title
from tensorboard_memleak.model.blocks import Blocks, BlockSteps
from tensorboard_memleak.model.findings import Evidence, Finding, Severity, Site, Sites
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import NO_STRING, HostTrace, Int32, Int64, MemoryEvents


@dataclass(frozen=True, slots=True)
class Scene:
    """One memory, its blocks, and where and when they come from."""

    trace: HostTrace
    events: MemoryEvents
    blocks: Blocks
    block_steps: BlockSteps
    sites: Sites
    step_count: int
    framework: Framework

    def finding(self, site_index: int, one: Judgement) -> Finding:
        """Return the finding that a judgement is; every number comes from its survivors."""
        site = self.narrowed(self.sites.sites[site_index], one.survivors)
        size = int(self.sizes(one.survivors).sum())
        bare = Finding(
            id="",
            kind=one.kind,
            severity=_severity(one),
            confidence=one.confidence,
            title=title(one, site, len(one.survivors), size),
            detail=detail(one, len(one.survivors), size),
            advice=advice_for(
                one.kind,
                self.framework,
                one.pattern is Pattern.BY_SIZE,
                own_functions(site.stack),
            ),
            site=site,
            blocks=0,
            bytes=0,
            requested_bytes=None,
            bytes_per_step=one.rate,
            rate_low=one.rate_low,
            rate_high=one.rate_high,
            first_step=None,
            last_step=None,
            steps_with_survivors=None,
            evidence=Evidence(one.survivors, one.survivors, one.survivors, _grounds(one)),
            site_indices=(site_index,),
            pattern=rhythm_text(one),
        )
        return self.counted(bare, one.survivors)

    def counted(self, finding: Finding, rows: Int64) -> Finding:
        """Return a finding with the numbers of some blocks."""
        size, requested = self.sizes(rows), self.blocks.requested_bytes[rows]
        birth = self.block_steps.birth[rows]
        inside = birth >= 0
        by_step = np.bincount(birth[inside], minlength=self.step_count).astype(np.int64)
        bytes_by_step = np.bincount(birth[inside], size[inside], minlength=self.step_count)
        return replace(
            finding,
            blocks=len(rows),
            bytes=int(size.sum()),
            requested_bytes=int(requested.sum()) if np.all(requested >= 0) else None,
            first_step=int(birth[inside].min()) if inside.any() else None,
            last_step=int(birth[inside].max()) if inside.any() else None,
            steps_with_survivors=int(np.count_nonzero(by_step)),
            evidence=replace(
                finding.evidence,
                blocks=rows,
                survivors_by_step=by_step,
                survivor_bytes_by_step=bytes_by_step.astype(np.int64),
            ),
        )

    def sizes(self, rows: Int64) -> Int64:
        """Return the allocated bytes of some blocks, 0 where they are not told."""
        return np.maximum(self.blocks.allocation_bytes[rows], 0)

    def narrowed(self, site: Site, rows: Int64) -> Site:
        """Return a site as some blocks tell it: their shape, type, region, thread and stack."""
        birth = self.blocks.birth_event[rows]
        events, strings, threads = self.events, self.trace.strings, self.trace.threads
        stack = _most_frequent(events.stack[birth])
        thread = _most_frequent(events.thread[birth])
        return replace(
            site,
            shape=strings[_common(events.shape[birth])],
            dtype=strings[_common(events.dtype[birth])],
            region=strings[_common(events.region[birth])],
            thread=threads[thread].name if 0 <= thread < len(threads) else "",
            stack=tuple(strings[frame] for frame in self.trace.stacks.path(stack)),
        )


def _grounds(one: Judgement) -> Int64:
    return np.zeros(0, np.int64) if one.grounds is None else one.grounds


def _common(column: Int32) -> int:
    return int(column[0]) if np.all(column == column[0]) else NO_STRING


def _most_frequent(column: Int32) -> int:
    values, counts = np.unique(column, return_counts=True)
    return int(values[np.argmax(counts)])


def _severity(one: Judgement) -> Severity:
    if one.kind == "growth":
        return "high" if (one.confidence or 0) >= SURE else "medium"
    return "low" if one.kind == "delayed_free" else "info"
