"""Sets aside the growth that a person expects. It stays in the report, marked, and is counted.

A finding is expected where every part of it is: a cause that leaks one buffer more than was
expected is still told. The verdict is then made again of what is left.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase

from tensorboard_memleak.analysis.findings import is_sure
from tensorboard_memleak.analysis.verdict import decide
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.expectations import Expectations, ExpectedSite
from tensorboard_memleak.model.findings import Diagnosis, Finding
from tensorboard_memleak.model.trace import only_work_space


def set_aside(host: HostDiagnosis, expectations: Expectations) -> HostDiagnosis:
    """Return the diagnosis with expected growth marked, behind what nobody expects."""
    if not expectations.expects_anything:
        return host
    tensors_show = not only_work_space([one.memory for one in host.memories])
    memories = tuple(_in_memory(one, expectations, tensors_show) for one in host.memories)
    return replace(host, memories=memories)


def _in_memory(
    analysis: MemoryAnalysis, expectations: Expectations, tensors_show: bool
) -> MemoryAnalysis:
    diagnosis = analysis.diagnosis
    marked = [_marked(one, diagnosis.memory_id, expectations) for one in diagnosis.findings]
    expected = [one for one in marked if one.expected]
    if not expected:
        return analysis
    left = [one for one in marked if not one.expected]
    return replace(analysis, diagnosis=_of_what_is_left(analysis, left, expected, tensors_show))


def _marked(finding: Finding, memory_id: str, expectations: Expectations) -> Finding:
    if finding.kind != "growth":
        return finding
    reasons = [_reason(part, memory_id, expectations) for part in (finding.parts or (finding,))]
    if not all(reasons):
        return finding
    return replace(finding, expected="; ".join(dict.fromkeys(reasons)), severity="info")


def _reason(finding: Finding, memory_id: str, expectations: Expectations) -> str:
    """Say why a finding is expected, "" where it is not."""
    rate = finding.bytes_per_step
    for expected in expectations.sites:
        limit = expected.most_bytes_per_step
        within = limit is None or (rate is not None and rate <= limit)
        if within and fnmatchcase(memory_id, expected.memory) and _names(expected, finding):
            return expected.reason or f"expected to grow: {expected.site}"
    least = expectations.least_bytes_per_step
    if rate is not None and rate < least:
        return f"below the threshold of {bytes_text(least)} a step"
    return ""


def _names(expected: ExpectedSite, finding: Finding) -> bool:
    named = (finding.site.op, *finding.site.stack)
    return any(fnmatchcase(name, expected.site) for name in named if name)


def _of_what_is_left(
    analysis: MemoryAnalysis, left: list[Finding], expected: list[Finding], tensors_show: bool
) -> Diagnosis:
    """Judge a memory without its expected growth.

    The growth is that of what is left; `steps_to_oom` stays, since expected bytes fill the memory
    like any others.
    """
    sure = [one for one in left if is_sure(one)]
    growth = sum(one.bytes_per_step or 0 for one in sure) if sure else None
    totals = replace(analysis.diagnosis.totals, growth_bytes_per_step=growth)
    # What the expected findings hold was judged as growth already: nothing is left unexplained.
    verdict = decide(analysis.steps, totals, left, 0, tensors_show)
    reason = verdict.reason
    if verdict.name == "no_leak":
        reason = f"Only what is expected to grow does: {expected[0].expected}."
    return replace(
        analysis.diagnosis,
        verdict=verdict.name,
        confidence=verdict.confidence,
        reason=f"{reason} {count_text(len(expected), 'finding')} set aside as expected.",
        totals=totals,
        findings=(*left, *expected),
    )
