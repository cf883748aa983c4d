"""The whole way: one host's events to blocks, steps, sites, findings and a verdict a memory."""

from __future__ import annotations

from tensorboard_memleak.analysis import balance, pairing
from tensorboard_memleak.analysis.findings import is_sure, write_findings
from tensorboard_memleak.analysis.framework import framework_of
from tensorboard_memleak.analysis.judging import judge_sites
from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.analysis.scene import Scene
from tensorboard_memleak.analysis.sites import find_sites
from tensorboard_memleak.analysis.steps import find_steps, steps_of_blocks
from tensorboard_memleak.analysis.totals import count_totals
from tensorboard_memleak.analysis.verdict import decide
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Diagnosis
from tensorboard_memleak.model.trace import HostTrace, Memory

_URGENCY = ("leak", "inconclusive", "no_leak", "no_events")


def diagnose(trace: HostTrace) -> HostDiagnosis:
    """Analyse every memory of a host; the same trace always gives the same answer."""
    steps = find_steps(trace)
    memories = [_analyse(trace, memory, steps) for memory in trace.memories]
    memories.sort(key=_order)
    return HostDiagnosis(steps=steps, memories=tuple(memories), notices=trace.notices)


def _order(one: MemoryAnalysis) -> tuple[int, int, str]:
    return (
        _URGENCY.index(one.diagnosis.verdict),
        -(one.diagnosis.totals.growth_bytes_per_step or 0),
        one.memory.memory_id,
    )


def _analyse(trace: HostTrace, memory: Memory, steps: Steps) -> MemoryAnalysis:
    events = memory.events
    blocks = pairing.pair(events, trace.start_ps, trace.end_ps)
    books = balance.check(events, blocks)
    block_steps = steps_of_blocks(steps, blocks)
    sites = find_sites(trace, events, blocks, block_steps)
    scene = Scene(trace, events, blocks, block_steps, sites, len(steps), framework_of(trace))
    losses = balance.find_losses(events, blocks)
    replacements = Replacements(blocks, block_steps, len(steps), losses.births)
    judgements = judge_sites(blocks, block_steps, sites, steps, losses, replacements)
    findings = write_findings(scene, judgements)
    sure = [one for one in findings if is_sure(one)]
    growth = sum(one.bytes_per_step or 0 for one in sure) if sure else None
    totals = count_totals(events, blocks, books, growth)
    verdict = decide(steps, totals, findings, replacements.unmatched_survivors)
    diagnosis = Diagnosis(
        memory.memory_id,
        verdict.name,
        verdict.confidence,
        verdict.reason,
        totals,
        findings,
        notices=(),
    )
    return MemoryAnalysis(memory, steps, blocks, block_steps, sites, books, diagnosis)
