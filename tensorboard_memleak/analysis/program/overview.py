"""All programs of one host together: each diagnosed, versions of one function told once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tensorboard_memleak.analysis.program.diagnose import (
    ProgramDiagnosis,
    diagnose_program,
    in_order,
)
from tensorboard_memleak.analysis.program.recompilation import recompilation
from tensorboard_memleak.analysis.program.usage import program_usage
from tensorboard_memleak.analysis.program.versions import group_versions
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.join import Usage
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import HostTrace


@dataclass(frozen=True, slots=True)
class ProgramOverview:
    """One program beside the others: its diagnosis, usage and number of versions.

    `compilations` counts the programs of the host that are the same function, this one included.
    """

    diagnosis: ProgramDiagnosis
    usage: Usage | None
    compilations: int


def overview(
    programs: Sequence[Program],
    trace: HostTrace | None = None,
    diagnosis: HostDiagnosis | None = None,
) -> tuple[ProgramOverview, ...]:
    """Diagnose the programs of one host, in the order given.

    A finding that several versions of one function share is told of the version where it is
    largest; that the function was compiled again and again is told of the last one.
    """
    found = [diagnose_program(program) for program in programs]
    usages: Sequence[Usage] | None = None
    if trace is not None:
        usages = program_usage(trace, diagnosis.memories if diagnosis else (), programs)
    steps = diagnosis.steps if diagnosis else None
    compilations = [1] * len(programs)
    for group in group_versions(programs):
        told = _told_once([found[place] for place in group])
        again = recompilation(
            [programs[place] for place in group],
            [usages[place] for place in group] if usages else None,
            steps,
        )
        if again is not None:
            told[-1].append(again)
        for place, findings in zip(group, told, strict=True):
            prefix = f"p{programs[place].program_id}"
            found[place] = replace(found[place], findings=in_order(findings, prefix))
            compilations[place] = len(group)
    return tuple(
        ProgramOverview(one, usages[place] if usages else None, compilations[place])
        for place, one in enumerate(found)
    )


def _told_once(versions: Sequence[ProgramDiagnosis]) -> list[list[Finding]]:
    """Leave each finding to the version where it is largest; the later one of equals."""
    largest: dict[tuple[str, str], int] = {}
    sizes: dict[tuple[str, str], int] = {}
    counts: dict[tuple[str, str], int] = {}
    for place, version in enumerate(versions):
        for finding in version.findings:
            key = finding.kind, finding.site.op
            counts[key] = counts.get(key, 0) + 1
            if finding.bytes >= sizes.get(key, 0):
                largest[key], sizes[key] = place, finding.bytes
    return [
        [
            _shared(finding, counts[finding.kind, finding.site.op] - 1)
            for finding in version.findings
            if largest[finding.kind, finding.site.op] == place
        ]
        for place, version in enumerate(versions)
    ]


def _shared(finding: Finding, others: int) -> Finding:
    if not others:
        return finding
    noun = "version" if others == 1 else "versions"
    also = f" The same is true of {others} other {noun} of the function."
    return replace(finding, detail=finding.detail + also)
