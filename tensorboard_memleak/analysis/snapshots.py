"""Device-memory profiles taken one after the other: what grows between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from tensorboard_memleak.analysis.own_code import own_functions
from tensorboard_memleak.analysis.snapshot_executables import compiled_again
from tensorboard_memleak.analysis.snapshot_growth import confidence_of_growth
from tensorboard_memleak.analysis.snapshot_order import in_time_order
from tensorboard_memleak.analysis.snapshot_places import place_text, site_of
from tensorboard_memleak.analysis.snapshot_sites import are_of_one_program, snapshot_sites
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.findings import SEVERITIES, Finding, Severity
from tensorboard_memleak.model.snapshot import (
    SampleKind,
    Snapshot,
    SnapshotComparison,
    SnapshotSite,
)
from tensorboard_memleak.model.trace import Notice

_LEAST_OF_TWO: Final = 2
_KEPT: Final = (
    "Something keeps a reference to each of these arrays: a list of results, metrics or states, a "
    "cache, a closure."
)
_INSTEAD: Final = "Keep jax.device_get(x) or a running value instead, or delete the old one."


def compare_snapshots(snapshots: Sequence[Snapshot]) -> SnapshotComparison:
    """Put snapshots in order and tell which sites grow from one to the next.

    With three or more, a site grows if every one of them holds more than the one before: by count,
    or in bytes at an even count (an array replaced by a longer one). Two snapshots cannot tell a
    leak from something made once in between: the confidence says so, and a single new array is
    not told. Blind spot: what grows less often than snapshots are taken.
    """
    ordered, ordered_by = in_time_order(snapshots)
    sites = snapshot_sites(ordered) if ordered else ()
    related = are_of_one_program(ordered)
    found = [*_grown_sites(sites), *compiled_again(sites)] if related else []
    found.sort(key=_urgency)
    numbered = tuple(replace(one, id=f"s{place}") for place, one in enumerate(found, start=1))
    notices = [notice for snapshot in ordered for notice in snapshot.notices]
    if len(ordered) == 1:
        notices.append(_ALONE)
    if not related:
        notices.append(_UNRELATED)
    return SnapshotComparison(ordered, ordered_by, sites, numbered, tuple(notices))


def _urgency(one: Finding) -> tuple[int, float, int, int]:
    return (SEVERITIES.index(one.severity), -(one.confidence or 0), -one.bytes, -one.blocks)


_ALONE: Final = Notice(
    "single_snapshot",
    "There is one device-memory profile: growth cannot be told from it.",
    "Take three, some steps apart: jax.profiler.save_device_memory_profile(path).",
)

_UNRELATED: Final = Notice(
    "unrelated_snapshots",
    "The device-memory profiles have no source file in common: they are not compared.",
    "Compare profiles of one run; keep those of others in a folder of their own.",
)


def _grown_sites(sites: Sequence[SnapshotSite]) -> list[Finding]:
    """Return the sites whose arrays grow in every interval, by count or in bytes."""
    found = []
    for site in sites:
        if site.kind != SampleKind.BUFFER or not site.more_counts:
            continue
        two = len(site.more_counts) == 1
        if all(more > 0 for more in site.more_counts):
            if not two or site.more_counts[0] >= _LEAST_OF_TWO:
                found.append(_grown(site, confidence_of_growth(site.more_counts), "arrays"))
        elif not two and not any(site.more_counts) and all(more > 0 for more in site.more_bytes):
            found.append(_grown(site, confidence_of_growth(site.more_bytes), "bytes"))
    return found


def _advice(site: SnapshotSite) -> str:
    functions = " or ".join(own_functions(site.own_stack)) or "the code that makes them"
    return (
        f"{_KEPT} Look for an append, or another reference that stays, in {functions}. {_INSTEAD}"
    )


def _grown(site: SnapshotSite, confidence: float, by: str) -> Finding:
    where = place_text(site.own_stack)
    more_bytes = sum(site.more_bytes)
    counts = " → ".join(map(str, site.counts))
    sizes = " → ".join(map(bytes_text, site.size_bytes))
    number = len(site.counts)
    each = f"{number} snapshots" if number > 2 else "two snapshots"
    title = (
        f"{where} holds {count_text(sum(site.more_counts), 'more array')}, "
        f"{bytes_text(more_bytes)}, over {each}"
        if by == "arrays"
        else f"{where} holds an array that grows by {bytes_text(more_bytes)} over {each}"
    )
    doubt = "" if number > 2 else " A third snapshot would tell a leak from what is made once."
    severity: Severity = "high" if confidence >= 0.9 else "medium"
    return static_finding(
        kind="snapshot_growth",
        severity=severity,
        confidence=confidence,
        title=title,
        detail=f"Live arrays in time order: {counts}; bytes: {sizes}.{doubt}",
        advice=_advice(site),
        site=site_of(site),
        blocks=sum(site.more_counts),
        size_bytes=more_bytes,
    )
