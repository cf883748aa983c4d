"""Two memories compared: the one that is looked at, and what it was before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

import numpy as np

from tensorboard_memleak.analysis.comparison import Comparison, Pair, Rate, compare
from tensorboard_memleak.analysis.site_table import SiteTable, site_table
from tensorboard_memleak.analysis.wording import bytes_text
from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.trace import Int64
from tensorboard_memleak.report.findings import confidence_payload
from tensorboard_memleak.report.memory import memory_payload, steps_payload
from tensorboard_memleak.service.finder import HostAnalysis, LeakFinder
from tensorboard_memleak.service.wire import JSON, Payload

_NOT_RUN: Final = " Its sites allocate nothing now: see that their code still ran."


def compare_memories(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    other_session: str,
    other_host: str | None = None,
    other_memory: str | None = None,
) -> Payload:
    """Return what has changed since another session; that one is *before*.

    Its host and memory are those of the same name unless told, or the only ones that it has.
    """
    hosts = [one.host for one in finder.listing.session(other_session).hosts]
    other_host = other_host or _like(host, hosts, "other_host")
    now, was = finder.host(session, host), finder.host(other_session, other_host)
    memories = [one.memory.memory_id for one in was.diagnosis.memories]
    other_memory = other_memory or _like(memory, memories, "other_memory")
    return comparison(
        (other_session, was, was.memory(other_memory)), (session, now, now.memory(memory))
    )


Side = tuple[str, HostAnalysis, MemoryAnalysis]
"""A session's id, one of its hosts, and a memory of that."""


def comparison(was: Side, now: Side) -> Payload:
    """Return what has changed from one memory to another."""
    before, after = was[2], now[2]
    found = compare(before, after)
    return {
        "outcome": found.outcome,
        "confidence": confidence_payload(found.confidence),
        "reason": _reason(found, before, after),
        "notes": _notes(before, after),
        "before": _side(*was, found.before),
        "after": _side(*now, found.after),
        "columns": _columns(found.pairs, before, after),
        "total": len(found.pairs),
    }


def _like(name: str, names: Sequence[str], parameter: str) -> str:
    if name in names:
        return name
    if len(names) == 1:
        return names[0]
    raise BadRequest(
        f"The parameter {parameter} is missing: the other session has no {name}.",
        f"It has {', '.join(names) or 'none'}.",
    )


def _reason(found: Comparison, before: MemoryAnalysis, after: MemoryAnalysis) -> str:
    was = bytes_text(found.before.bytes_per_step) if found.before else ""
    now = bytes_text(found.after.bytes_per_step) if found.after else ""
    if found.outcome == "unclear":
        side, open_one = ("Before", before) if found.before is None else ("Now", after)
        return f"{side} it is not certain whether something leaks: {open_one.diagnosis.reason}"
    if found.outcome == "fixed":
        return f"{was} a step leaked before, nothing does now." + _NOT_RUN * found.absent
    if found.outcome == "new_leak":
        return f"Nothing leaked before, {now} a step do now."
    if found.outcome == "no_leak":
        return "Nothing leaks, before or now."
    apart = " That is no more apart than either is uncertain." * (found.outcome == "same")
    return f"{was} a step leaked before, {now} do now.{apart}"


def _notes(before: MemoryAnalysis, after: MemoryAnalysis) -> list[JSON]:
    """Say what makes the two hard to compare."""
    was, now = before.steps.source, after.steps.source
    if was == now:
        return []
    return [f"Steps come from {was} before and {now} now: one may hold more work than the other."]


def _side(session: str, host: HostAnalysis, analysis: MemoryAnalysis, rate: Rate | None) -> Payload:
    told = memory_payload(analysis, host.trace)
    return {
        "session": session,
        "host": host.trace.host,
        "memory_id": told["memory_id"],
        "verdict": told["verdict"],
        "confidence": told["confidence"],
        "reason": told["reason"],
        **_rate("", rate),
        "totals": cast(Payload, told["totals"]),
        "steps": cast(Payload, steps_payload(analysis.steps)),
    }


def _rate(prefix: str, rate: Rate | None) -> Payload:
    return {
        f"{prefix}bytes_per_step": rate.bytes_per_step if rate else None,
        f"{prefix}rate_low_bytes": rate.low if rate else None,
        f"{prefix}rate_high_bytes": rate.high if rate else None,
    }


def _columns(pairs: Sequence[Pair], before: MemoryAnalysis, after: MemoryAnalysis) -> Payload:
    shown = [_shown(pair, before, after) for pair in pairs]
    old = [pair.match.before for pair in pairs]
    new = [pair.match.after for pair in pairs]
    return {
        "op": [site.op for site in shown],
        "shape": [site.shape for site in shown],
        "dtype": [site.dtype for site in shown],
        "source": [site.source for site in shown],
        "stack": [list(site.stack) for site in shown],
        "matched_by": [pair.match.by for pair in pairs],
        "change": [pair.change for pair in pairs],
        **_half("before_", before, old, [pair.before for pair in pairs]),
        **_half("after_", after, new, [pair.after for pair in pairs]),
    }


def _shown(pair: Pair, before: MemoryAnalysis, after: MemoryAnalysis) -> Site:
    """Return the site that a pair is shown as: as it is now, else as it was."""
    if pair.match.after:
        return after.sites.sites[pair.match.after[0]]
    return before.sites.sites[pair.match.before[0]]


def _half(
    prefix: str,
    analysis: MemoryAnalysis,
    sites: Sequence[tuple[int, ...]],
    rates: Sequence[Rate | None],
) -> Payload:
    """Write one side of the pairs; `null` where it has no such site, or does not know the rate."""
    table, steps = site_table(analysis), len(analysis.steps)

    def sums(column: Callable[[SiteTable], Int64]) -> list[int | None]:
        values = column(table)
        return [int(values[np.array(one)].sum()) if one else None for one in sites]

    allocated = sums(lambda table: table.allocated_bytes)
    rows = [_rate(prefix, rate) for rate in rates]
    return {
        f"{prefix}sites": [list(one) for one in sites],
        **{name: [row[name] for row in rows] for name in _rate(prefix, None)},
        f"{prefix}live_blocks": sums(lambda table: table.survivors),
        f"{prefix}live_bytes": sums(lambda table: table.survivor_bytes),
        f"{prefix}allocated_bytes_per_step": [
            None if value is None or not steps else value // steps for value in allocated
        ],
    }
