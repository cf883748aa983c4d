"""Which sessions, hosts and files there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from tensorboard_memleak.catalog import HostFiles, Session
from tensorboard_memleak.report.payload import GENERATOR
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import JSON, Payload, notices


def sessions(finder: LeakFinder) -> Payload:
    """Scan again and list every session, the newest first."""
    listing = finder.catalog.refresh()
    return {
        "generator": GENERATOR,
        "sessions": [_session(one) for one in listing.sessions.values()],
        "warnings": notices(listing.notices),
    }


def listed(finder: LeakFinder, hosts: Mapping[str, Collection[str]]) -> list[JSON]:
    """List the sessions of the latest scan as `sessions` does, those with `hosts` and only these.

    `hosts` gives the names of the hosts by the id of their session.
    """
    return [
        _session(
            replace(one, hosts=tuple(each for each in one.hosts if each.host in hosts[one.id]))
        )
        for one in finder.listing.sessions.values()
        if one.id in hosts
    ]


def _session(session: Session) -> JSON:
    return {
        "id": session.id,
        "run": session.run,
        "session": session.session,
        "hosts": [_host(host) for host in session.hosts],
    }


def _host(host: HostFiles) -> JSON:
    return {
        "host": host.host,
        "size_bytes": sum(fact.size_bytes for fact in host.files),
        "formats": list(host.formats),
    }
