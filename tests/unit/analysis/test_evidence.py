"""Properties of every diagnosis, checked on simulated histories of all kinds.

Whatever a finding says can be computed again from the blocks that it lists, in a slow and plain way
that shares no code with the analysis.
"""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from statistics import median

import numpy as np
import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.findings import Finding
from tests.accuracy.simulate import simulate

HISTORIES = [(seed, (5, 12, 25, 60)[seed % 4]) for seed in range(80)]


def analysed(seed: int, steps: int) -> MemoryAnalysis:
    (memory,) = diagnose(simulate(seed, steps, leaks=seed % 3).trace).memories
    return memory


def told(memory: MemoryAnalysis) -> list[Finding]:
    findings = memory.diagnosis.findings
    return [part for one in findings for part in (one, *one.parts)]


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_counts_and_bytes_of_a_finding_are_those_of_its_blocks(seed: int, steps: int) -> None:
    memory = analysed(seed, steps)
    blocks = memory.blocks
    for finding in told(memory):
        rows = finding.evidence.blocks.tolist()
        assert len(rows) == len(set(rows)) == finding.blocks
        assert finding.bytes == sum(int(blocks.allocation_bytes[row]) for row in rows)
        assert finding.requested_bytes == sum(int(blocks.requested_bytes[row]) for row in rows)
        if finding.kind != "fragmentation":
            assert {int(blocks.end[row]) for row in rows} <= {BlockEnd.SURVIVED}


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_steps_of_a_finding_are_those_of_its_blocks(seed: int, steps: int) -> None:
    memory = analysed(seed, steps)
    for finding in told(memory):
        by_step = Counter(
            step_at(memory, int(memory.blocks.born_ps[row])) for row in finding.evidence.blocks
        )
        by_step.pop(-1, None)
        assert finding.first_step == min(by_step, default=None)
        assert finding.last_step == max(by_step, default=None)
        assert finding.steps_with_survivors == len(by_step)
        assert dict(by_step) == {
            step: count
            for step, count in enumerate(finding.evidence.survivors_by_step.tolist())
            if count
        }


def step_at(memory: MemoryAnalysis, time_ps: int) -> int:
    """The last step that had begun, -1 before the first."""
    return sum(1 for start in memory.steps.start_ps.tolist() if start <= time_ps) - 1


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_a_rate_is_that_of_the_blocks_it_is_grounded_in(seed: int, steps: int) -> None:
    memory = analysed(seed, steps)
    for finding in told(memory):
        if finding.bytes_per_step is None:
            assert len(finding.evidence.grounds) == 0
        elif not finding.parts and finding.pattern == "by size":
            assert finding.bytes_per_step == slope_of_sizes(memory, finding)
        elif not finding.parts and finding.pattern != "more than is freed":
            assert finding.bytes_per_step == rate_of_survivors(memory, finding)
        if finding.bytes_per_step is not None:
            assert finding.rate_low is not None
            assert finding.rate_high is not None
            assert finding.rate_low <= finding.bytes_per_step <= finding.rate_high


def rate_of_survivors(memory: MemoryAnalysis, finding: Finding) -> int:
    """The median of the steps that kept something, over their mean distance."""
    kept: dict[int, int] = defaultdict(int)
    for row in finding.evidence.grounds.tolist():
        step = step_at(memory, int(memory.blocks.born_ps[row]))
        kept[step] += int(memory.blocks.allocation_bytes[row])
    distance = (max(kept) - min(kept)) / max(len(kept) - 1, 1)
    return round(median(kept.values()) / max(distance, 1.0))


def slope_of_sizes(memory: MemoryAnalysis, finding: Finding) -> int:
    """The median slope between all pairs of steps of the bytes that each handed on."""
    handed: dict[int, int] = defaultdict(int)
    for row in finding.evidence.grounds.tolist():
        step = step_at(memory, int(memory.blocks.born_ps[row]))
        handed[step] += int(memory.blocks.requested_bytes[row])
    steps = sorted(handed)
    slopes = [
        (handed[later] - handed[earlier]) / (later - earlier)
        for index, earlier in enumerate(steps)
        for later in steps[index + 1 :]
    ]
    return round(median(slopes))


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_a_whole_is_the_sum_of_its_parts(seed: int, steps: int) -> None:
    for finding in analysed(seed, steps).diagnosis.findings:
        if not finding.parts:
            continue
        assert finding.blocks == sum(part.blocks for part in finding.parts)
        assert finding.bytes == sum(part.bytes for part in finding.parts)
        sizes = [part.bytes_per_step or part.bytes for part in finding.parts]
        assert sizes == sorted(sizes, reverse=True)
        if finding.kind == "growth":
            assert finding.bytes_per_step == sum(part.bytes_per_step or 0 for part in finding.parts)


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_every_survivor_is_in_exactly_one_finding(seed: int, steps: int) -> None:
    memory = analysed(seed, steps)
    survivors = memory.blocks.end == BlockEnd.SURVIVED
    survivors &= memory.blocks.birth_event >= 0
    named = [
        row
        for finding in memory.diagnosis.findings
        if finding.kind != "fragmentation"
        for row in finding.evidence.blocks.tolist()
    ]
    assert len(named) == len(set(named))
    missing = set(np.flatnonzero(survivors).tolist()) - set(named)
    # Where one variant of a site grows, the site's other survivors are left to it.
    growing = {site for one in told(memory) if one.kind == "growth" for site in one.site_indices}
    assert {int(memory.sites.of_block[row]) for row in missing} <= growing


@pytest.mark.parametrize(("seed", "steps"), HISTORIES)
def test_totals_are_those_of_a_plain_replay(seed: int, steps: int) -> None:
    memory = analysed(seed, steps)
    events, totals = memory.memory.events, memory.diagnosis.totals
    live: dict[int, int] = {}
    prewindow = lost = 0
    for kind, address, size in zip(
        events.kind.tolist(), events.address.tolist(), events.allocation_bytes.tolist(), strict=True
    ):
        if kind == 1:
            lost += address in live
            live[address] = size
        elif address in live:
            del live[address]
        else:
            prewindow += 1
    assert totals.survivor_blocks == len(live)
    assert totals.survivor_bytes == sum(live.values())
    assert (totals.prewindow_deallocations, totals.lost) == (prewindow, lost)
    assert totals.peak_bytes == int(events.bytes_in_use.max())
    sure = [one for one in memory.diagnosis.findings if one.kind == "growth"]
    sure = [one for one in sure if (one.confidence or 0) >= 0.87]
    assert totals.growth_bytes_per_step == (
        sum(one.bytes_per_step or 0 for one in sure) if sure else None
    )


@pytest.mark.parametrize(("seed", "steps"), HISTORIES[:20])
def test_the_same_capture_gives_the_same_diagnosis(seed: int, steps: int) -> None:
    assert plain(analysed(seed, steps)) == plain(analysed(seed, steps))


def plain(value: object) -> object:
    """A value of any depth as something that compares by content."""
    if isinstance(value, np.ndarray):
        return value.tobytes()
    if dataclasses.is_dataclass(value):
        return [plain(getattr(value, one.name)) for one in dataclasses.fields(value)]
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value


def test_renamed_ops_and_moved_addresses_change_nothing_but_names() -> None:
    """No rule knows a name, and only equality of addresses counts."""
    trace = simulate(7, 25, leaks=2).trace
    (memory,) = trace.memories
    moved = dataclasses.replace(memory.events, address=memory.events.address + np.uint64(1 << 40))
    other = dataclasses.replace(
        trace,
        strings=tuple(f"Other{text}" if text.startswith("op_") else text for text in trace.strings),
        memories=(dataclasses.replace(memory, events=moved),),
    )
    before, after = (diagnose(one).memories[0].diagnosis for one in (trace, other))
    assert (before.verdict, before.confidence) == (after.verdict, after.confidence)
    assert [(one.kind, one.blocks, one.bytes) for one in before.findings] == [
        (one.kind, one.blocks, one.bytes) for one in after.findings
    ]
