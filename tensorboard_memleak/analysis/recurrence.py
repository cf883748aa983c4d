"""Iterations that nothing marks, found by what recurs among the allocations.

An allocation that happens once an iteration comes back after about the same number of other
allocations. Among all such evenly spaced kinds of allocation the number of occurrences that most
of them share is the number of iterations, and the earliest of those marks where each begins.

Blind spot: a loop *inside* an iteration (layers of one kind, time steps of a recurrent network)
recurs just as well. Steps found here can therefore rank suspects, not convict.
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import EventKind, HostTrace, Int64, MemoryEvents

FEWEST: Final = 3
EVEN: Final = 0.25
"""Largest standard deviation of the gaps between occurrences, as a share of their mean."""
COVERED: Final = 0.7
"""Share of the allocations that the occurrences must span."""
_COUNTER: Final = re.compile(r"_\d+(?=/|:|$)")


def starts_of_iterations(trace: HostTrace, events: MemoryEvents) -> Int64:
    """Return when each iteration begins, empty where nothing recurs.

    Allocations are of one kind if they come from one place; where no place recurs evenly (all come
    from one) the requested bytes tell kinds apart.
    """
    births = np.flatnonzero(events.kind == EventKind.ALLOCATION)
    if len(births) < FEWEST:
        return np.zeros(0, np.int64)
    ops = _without_counters(trace, events)[births]
    origin = _code(ops, events.stack[births].astype(np.int64))
    found = recurring(origin)
    if not len(found):
        found = recurring(_code(origin, events.requested_bytes[births]))
    starts: Int64 = events.time_ps[births[found]]
    return starts


def recurring(code: Int64) -> Int64:
    """Return the rows at which the earliest kind of row recurs that recurs as most kinds do."""
    counts, firsts = _even_ones(code)
    if not len(counts):
        return counts
    values, votes = np.unique(counts, return_counts=True)
    chosen = values[len(votes) - 1 - np.argmax(votes[::-1])]
    anchor = int(firsts[counts == chosen].min())
    return np.flatnonzero(code == code[anchor])


def _without_counters(trace: HostTrace, events: MemoryEvents) -> Int64:
    """Return a code an event that op names share if they differ only in numbered suffixes."""
    used, where = np.unique(events.op, return_inverse=True)
    names = [_COUNTER.sub("", trace.strings[op]) for op in used.tolist()]
    codes = {name: code for code, name in enumerate(dict.fromkeys(names))}
    return np.array([codes[name] for name in names], np.int64)[where]


def _code(first: Int64, second: Int64) -> Int64:
    """Return one number a pair of numbers."""
    a, b = (np.unique(column, return_inverse=True)[1] for column in (first, second))
    return np.asarray(a.astype(np.int64) * (int(b.max()) + 1) + b)


def _even_ones(code: Int64) -> tuple[Int64, Int64]:
    """Return how often each evenly spaced code occurs, and where it occurs first."""
    order = np.argsort(code, kind="stable")
    _, begin, count = np.unique(code[order], return_index=True, return_counts=True)
    gap = np.diff(order).astype(np.float64)
    last = begin + count - 1
    sums = np.append(0.0, np.cumsum(gap))
    squares = np.append(0.0, np.cumsum(gap * gap))
    gaps = np.maximum(count - 1, 1)
    mean = (sums[last] - sums[begin]) / gaps
    variance = (squares[last] - squares[begin]) / gaps - mean * mean
    even = np.sqrt(np.maximum(variance, 0.0)) <= EVEN * mean
    wide = order[last] - order[begin] + mean >= COVERED * len(code)
    chosen = (count >= FEWEST) & even & wide
    return count[chosen].astype(np.int64), order[begin][chosen].astype(np.int64)
