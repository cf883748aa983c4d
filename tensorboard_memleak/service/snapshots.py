"""Device-memory profiles of a session, compared."""

from __future__ import annotations

from typing import Final, cast

from tensorboard_memleak.model.snapshot import SampleKind, Snapshot
from tensorboard_memleak.report.findings import finding_payload
from tensorboard_memleak.report.types import SnapshotPayload
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.host_snapshots import HostSnapshots
from tensorboard_memleak.service.wire import JSON, Payload

MOST_SITES: Final = 2000


def snapshots(finder: LeakFinder, session: str, host: str) -> Payload:
    """Return what each place held in each profile, in order of time, and what grew."""
    found = finder.snapshots(finder.host_files(session, host))
    comparison = found.comparison
    sites = comparison.sites[:MOST_SITES]
    return {
        "snapshots": [_snapshot(one) for one in comparison.snapshots],
        "ordered_by": comparison.ordered_by,
        "sites": {
            "total": len(comparison.sites),
            "columns": {
                "kind": [site.kind.name.lower() for site in sites],
                "place": [site.own_stack[0] if site.own_stack else "" for site in sites],
                "device": [site.device for site in sites],
                "stack": [list(site.stack) for site in sites],
                "own_stack": [list(site.own_stack) for site in sites],
                "counts": [list(site.counts) for site in sites],
                "bytes": [list(site.size_bytes) for site in sites],
                "more_counts": [list(site.more_counts) for site in sites],
                "more_bytes": [list(site.more_bytes) for site in sites],
            },
        },
        "findings": cast("JSON", [finding_payload(one) for one in comparison.findings]),
        "warnings": wire.notices(found.notices),
    }


def snapshot_payloads(found: HostSnapshots) -> list[SnapshotPayload]:
    """Return the report's entry: one comparison, none where there is nothing to compare."""
    if not found.comparison.snapshots:
        return []
    return [{"findings": [finding_payload(one) for one in found.comparison.findings]}]


def _snapshot(snapshot: Snapshot) -> JSON:
    """Write the totals of one profile."""
    samples = snapshot.samples
    totals = {
        kind: {
            "count": int(samples.count[samples.kind == kind].sum()),
            "bytes": int(samples.size_bytes[samples.kind == kind].sum()),
        }
        for kind in (SampleKind.BUFFER, SampleKind.EXECUTABLE)
    }
    return {
        "name": snapshot.name,
        "buffers": totals[SampleKind.BUFFER]["count"],
        "buffer_bytes": totals[SampleKind.BUFFER]["bytes"],
        "executables": totals[SampleKind.EXECUTABLE]["count"],
        "executable_bytes": totals[SampleKind.EXECUTABLE]["bytes"],
    }
