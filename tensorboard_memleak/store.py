"""Analysed hosts, kept while memory allows: one computation a key, the least used forgotten first.

The lock guards the maps, and who waits for what; it is never held while something is computed.
Whoever asks first computes, whoever asks meanwhile waits for that. Errors are not kept: the next
request tries again. A computation is stopped when all who wait for it have asked for that.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar, get_args

from tensorboard_memleak.errors import Stopped
from tensorboard_memleak.progress import Progress, Standing

Value = TypeVar("Value")

Withdrawal = Literal["stopped", "others_wait", "nothing_under_way"]
"""What came of giving up: the work ends, or goes on for others, or there was none to end."""
WITHDRAWALS: Final[tuple[Withdrawal, ...]] = get_args(Withdrawal)
"""What says most stands first."""


@dataclass(eq=False, slots=True)
class _Request:
    """One request that waits; without a name nobody can give it up."""

    name: str | None
    withdrawn: bool = False


@dataclass(eq=False, slots=True)
class _Work(Generic[Value]):
    """One computation under way, and the requests that wait for it."""

    progress: Progress
    promise: Future[Value] = field(default_factory=Future)
    requests: list[_Request] = field(default_factory=list)


class Store(Generic[Value]):
    """A single-flight cache bounded by bytes."""

    def __init__(self, capacity_bytes: int, size_of: Callable[[Value], int]) -> None:
        self._capacity_bytes = capacity_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._ready: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._under_way: dict[Hashable, _Work[Value]] = {}
        self._held_bytes = 0

    def get(
        self,
        key: Hashable,
        compute: Callable[[Progress], Value],
        progress: Progress | None = None,
        waiter: str | None = None,
    ) -> Value:
        """Return the value of a key, computed at most once at a time.

        `progress` is the one to compute with, should it come to that. `waiter` names who asks, for
        `withdraw`; raise `Stopped` where that ended the computation. Who did not withdraw never
        sees that: it computes in turn.
        """
        request = _Request(waiter)
        while True:
            with self._lock:
                if key in self._ready:
                    self._ready.move_to_end(key)
                    return self._ready[key][0]
                work = self._under_way.get(key)
                mine = work is None
                if work is None:
                    work = self._under_way[key] = _Work(progress or Progress(""))
                work.requests.append(request)
            try:
                return self._compute(key, compute, work) if mine else work.promise.result()
            except Stopped:
                if request.withdrawn:
                    raise

    def under_way(self) -> list[Hashable]:
        """Return the keys of what is computed now."""
        with self._lock:
            return list(self._under_way)

    def standing(self, key: Hashable) -> Standing | None:
        """Return how far the computation of a key is, `None` where none is under way."""
        with self._lock:
            work = self._under_way.get(key)
        return work.progress.standing if work else None

    def withdraw(self, key: Hashable, waiter: str) -> Withdrawal:
        """Give up the requests of one who waits for a key; without others the work ends."""
        with self._lock:
            work = self._under_way.get(key)
            if work is None:
                return "nothing_under_way"
            for request in work.requests:
                request.withdrawn = request.withdrawn or request.name == waiter
            if not all(request.withdrawn for request in work.requests):
                return "others_wait"
            work.progress.stop()
            return "stopped"

    def _compute(
        self, key: Hashable, compute: Callable[[Progress], Value], work: _Work[Value]
    ) -> Value:
        try:
            value = compute(work.progress)
        except BaseException as error:
            if isinstance(error, Stopped):
                # Its traceback leads to all that was read until then, and the promise back to it.
                error.with_traceback(None)
            with self._lock:
                del self._under_way[key]
            work.promise.set_exception(error)
            raise
        finally:
            work.progress.end()
        with self._lock:
            del self._under_way[key]
            self._keep(key, value)
        work.promise.set_result(value)
        return value

    def _keep(self, key: Hashable, value: Value) -> None:
        size = self._size_of(value)
        self._ready[key] = (value, size)
        self._held_bytes += size
        # The newest always stays: a value larger than the capacity is still worth its computation.
        while self._held_bytes > self._capacity_bytes and len(self._ready) > 1:
            _, (_, freed) = self._ready.popitem(last=False)
            self._held_bytes -= freed
