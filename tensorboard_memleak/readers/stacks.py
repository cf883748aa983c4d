"""The stacks of enclosing trace events, found for instants in columns.

An event encloses an instant when `start <= instant < end` on the same line; the outermost is the
one that began first. Most trace events nest, but not all do: a Python frame may end while a span
that was opened in it goes on, and asynchronous spans share a line. So spans are dealt into lanes in
which none overlaps another, and each lane has at most one span for an instant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import NO_STACK, NO_STRING, Int32, Int64, Stacks

_SHIFT: Final = 32
_ROUNDS: Final = 16
"""Spans that cross others are dealt again this often. What crosses more is left out of stacks: real
captures need two rounds, and a hostile one must not take forever."""
_MAX_LANES: Final = 1024
_BLOCK: Final = 8192
"""Instants handled at once, so that instants times lanes stays small."""


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

        Raise `Disorder` when something begins before the end of what earlier batches have covered.
        """
        self._check_order(start, instants)
        start = np.concatenate((self._start, start))
        end = np.concatenate((self._end, end))
        name = np.concatenate((self._name, name))
        if (start[1:] < start[:-1]).any():
            order = np.argsort(start, kind="stable")
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
        order = np.argsort(instants, kind="stable")
        at = instants[order]
        useful = _holding(start, end, at)
        start, end, name = start[useful], end[useful], name[useful]
        if (start[1:] == start[:-1]).any():  # of those that begin together the longest stands first
            longest = np.lexsort((-end, start))
            start, end, name = start[longest], end[longest], name[longest]
        lanes = deal(start, end)
        for first in range(0, len(at), _BLOCK):
            block = at[first : first + _BLOCK]
            spans = enclosing(start, end, lanes, block)
            found = np.zeros(len(block), np.int32)
            for level in spans:
                inside = np.flatnonzero(level >= 0)
                frames = self._texts(name[level[inside]])
                if (frames == NO_STRING).any():  # a span without a name says nothing
                    inside, frames = inside[frames != NO_STRING], frames[frames != NO_STRING]
                found[inside] = self._tree.extend(found[inside], frames)
            nodes[order[first : first + _BLOCK]] = found
        return nodes


def _holding(start: Int64, end: Int64, instants: Int64) -> Int64:
    """Return which spans, ordered by start, hold one of the ordered instants: few of them do."""
    begun = np.searchsorted(start, instants, "right")
    passed = np.cumsum(np.bincount(begun, minlength=len(start) + 1))[: len(start)]
    following = np.append(instants, np.iinfo(np.int64).max)[passed]
    return np.flatnonzero(following < end)


def deal(start: Int64, end: Int64) -> list[Int64]:
    """Deal spans, ordered by start and then the longest first, into lanes without overlaps.

    A span's lane is how many earlier ones are still open when it starts: where all spans nest, that
    is their depth. A span that reaches into the next one of its lane is dealt again with its like.
    """
    lanes: list[Int64] = []
    remaining: Int64 = np.arange(len(start))
    for _ in range(_ROUNDS):
        begins, ends = start[remaining], end[remaining]
        depth = np.arange(len(remaining)) - _ended_before(begins, ends)
        by_depth = _in_order(depth)
        crosses = np.zeros(len(remaining), np.bool_)
        crosses[:-1] = ends[by_depth[:-1]] > begins[by_depth[1:]]
        crosses[:-1] &= depth[by_depth[:-1]] == depth[by_depth[1:]]
        kept = by_depth[~crosses]
        bounds = np.flatnonzero(np.diff(depth[kept])) + 1
        lanes += [lane for lane in np.split(remaining[kept], bounds) if len(lane)]
        remaining = np.sort(remaining[by_depth[crosses]])
        if not len(remaining):
            break
    return lanes[:_MAX_LANES]


def _ended_before(start: Int64, end: Int64) -> Int64:
    """Return how many spans have ended when each begins; spans are ordered by start."""
    first_after = np.searchsorted(start, end)
    return np.cumsum(np.bincount(first_after, minlength=len(start)))[: len(start)]


def _in_order(numbers: Int64) -> Int64:
    """Return the stable order of small numbers: 16-bit ones are sorted by radix, far faster."""
    small = numbers.max(initial=0) < 1 << 16
    return np.argsort(numbers.astype(np.uint16) if small else numbers, kind="stable")


def enclosing(start: Int64, end: Int64, lanes: list[Int64], instants: Int64) -> Int64:
    """Return the spans that enclose each instant (a column), outermost first, -1 for none."""
    spans = np.full((len(lanes), len(instants)), -1, np.int64)
    for row, lane in zip(spans, lanes, strict=True):
        nearest = np.searchsorted(start[lane], instants, "right") - 1
        span = lane[np.maximum(nearest, 0)]
        inside = (nearest >= 0) & (end[span] > instants)
        row[inside] = span[inside]
    # Spans are numbered by their start, which is the order of nesting; lanes may not be in it.
    spans.sort(axis=0)
    return spans
