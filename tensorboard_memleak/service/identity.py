"""What an answer is made of, told without making it: so that an unchanged one need not be sent.

An answer about a session follows from the request, from the files of the hosts that it is about,
from the configuration, and from this program. What tells the program is drawn by chance at start: a
new version, or the same one restarted, has other identities.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Final

from tensorboard_memleak.catalog import HostFiles
from tensorboard_memleak.errors import LeakFinderError
from tensorboard_memleak.files import FileFact
from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder

_THIS_PROCESS: Final = secrets.token_hex(8)
_SIDES: Final = (("session", "host"), ("other_session", "other_host"))
"""The parameters that name a session and, where only one is asked about, its host."""


def identity(finder: LeakFinder, route: str, params: Sequence[tuple[str, str]]) -> str | None:
    """Return the identity of the answer to a request as things are now.

    To be asked before the answer is made: should a file change meanwhile, the answer is newer than
    its identity says, and the next request makes another. `None` where the request names no session
    that there is.
    """
    named = dict(reversed(params))  # of a name that stands twice the first is what counts
    if not named.get("session"):
        return None
    try:
        hosts = [one for names in _SIDES for one in _hosts(finder, named, *names)]
        expected = finder.expectations()
    except LeakFinderError:
        return None
    files = [_as_it_is(fact) for host in hosts for fact in host.files]
    told = (_THIS_PROCESS, route, sorted(params), files, expected)
    return content_identity(repr(told).encode("utf-8", "surrogatepass"))


def content_identity(content: bytes) -> str:
    """Return the identity of what is there already."""
    return hashlib.sha256(content).hexdigest()[:32]


def _hosts(
    finder: LeakFinder, named: dict[str, str], session: str, host: str
) -> Iterator[HostFiles]:
    if named.get(session):
        for one in finder.listing.session(named[session]).hosts:
            if named.get(host) in (None, "", one.host):
                yield one


def _as_it_is(fact: FileFact) -> tuple[object, ...]:
    """Tell a local file's version, and who may read it; a remote one's as the last scan told it."""
    if Root(fact.path).is_remote:
        return astuple(fact)
    try:
        now = os.stat(fact.path)  # noqa: PTH116 - a report of many hosts asks for each
    except OSError as error:
        return (fact.path, error.errno)
    return astuple(FileFact.of(fact.path, now))
