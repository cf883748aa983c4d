"""The report on sessions and hosts: what can be read is told, what cannot is said to be so."""

from __future__ import annotations

from tensorboard_memleak.catalog import HostFiles, Session
from tensorboard_memleak.errors import LeakFinderError, NotFound
from tensorboard_memleak.report.payload import (
    host_payload,
    report_payload,
    session_payload,
    unreadable_host_payload,
)
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload


def session_report(
    finder: LeakFinder, session_id: str, host: str | None = None, memory: str | None = None
) -> Payload:
    """Return the report on one session, or on one host or memory of it."""
    session = finder.listing.session(session_id)
    if host is not None:
        session.host(host)  # a name that is wrong is an error here, not an empty report
    return report_payload([_session(finder, session, host, memory)])


def report(
    finder: LeakFinder,
    run: str | None = None,
    session: str | None = None,
    host: str | None = None,
    memory: str | None = None,
) -> Payload:
    """Return the report on every session that fits the narrowing, the newest first."""
    fitting = [
        one
        for one in finder.listing.sessions.values()
        if run in (None, one.run)
        and session in (None, one.session, one.id)
        and (host is None or any(each.host == host for each in one.hosts))
    ]
    if not fitting:
        raise NotFound(
            "No profile session fits."
            if finder.listing.sessions
            else "There are no profiles in plugins/profile/<session>/ here.",
            _hint(finder),
        )
    return report_payload([_session(finder, one, host, memory) for one in fitting])


def _hint(finder: LeakFinder) -> str:
    known = list(finder.listing.sessions)
    if known:
        return f"These are there: {', '.join(known[:10])}{' …' if len(known) > 10 else ''}"
    strays = " ".join(f"{one.message} {one.hint}" for one in finder.listing.notices)
    return strays or "Capture a profile into this logdir first, or name another folder."


def _session(finder: LeakFinder, session: Session, host: str | None, memory: str | None) -> Payload:
    hosts = [one for one in session.hosts if host in (None, one.host)]
    return session_payload(
        session.run, session.session, [_host(finder, one, memory) for one in hosts]
    )


def _host(finder: LeakFinder, files: HostFiles, memory: str | None) -> Payload:
    try:
        analysed = finder.analysis(files)
    except LeakFinderError as error:
        return unreadable_host_payload(files.host, files.files, error)
    if memory is not None:
        analysed.memory(memory)
    return host_payload(analysed.trace, analysed.diagnosis, files.files, memory)
