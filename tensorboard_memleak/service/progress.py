"""How far the reading of a host is, and how to end it."""

from __future__ import annotations

from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload


def progress(finder: LeakFinder, session: str, host: str) -> Payload:
    """Return what is being done for a host just now; `phase` is `None` when nothing is."""
    standing = finder.standing(finder.host_files(session, host))
    if standing is None:
        return {"phase": None, "done": 0, "total": None}
    return {"phase": standing.phase, "done": standing.done, "total": standing.total or None}


def stop(finder: LeakFinder, session: str, host: str) -> Payload:
    """Give up what the finder's waiter waits for of a host; others go on waiting, and get it."""
    return {"outcome": finder.stop(finder.host_files(session, host))}
