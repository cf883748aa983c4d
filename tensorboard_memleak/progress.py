"""How far a piece of work is: who does it tells, others look, and may ask it to stop.

One thread works and writes, others read: a `Standing` is replaced as a whole, so that nobody sees
half of one, and no lock stands in the way of the work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tensorboard_memleak.errors import Stopped
from tensorboard_memleak.model.telling import Told

Phase = Literal["waiting", "fetching", "reading", "analysing", "programs", "naming", "snapshots"]
"""In the order in which a host goes through them, those that it needs.

`fetching` (a remote file) and `reading` count bytes, `analysing` memories, `programs` programs,
`snapshots` files; `waiting` and `naming` count nothing.
"""


@dataclass(frozen=True, slots=True)
class Standing:
    """What is being done to which file or host, and how much of how much; `total` 0: not known."""

    what: str
    phase: Phase
    done: int = 0
    total: int = 0


Listener: TypeAlias = Callable[["Standing | None"], None]
"""Hears each new standing, in the thread of the work; `None` when it has ended."""


class Progress:
    """The progress of one piece of work."""

    def __init__(self, what: str, listener: Listener | None = None) -> None:
        self._standing = Standing(what, "waiting")
        self._listener = listener
        self._stopped = threading.Event()

    @property
    def standing(self) -> Standing:
        """How far it is."""
        return self._standing

    @property
    def stopped(self) -> bool:
        """Whether it has been asked to stop; the work ends when it next tells how far it is."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """Ask the work to end."""
        self._stopped.set()

    def begin(self, phase: Phase, total: int = 0) -> Told:
        """Enter a phase; what is returned takes how much of `total` is done, and never goes back.

        Both raise `Stopped` where the work has been asked to stop.
        """
        self._move(replace(self._standing, phase=phase, done=0, total=total))

        def told(done: int) -> None:
            self._move(replace(self._standing, done=min(max(done, self._standing.done), total)))

        return told

    def end(self) -> None:
        """Say that there is no more to come."""
        if self._listener:
            self._listener(None)

    def _move(self, standing: Standing) -> None:
        if self._stopped.is_set():
            raise Stopped(standing.what)
        self._standing = standing
        if self._listener:
            self._listener(standing)
