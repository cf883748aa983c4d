"""Analysed hosts, kept while memory allows: one computation a key, the least used forgotten first.

The lock guards the two maps; it is never held while something is computed. Whoever asks first
computes, whoever asks meanwhile waits for that. Errors are not kept: the next request tries again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Store(Generic[Value]):
    """A single-flight cache bounded by bytes."""

    def __init__(self, capacity_bytes: int, size_of: Callable[[Value], int]) -> None:
        self._capacity_bytes = capacity_bytes
        self._size_of = size_of
        self._lock = threading.Lock()
        self._ready: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._under_way: dict[Hashable, Future[Value]] = {}
        self._held_bytes = 0

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return the value of a key, computed at most once at a time."""
        with self._lock:
            if key in self._ready:
                self._ready.move_to_end(key)
                return self._ready[key][0]
            waiting = self._under_way.get(key)
            if waiting is None:
                mine: Future[Value] = Future()
                self._under_way[key] = mine
        if waiting is not None:
            return waiting.result()
        return self._compute(key, compute, mine)

    def _compute(
        self, key: Hashable, compute: Callable[[], Value], promise: Future[Value]
    ) -> Value:
        try:
            value = compute()
        except BaseException as error:
            with self._lock:
                del self._under_way[key]
            promise.set_exception(error)
            raise
        with self._lock:
            del self._under_way[key]
            self._keep(key, value)
        promise.set_result(value)
        return value

    def _keep(self, key: Hashable, value: Value) -> None:
        size = self._size_of(value)
        self._ready[key] = (value, size)
        self._held_bytes += size
        # The newest always stays: a value larger than the capacity is still worth its computation.
        while self._held_bytes > self._capacity_bytes and len(self._ready) > 1:
            _, (_, freed) = self._ready.popitem(last=False)
            self._held_bytes -= freed
