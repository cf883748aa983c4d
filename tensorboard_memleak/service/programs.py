"""The programs of a host as a table, and as the report lists them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from tensorboard_memleak.analysis.program.donation_advice import IN_VAIN
from tensorboard_memleak.analysis.program.overview import ProgramOverview
from tensorboard_memleak.catalog import HostFiles, Session
from tensorboard_memleak.errors import LeakFinderError, NotFound
from tensorboard_memleak.report.findings import finding_payload
from tensorboard_memleak.report.notices import warning_payloads
from tensorboard_memleak.report.types import (
    HostModulesPayload,
    ModulePayload,
    ModuleRowPayload,
)
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.host_programs import HostPrograms
from tensorboard_memleak.service.wire import JSON, Payload

_LARGEST_EXACT: Final = 2**53
"""JavaScript's numbers are exact up to here."""


def modules(finder: LeakFinder, session: str, host: str) -> Payload:
    """Return one row a program in columns, the one with the highest peak first."""
    found = finder.programs(finder.host_files(session, host))
    rows = module_rows(found)
    keys = [key for key in ModuleRowPayload.__annotations__ if key != "findings"]
    columns: dict[str, JSON] = {
        key: [cast("dict[str, JSON]", row)[key] for row in rows] for key in keys
    }
    columns["findings"] = [len(row["findings"]) for row in rows]
    return {"columns": columns, "total": len(rows), "warnings": wire.notices(found.notices)}


def module_lists(
    finder: LeakFinder, session: str | None = None, host: str | None = None
) -> list[HostModulesPayload]:
    """Return the programs of every host that fits; raise `NotFound` where none does."""
    fitting = list(_fitting(finder, session, host))
    if not fitting:
        raise NotFound(
            "No profile session fits.",
            "Name a logdir with plugins/profile/<session>/, a session folder or a file.",
        )
    return [_host(finder, *one) for one in fitting]


def _fitting(
    finder: LeakFinder, session: str | None, host: str | None
) -> Iterator[tuple[Session, HostFiles]]:
    for one in finder.listing.sessions.values():
        if session in (None, one.id, one.session):
            for files in one.hosts:
                if host in (None, files.host):
                    yield one, files


def _host(finder: LeakFinder, session: Session, files: HostFiles) -> HostModulesPayload:
    told: HostModulesPayload = {
        "run": session.run,
        "session": session.session,
        "host": files.host,
        "modules": [],
        "warnings": [],
    }
    try:
        found = finder.programs(files)
    except LeakFinderError as error:
        told["warnings"] = [{"code": error.code, "message": error.message, "hint": error.hint}]
        return told
    told["modules"] = module_rows(found)
    told["warnings"] = warning_payloads(found.all_notices)
    return told


def module_rows(found: HostPrograms) -> list[ModuleRowPayload]:
    """Return one row a program, the one with the highest peak first."""
    ranked = sorted(found.programs, key=lambda one: -one.diagnosis.lives.peak_bytes)
    return [_row(one) for one in ranked]


def _row(one: ProgramOverview) -> ModuleRowPayload:
    program, usage, findings = one.diagnosis.program, one.usage, one.diagnosis.findings
    allocated = one.diagnosis.lives.allocated
    could_donate = (
        f.bytes for f in findings if f.kind == "missing_donation" and f.pattern != IN_VAIN
    )
    return {
        "name": program.name,
        "program_id": program_id_on_wire(program.program_id),
        "peak_bytes": peak_bytes(one),
        "total_bytes": allocated.total,
        "parameter_bytes": allocated.parameter,
        "output_bytes": allocated.output,
        "aliased_bytes": allocated.aliased,
        "donatable_bytes": sum(could_donate),
        "constant_bytes": allocated.constant,
        "temporary_bytes": allocated.temporary,
        "generated_code_bytes": program.generated_code_bytes,
        "instructions": len(program.instructions),
        "buffers": len(program.buffers),
        "compilations": one.compilations,
        "runs": usage.runs if usage else None,
        "alive_outputs": usage.alive_outputs if usage else None,
        "alive_output_bytes": usage.alive_output_bytes if usage else None,
        "warnings": len(program.notices),
        "findings": [finding_payload(finding) for finding in findings],
    }


def module_payloads(found: HostPrograms) -> list[ModulePayload]:
    """Return the entries of the report: programs with findings first, then by their peak."""
    rows = sorted(
        found.programs,
        key=lambda one: (not one.diagnosis.findings, -one.diagnosis.lives.peak_bytes),
    )
    return [
        {
            "name": row.diagnosis.program.name,
            "program_id": program_id_on_wire(row.diagnosis.program.program_id),
            "peak_bytes": peak_bytes(row),
            "findings": [finding_payload(one) for one in row.diagnosis.findings],
        }
        for row in rows
    ]


def peak_bytes(row: ProgramOverview) -> int | None:
    """Return a program's peak in the device's main memory, `None` without buffer assignment."""
    known = len(row.diagnosis.program.allocations) > 0
    return row.diagnosis.lives.peak_bytes if known else None


def program_id_on_wire(program_id: int) -> int | str:
    """Write an id, in text where it is larger than JSON's numbers are exact."""
    return program_id if program_id <= _LARGEST_EXACT else str(program_id)
