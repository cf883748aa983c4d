"""Analyses as the report object: nothing is computed here, only written down.

A host that could be read has at least one memory entry: where the capture holds no memory events,
the one entry has `memory_id` null and the verdict `no_events`. A host that could not be read has
none, its `verdict` is null, and its warning says what is wrong with which file.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tensorboard_memleak import __version__
from tensorboard_memleak.errors import LeakFinderError
from tensorboard_memleak.files import FileFact
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.findings import VerdictName
from tensorboard_memleak.model.trace import HostTrace, Notice
from tensorboard_memleak.report.memory import memory_payload, memory_without_events, steps_payload
from tensorboard_memleak.report.notices import warning_payloads
from tensorboard_memleak.report.types import (
    SCHEMA_VERSION,
    FilePayload,
    HostPayload,
    MemoryPayload,
    ModulePayload,
    ReportPayload,
    SessionPayload,
    SnapshotPayload,
    StepsPayload,
    WarningPayload,
)

GENERATOR: Final = f"tensorboard-memleak {__version__}"
GRAVEST_FIRST: Final[tuple[VerdictName, ...]] = ("leak", "inconclusive", "no_leak", "no_events")

_NO_EVENTS_CODES: Final = ("no_memory_events", "no_trace")
_NO_EVENTS_REASON: Final = "There are no memory events."


def report_payload(
    sessions: Iterable[SessionPayload], notices: Iterable[Notice] = (), config: str = ""
) -> ReportPayload:
    """Return the whole report; `notices` are about the logdir, not about one host.

    `config` is the file that says what is expected to grow ("": none).
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "generator": GENERATOR,
        "config": config or None,
        "sessions": list(sessions),
        "warnings": warning_payloads(notices),
    }


def session_payload(run: str, session: str, hosts: Iterable[HostPayload]) -> SessionPayload:
    """Return the entry of one session."""
    return {"run": run, "session": session, "hosts": list(hosts)}


def host_payload(
    trace: HostTrace,
    diagnosis: HostDiagnosis,
    files: Sequence[FileFact],
    memory_id: str | None = None,
    *,
    notices: Iterable[Notice] = (),
    modules: Sequence[ModulePayload] = (),
    snapshots: Sequence[SnapshotPayload] = (),
) -> HostPayload:
    """Return the entry of a host whose trace was analysed, with all its memories or one."""
    chosen = [one for one in diagnosis.memories if memory_id in (None, one.memory.memory_id)]
    return _host(
        trace.host,
        files,
        warning_payloads((*diagnosis.notices, *notices)),
        steps_payload(diagnosis.steps),
        [memory_payload(one, trace) for one in chosen],
        modules,
        snapshots,
    )


def traceless_host_payload(
    host: str,
    files: Sequence[FileFact],
    *,
    notices: Iterable[Notice],
    modules: Sequence[ModulePayload] = (),
    snapshots: Sequence[SnapshotPayload] = (),
) -> HostPayload:
    """Return the entry of a host that has programs or snapshots and no trace."""
    told = warning_payloads(notices)
    return _host(host, files, told, steps_payload(None), [], modules, snapshots)


def unreadable_host_payload(
    host: str, files: Sequence[FileFact], error: LeakFinderError
) -> HostPayload:
    """Return the entry of a host whose trace could not be read."""
    return {
        "host": host,
        "verdict": None,
        "reason": error.message,
        "files": _files(files),
        "warnings": [{"code": error.code, "message": error.message, "hint": error.hint}],
        "steps": steps_payload(None),
        "memories": [],
        "modules": [],
        "snapshots": [],
    }


def _host(
    host: str,
    files: Sequence[FileFact],
    warnings: list[WarningPayload],
    steps: StepsPayload,
    memories: list[MemoryPayload],
    modules: Sequence[ModulePayload],
    snapshots: Sequence[SnapshotPayload],
) -> HostPayload:
    told = memories or [memory_without_events(_why_no_events(warnings))]
    if snapshots:
        warnings = [_with_snapshots(one) for one in warnings]
    gravest = min(told, key=lambda one: GRAVEST_FIRST.index(one["verdict"]))
    return {
        "host": host,
        "verdict": gravest["verdict"],
        "reason": gravest["reason"],
        "files": _files(files),
        "warnings": warnings,
        "steps": steps,
        "memories": told,
        "modules": list(modules),
        "snapshots": list(snapshots),
    }


def _why_no_events(warnings: Sequence[WarningPayload]) -> str:
    why = [one["message"] for one in warnings if one["code"] in _NO_EVENTS_CODES]
    return why[0] if why else _NO_EVENTS_REASON


def _with_snapshots(warning: WarningPayload) -> WarningPayload:
    """Do not ask for device-memory profiles where there are some."""
    if warning["code"] not in _NO_EVENTS_CODES:
        return warning
    return {**warning, "hint": "What its device-memory profiles tell stands here all the same."}


def _files(files: Sequence[FileFact]) -> list[FilePayload]:
    return [{"name": fact.name, "bytes": fact.size_bytes} for fact in files]
