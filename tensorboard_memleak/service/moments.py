"""The live set at a moment, what a stretch of time left behind, and whether a request would fit."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.addresses import Use, address_map
from tensorboard_memleak.analysis.fit import Fit, fit_at
from tensorboard_memleak.analysis.interval import Interval, interval
from tensorboard_memleak.analysis.live import LiveSet, live_at
from tensorboard_memleak.analysis.steps import step_numbers, step_of
from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64, MemoryEvents
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.timeline import time_range
from tensorboard_memleak.service.wire import JSON, Payload

MOST_HOLES = 20

_BASELINE_NOTE = (
    "Allocated before the capture began: what it is and how it is split up is not in the profile."
)
_SEEN_NOTE = (
    "The largest stretch that a block of this window used at some time and none uses now: at least "
    "this much is free in one piece."
)
_ALLOCATOR_NOTE = (
    "Free bytes times (1 - fragmentation): right if the allocator took its whole limit at the "
    "start (preallocation); else its pool still grows on demand."
)


def live(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    at_ns: int | None = None,
    at_step: int | None = None,
) -> Payload:
    """Return everything that is live just after a moment, by site: at the peak unless told.

    `at_step` is a step by its place in time, and means its end.
    """
    analysed = finder.host(session, host)
    trace, analysis = analysed.trace, analysed.memory(memory)
    at_ps = moment_of(analysis, trace, at_ns, at_step)
    found = live_at(analysis, at_ps)
    step = int(step_of(analysis.steps, np.array([at_ps], np.int64))[0])
    numbers = step_numbers(analysis.steps)
    return {
        "at_ns": wire.moment_ns(at_ps, trace),
        "step": numbers[step] if step >= 0 else None,
        "bytes": found.heap_bytes,
        "blocks": int(found.blocks.sum()),
        "baseline": {
            "bytes": found.before_bytes,
            "freed_later_blocks": found.before_blocks,
            "freed_later_bytes": found.before_known_bytes,
            "note": _BASELINE_NOTE,
        },
        **_space(fit_at(analysis, at_ps)),
        "fragmentation": _fragmentation_at(analysis.memory.events, at_ps),
        "columns": _by_site(analysis, found, step),
        "holes": _holes(analysis, at_ps),
    }


def moment_of(
    analysis: MemoryAnalysis, trace: HostTrace, at_ns: int | None, at_step: int | None = None
) -> int:
    """Return the moment that is asked for: a time, the end of a step, else the peak."""
    if at_ns is not None:
        return wire.moment_ps(at_ns, trace)
    if at_step is not None:
        if at_step >= len(analysis.steps):
            raise BadRequest(
                f"There is no step {at_step}; there are {len(analysis.steps)}.", "Lower at_step."
            )
        return int(analysis.steps.end_ps[at_step])
    events = analysis.memory.events
    used = events.bytes_in_use + np.maximum(events.bytes_reserved, 0)
    return int(events.time_ps[np.argmax(used)]) if len(events) else trace.start_ps


def _by_site(analysis: MemoryAnalysis, found: LiveSet, step: int) -> JSON:
    """Sum the live variants of each site, the largest site first."""
    site, row = np.unique(analysis.sites.variants.site[found.variant], return_inverse=True)

    def total(column: Int64) -> Int64:
        return np.bincount(row, column, minlength=len(site)).astype(np.int64)

    oldest = np.full(len(site), UNKNOWN, np.int64)
    np.maximum.at(oldest, row, found.oldest_steps)
    held = total(found.allocation_bytes)
    order = np.argsort(-held, kind="stable")
    numbers = step_numbers(analysis.steps)
    ages = oldest[order].tolist()
    return {
        "site": site[order].tolist(),
        "blocks": total(found.blocks)[order].tolist(),
        "bytes": held[order].tolist(),
        "requested_bytes": total(found.requested_bytes)[order].tolist(),
        "oldest_step": [numbers[step - age] if age != UNKNOWN else None for age in ages],
        "age_steps": wire.known(oldest[order]),
    }


def _space(found: Fit) -> Payload:
    return {
        "free_bytes": found.free_bytes,
        "largest_free": {
            "allocator_bytes": found.largest_by_allocator_bytes,
            "allocator_note": _ALLOCATOR_NOTE,
            "seen_bytes": found.largest_by_addresses_bytes,
            "seen_note": _SEEN_NOTE,
        },
    }


def _fragmentation_at(events: MemoryEvents, at_ps: int) -> float | None:
    last = int(np.searchsorted(events.time_ps, at_ps, side="right"))
    told = wire.known_floats(events.fragmentation[max(last - 1, 0) : last])
    return told[0] if told else None


def _holes(analysis: MemoryAnalysis, at_ps: int) -> JSON:
    """Write the largest free pieces that the window shows, with the sites beside them."""
    pieces = address_map(analysis.blocks, at_ps)
    free = np.flatnonzero(pieces.use == Use.FREE)
    largest = free[np.argsort(-pieces.size_bytes[free], kind="stable")][:MOST_HOLES]
    beside = [pieces.neighbours(row) for row in largest.tolist()]
    site = analysis.sites.of_block

    def sites_of(blocks: list[int]) -> list[int]:
        return [int(site[block]) if block != UNKNOWN else UNKNOWN for block in blocks]

    return {
        "total": len(free),
        "columns": {
            "address": wire.addresses(pieces.start[largest]),
            "bytes": pieces.size_bytes[largest].tolist(),
            "below_site": sites_of([below for below, _ in beside]),
            "above_site": sites_of([above for _, above in beside]),
        },
    }


def stretch(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    start_ns: int | None = None,
    end_ns: int | None = None,
    then_ns: int | None = None,
) -> Payload:
    """Return what was born and freed in a range, and what of it survives it, by site."""
    analysed = finder.host(session, host)
    trace = analysed.trace
    start_ps, end_ps = time_range(trace, start_ns, end_ns)
    then_ps = trace.end_ps if then_ns is None else wire.moment_ps(then_ns, trace)
    if then_ps < end_ps:
        raise BadRequest("then_ns lies before end_ns.", "Choose a later moment.")
    found = interval(analysed.memory(memory), start_ps, end_ps, then_ps)
    columns = _interval_columns(found)
    return {
        "start_ns": wire.moment_ns(start_ps, trace),
        "end_ns": wire.moment_ns(end_ps, trace),
        "then_ns": then_ns,
        "totals": {name: int(column.sum()) for name, column in columns.items()},
        "columns": {
            "site": found.site.tolist(),
            **{name: column.tolist() for name, column in columns.items()},
        },
    }


def _interval_columns(found: Interval) -> dict[str, Int64]:
    return {
        "born_blocks": found.born_blocks,
        "born_bytes": found.born_bytes,
        "freed_blocks": found.freed_blocks,
        "freed_bytes": found.freed_bytes,
        "net_bytes": found.net_bytes,
        "left_blocks": found.left_blocks,
        "left_bytes": found.left_bytes,
        "survived_blocks": found.survived_blocks,
        "survived_bytes": found.survived_bytes,
    }


def fit(
    finder: LeakFinder, session: str, host: str, memory: str, size_bytes: int, at_ns: int | None
) -> Payload:
    """Tell whether a request would fit in one free block at a moment (at the end unless told)."""
    analysed = finder.host(session, host)
    trace, analysis = analysed.trace, analysed.memory(memory)
    at_ps = trace.end_ps if at_ns is None else wire.moment_ps(at_ns, trace)
    found = fit_at(analysis, at_ps)
    return {
        "at_ns": wire.moment_ns(at_ps, trace),
        "request_bytes": size_bytes,
        "answer": found.would_fit(size_bytes),
        **_space(found),
        "holes": _holes(analysis, at_ps),
    }
