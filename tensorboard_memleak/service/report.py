"""The report on sessions and hosts: what can be read is told, what cannot is said to be so."""

from __future__ import annotations

from typing import Literal

from tensorboard_memleak.catalog import HostFiles, Session
from tensorboard_memleak.errors import LeakFinderError, NotFound, UnreadableFile
from tensorboard_memleak.files import as_it_is
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.report.payload import (
    host_payload,
    report_payload,
    session_payload,
    traceless_host_payload,
    unreadable_host_payload,
)
from tensorboard_memleak.report.types import (
    HostPayload,
    ModulePayload,
    ReportPayload,
    SessionPayload,
    SnapshotPayload,
)
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.programs import module_payloads
from tensorboard_memleak.service.snapshots import snapshot_payloads

Parts = Literal["all", "memories"]
"""`memories` leaves programs and snapshots alone, which a verdict need not wait for. A host without
a trace has nothing else, and is told of in full."""

_MOST_NAMES = 10


def session_report(
    finder: LeakFinder,
    session_id: str,
    host: str | None = None,
    memory: str | None = None,
    parts: Parts = "all",
) -> ReportPayload:
    """Return the report on one session, or on one host or memory of it."""
    session = finder.listing.session(session_id)
    if host is not None:
        session.host(host)  # a name that is wrong is an error here, not an empty report
    told = _session(finder, session, host, memory, parts)
    return _whole(finder, [told if memory is None else _narrowed([told], memory)[0]])


def report(
    finder: LeakFinder,
    run: str | None = None,
    session: str | None = None,
    host: str | None = None,
    memory: str | None = None,
) -> ReportPayload:
    """Return the report on every session that fits the narrowing, the newest first."""
    fitting = [
        one
        for one in finder.listing.sessions.values()
        if run in (None, one.run)
        and session in (None, one.session, one.id)
        and (host is None or any(each.host == host for each in one.hosts))
    ]
    if not fitting:
        raise NotFound(*_nothing_fits(finder))
    told = [_session(finder, one, host, memory) for one in fitting]
    if memory is not None:
        told = _narrowed(told, memory)
    return _whole(finder, told, finder.listing.notices)


def _whole(
    finder: LeakFinder, sessions: list[SessionPayload], notices: tuple[Notice, ...] = ()
) -> ReportPayload:
    expectations, trouble = finder.expectations()
    return report_payload(sessions, (*notices, *trouble), expectations.source)


def _narrowed(sessions: list[SessionPayload], memory_id: str) -> list[SessionPayload]:
    """Keep the hosts that have a memory, and those that could not be read: they may have it."""
    found: list[SessionPayload] = []
    for session in sessions:
        hosts = [
            host
            for host in session["hosts"]
            if host["verdict"] is None
            or any(one["memory_id"] == memory_id for one in host["memories"])
        ]
        if hosts:
            found.append(session_payload(session["run"], session["session"], hosts))
    if not found:
        raise NotFound(
            f"No host here has a memory {memory_id}.", "Leave out --memory to see them all."
        )
    return found


def _nothing_fits(finder: LeakFinder) -> tuple[str, str]:
    known = list(finder.listing.sessions)
    if known:
        shown = ", ".join(known[:_MOST_NAMES])
        more = len(known) - _MOST_NAMES
        rest = f" and {more} more" if more > 0 else ""
        return "No profile session fits.", f"There are {shown}{rest}."
    strays = " ".join(f"{one.message} {one.hint}" for one in finder.listing.notices)
    return (
        "There are no profiles in plugins/profile/<session>/ here.",
        strays or "Capture a profile into this logdir first, or name another folder.",
    )


def _session(
    finder: LeakFinder,
    session: Session,
    host: str | None,
    memory: str | None,
    parts: Parts = "all",
) -> SessionPayload:
    hosts = [one for one in session.hosts if host in (None, one.host)]
    return session_payload(
        session.run, session.session, [_host(finder, one, memory, parts) for one in hosts]
    )


def _host(finder: LeakFinder, files: HostFiles, memory: str | None, parts: Parts) -> HostPayload:
    facts = tuple(as_it_is(fact) for fact in files.files)
    try:
        analysed = finder.analysis(files, parts == "all") if files.xplane else None
    except LeakFinderError as error:
        return unreadable_host_payload(files.host, facts, error)
    if analysed and parts == "memories":
        return host_payload(analysed.trace, analysed.diagnosis, facts, memory)
    modules, compared, notices = _beside(finder, files)
    if analysed is None and notices and not modules and not compared:
        why = UnreadableFile(notices[0].message, notices[0].hint)
        return unreadable_host_payload(files.host, facts, why)
    if analysed is None:
        return traceless_host_payload(
            files.host,
            facts,
            notices=[_no_trace(files), *notices],
            modules=modules,
            snapshots=compared,
        )
    return host_payload(
        analysed.trace,
        analysed.diagnosis,
        facts,
        memory,
        notices=notices,
        modules=modules,
        snapshots=compared,
    )


def _beside(
    finder: LeakFinder, files: HostFiles
) -> tuple[list[ModulePayload], list[SnapshotPayload], list[Notice]]:
    """Return programs and snapshots; what cannot be read of one never hides the other."""
    modules: list[ModulePayload] = []
    compared: list[SnapshotPayload] = []
    notices: list[Notice] = []
    try:
        programs = finder.programs(files)
        modules = module_payloads(programs)
        notices.extend(programs.all_notices)
    except LeakFinderError as error:
        notices.append(Notice(error.code, error.message, error.hint))
    try:
        snapshots = finder.snapshots(files)
        compared = snapshot_payloads(snapshots)
        notices.extend(snapshots.notices)
    except LeakFinderError as error:
        notices.append(Notice(error.code, error.message, error.hint))
    return modules, compared, notices


def _no_trace(files: HostFiles) -> Notice:
    names = ", ".join(fact.name for fact in files.files)
    return Notice(
        "no_trace",
        f"The session has no trace (*.xplane.pb), only {names}.",
        "Capture with jax.profiler.trace or tf.profiler to see allocations over time.",
    )
