"""The stacks of enclosing trace events, found for instants in columns.

An event encloses an instant when `start <= instant < end` on the same line. Trace events nest
properly; where they do not (asynchronous spans share a line), a span may be left out of a stack
but a span that does not enclose the instant is never put into one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import NO_STACK, NO_STRING, Int32, Int64, Stacks

_SHIFT: Final = 32


class StackTree:
    """All distinct stacks met so far; node 0 is the empty one."""

    def __init__(self) -> None:
        self._node: dict[int, int] = {}
        self._parent = [NO_STACK]
        self._frame = [NO_STRING]

    def extend(self, parent: Int32, frame: Int32) -> Int32:
        """Return the nodes that put each `frame` on top of its `parent`."""
        keys = parent.astype(np.int64) << _SHIFT | frame
        distinct, where = np.unique(keys, return_inverse=True)
        nodes = [self._node_of(key) for key in distinct.tolist()]
        return np.array(nodes, np.int32)[where]

    def _node_of(self, key: int) -> int:
        node = self._node.setdefault(key, len(self._parent))
        if node == len(self._parent):
            self._parent.append(key >> _SHIFT)
            self._frame.append(key & 0xFFFFFFFF)
        return node

    def stacks(self) -> Stacks:
        """Return the tree as columns."""
        return Stacks(np.array(self._parent, np.int32), np.array(self._frame, np.int32))


class Disorder(Exception):
    """A line's events are not in order of their start, so they must be seen all at once."""


class LineStacks:
    """Stacks on one line, fed batch after batch; spans still open are carried over."""

    def __init__(self, tree: StackTree, texts: Callable[[Int32], Int32]) -> None:
        """`texts` turns what the spans are called by into string indices, where they are needed."""
        self._tree = tree
        self._texts = texts
        self._start = np.zeros(0, np.int64)
        self._end = np.zeros(0, np.int64)
        self._name = np.zeros(0, np.int32)
        self._latest: int | None = None

    def feed(self, start: Int64, end: Int64, name: Int32, instants: Int64) -> Int32:
        """Return the stack node of each instant, given the spans of the same batch.

        Raise `Disorder` when a span begins before the end of what earlier batches have covered.
        """
        self._check_order(start, instants)
        start = np.concatenate((self._start, start))
        end = np.concatenate((self._end, end))
        name = np.concatenate((self._name, name))
        order = np.lexsort((-end, start))
        start, end, name = start[order], end[order], name[order]
        nodes = self._stack(start, end, name, instants)
        if self._latest is not None:
            opened = end > self._latest
            self._start, self._end, self._name = start[opened], end[opened], name[opened]
        return nodes

    def _check_order(self, start: Int64, instants: Int64) -> None:
        bounds = [part for part in (start, instants) if len(part)]
        if not bounds:
            return
        if self._latest is not None and min(int(part.min()) for part in bounds) < self._latest:
            raise Disorder
        self._latest = max(int(part.max()) for part in bounds)

    def _stack(self, start: Int64, end: Int64, name: Int32, instants: Int64) -> Int32:
        nodes = np.zeros(len(instants), np.int32)
        ends = np.sort(end)
        # How many of the earlier spans are still open: the depth, wherever spans nest properly.
        depth = np.arange(len(start)) - np.searchsorted(ends, start, "right")
        opened = np.searchsorted(start, instants, "right") - np.searchsorted(
            ends, instants, "right"
        )
        by_depth = np.argsort(depth, kind="stable")
        bounds = np.searchsorted(depth[by_depth], np.arange(int(opened.max(initial=0)) + 1))
        for first, last in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            level = by_depth[first:last]
            nearest = np.searchsorted(start[level], instants, "right") - 1
            span = level[np.maximum(nearest, 0)]
            inside = np.flatnonzero((nearest >= 0) & (end[span] > instants))
            if len(inside):
                nodes[inside] = self._tree.extend(nodes[inside], self._texts(name[span[inside]]))
        return nodes
