"""The whole way: one host's events to blocks, steps, sites, findings and a verdict a memory."""

from __future__ import annotations

from tensorboard_memleak.analysis import balance, pairing
from tensorboard_memleak.analysis.advice import Framework
from tensorboard_memleak.analysis.findings import is_sure, write_findings
from tensorboard_memleak.analysis.forecast import forecast
from tensorboard_memleak.analysis.fragmentation import find_squeeze
from tensorboard_memleak.analysis.framework import framework_of
from tensorboard_memleak.analysis.judging import judge_sites
from tensorboard_memleak.analysis.notices import about_events, about_steps
from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.analysis.scene import Scene
from tensorboard_memleak.analysis.sites import find_sites
from tensorboard_memleak.analysis.steps import find_steps, steps_of_blocks
from tensorboard_memleak.analysis.totals import count_totals
from tensorboard_memleak.analysis.verdict import decide
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Diagnosis
from tensorboard_memleak.model.telling import Told, to_nobody
from tensorboard_memleak.model.trace import HostTrace, Memory, only_work_space

_URGENCY = ("leak", "inconclusive", "no_leak", "no_events")


def diagnose(trace: HostTrace, told: Told = to_nobody) -> HostDiagnosis:
    """Analyse every memory of a host; the same trace always gives the same answer.

    `told` hears after each memory how many are done.
    """
    steps, framework = find_steps(trace), framework_of(trace)
    memories: list[MemoryAnalysis] = []
    for memory in trace.memories:
        memories.append(_analyse(trace, memory, steps, framework))
        told(len(memories))
    memories.sort(key=_order)
    said = about_steps(steps, framework) if memories else ()
    return HostDiagnosis(steps, tuple(memories), (*trace.notices, *said))


def _order(one: MemoryAnalysis) -> tuple[int, int, str]:
    return (
        _URGENCY.index(one.diagnosis.verdict),
        -(one.diagnosis.totals.growth_bytes_per_step or 0),
        one.memory.memory_id,
    )


def _analyse(
    trace: HostTrace, memory: Memory, steps: Steps, framework: Framework
) -> MemoryAnalysis:
    events = memory.events
    blocks = pairing.pair(events, trace.start_ps, trace.end_ps)
    books, losses = balance.check(events, blocks), balance.find_losses(events, blocks)
    block_steps = steps_of_blocks(steps, blocks)
    sites = find_sites(trace, events, blocks, block_steps)
    replacements = Replacements(blocks, block_steps, len(steps), losses.births)
    judgements = judge_sites(blocks, block_steps, sites, steps, losses, replacements)
    scene = Scene(trace, events, blocks, block_steps, sites, len(steps), framework)
    findings = write_findings(scene, judgements, find_squeeze(events, blocks, steps))
    sure = [one.bytes_per_step or 0 for one in findings if is_sure(one)]
    ahead = forecast(events, steps, findings)
    totals = count_totals(events, blocks, books, sum(sure) if sure else None, ahead)
    verdict = decide(
        steps,
        totals,
        findings,
        replacements.unmatched_survivors,
        tensors_show=not only_work_space(trace.memories),
    )
    diagnosis = Diagnosis(
        memory_id=memory.memory_id,
        verdict=verdict.name,
        confidence=verdict.confidence,
        reason=verdict.reason,
        totals=totals,
        findings=findings,
        notices=tuple(about_events(blocks, books, losses)),
        forecast=ahead,
    )
    return MemoryAnalysis(memory, steps, blocks, block_steps, sites, books, diagnosis)
