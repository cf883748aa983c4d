"""Where events begin in a stretch of a line: their lengths walked by many lanes at once.

Events stand one behind another, each with its length in front: a chain that only a slow loop can
follow. Here the stretch is cut into segments and all of them are walked at the same time, each from
a guess at where an event begins. A guess is checked, never trusted: the first segment starts at a
known event, and a segment counts only if the walk of the one before it runs onto its path. From
there on both are the same chain, so what is returned is what the slow loop would have found.

Guesses are good because a stat inside an event looks like an event (`22 length ...`) and stats
stand last: a walk that begins on a stat runs onto the next event by itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import Bool, Int64
from tensorboard_memleak.readers.columns import Window

EVENT_TAG: Final = 0x22
WORTH_LANES_BYTES: Final = 1 << 17
"""A shorter stretch is walked faster one event after another."""

_SEGMENT_BYTES: Final = 2048
_GUESS_BYTES: Final = 96
_GUESSES: Final = 4
_HOPS: Final = 3


def _advances() -> NDArray[np.int64]:
    """Return how far an event reaches by the two bytes behind its tag, 0 for longer lengths."""
    low, high = np.meshgrid(np.arange(256), np.arange(256))
    two = np.where(high < 128, 3 + (low - 128) + high * 128, 0)
    return np.where(low < 128, 2 + low, two).ravel()


_ADVANCE: Final = _advances()


def walk(window: Window) -> tuple[Int64, int]:
    """Return where whole events begin, from the window's first byte on, and where the walk stops.

    It stops before a field that is no event, before an event that is cut or has 16 KiB or more, and
    where a guess was wrong: it returns what is sure, and the caller goes on from there.
    """
    begin = _guess(window)
    bound = np.append(begin[1:], window.size)
    on_path, stop = _walk_segments(window, begin, bound)
    # Segment k + 1 is right if segment k is and stops on its path.
    landing = stop[:-1]
    joined = (landing >= begin[1:]) & (landing < bound[1:]) & on_path[landing]
    right = len(joined) if joined.all() else int(np.argmin(joined))
    position = np.flatnonzero(on_path[: bound[right]])
    counts = np.diff(np.searchsorted(position, begin[: right + 1]), append=len(position))
    first = np.append(0, landing[:right])
    return position[position >= np.repeat(first, counts)], int(stop[right])


def _guess(window: Window) -> Int64:
    """Return where segments begin: on something that reads like a chain of events."""
    count = window.size // _SEGMENT_BYTES
    grid = window.raw[: count * _SEGMENT_BYTES].reshape(count, _SEGMENT_BYTES)
    tags = grid[:, :_GUESS_BYTES] == EVENT_TAG
    begin = np.full(count, -1, np.int64)
    segment: Int64 = np.arange(1, count)
    for _ in range(_GUESSES):
        nearest = tags[segment].argmax(axis=1)
        position = segment * _SEGMENT_BYTES + nearest
        good = np.ones(len(segment), np.bool_)
        for _ in range(_HOPS):
            whole, position = _step(window, position)
            good &= whole
        begin[segment[good]] = segment[good] * _SEGMENT_BYTES + nearest[good]
        tags[segment, nearest] = False
        segment = segment[~good]
        if not len(segment):
            break
    return np.append(0, begin[begin > 0])


def _step(window: Window, position: Int64) -> tuple[Bool, Int64]:
    """Step over an event; where there is no whole one the position stays and False is told."""
    advance = _ADVANCE[window.pairs[position + 1]]
    after = position + advance
    whole = (window.raw[position] == EVENT_TAG) & (advance > 0) & (after <= window.size)
    return whole, after if whole.all() else np.where(whole, after, position)


def _walk_segments(window: Window, begin: Int64, bound: Int64) -> tuple[Bool, Int64]:
    """Walk all segments; return which bytes are on a path, and where each walk stopped."""
    on_path = np.zeros(window.size + 1, np.bool_)
    stop = begin.copy()
    segment: Int64 = np.arange(len(begin))
    position = begin
    while len(segment):
        whole, after = _step(window, position)
        on_path[position] = whole
        live = whole & (after < bound)
        if not live.all():
            stop[segment[~live]] = after[~live]
            segment, bound, after = segment[live], bound[live], after[live]
        position = after
    return on_path, stop
