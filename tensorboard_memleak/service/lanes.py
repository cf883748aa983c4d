"""What ran meanwhile: step marks and runs of compiled modules, one lane a thread and kind."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64, Spans
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.timeline import time_range
from tensorboard_memleak.service.wire import JSON, Payload

MOST_LANES = 12


def lanes(
    finder: LeakFinder,
    session: str,
    host: str,
    start_ns: int | None = None,
    end_ns: int | None = None,
    pixels: int = 1200,
) -> Payload:
    """Return the lanes of a range, the busiest first; spans under a pixel are merged."""
    trace = finder.host(session, host, named=False).trace
    start_ps, end_ps = time_range(trace, start_ns, end_ns)
    cell_ps = max((end_ps - start_ps) // pixels, 1)
    found: list[tuple[int, JSON]] = []
    for kind, spans in (("steps", trace.step_marks), ("modules", trace.module_runs)):
        inside = np.flatnonzero((spans.start_ps <= end_ps) & (spans.end_ps >= start_ps))
        for thread in np.unique(spans.thread[inside]).tolist():
            rows = inside[spans.thread[inside] == thread]
            found.append((len(rows), _lane(trace, kind, spans, rows, cell_ps)))
    found.sort(key=lambda lane: -lane[0])
    return {
        "start_ns": wire.moment_ns(start_ps, trace),
        "end_ns": wire.moment_ns(end_ps, trace),
        "lanes": [lane for _, lane in found[:MOST_LANES]],
        "total": len(found),
    }


def _lane(trace: HostTrace, kind: str, spans: Spans, rows: Int64, cell_ps: int) -> JSON:
    """Write one lane; spans that begin in one cell and are shorter than it become one."""
    short = (spans.end_ps[rows] - spans.start_ps[rows]) < cell_ps
    cell = np.where(short, spans.start_ps[rows] // cell_ps, UNKNOWN - np.arange(len(rows)))
    begin = np.flatnonzero(np.append(True, cell[1:] != cell[:-1]))[: len(rows)]
    first = rows[begin]
    end_ps = np.maximum.reduceat(spans.end_ps[rows], begin)
    return {
        "kind": kind,
        "thread": wire.thread_names(spans.thread[first[:1]], trace)[0],
        "spans": len(rows),
        "merged": len(first) < len(rows),
        "columns": {
            "name": wire.texts(spans.name[first], trace),
            "start_ns": wire.since_start_ns(spans.start_ps[first], trace),
            "end_ns": wire.since_start_ns(end_ps, trace),
            "number": _numbers(spans.number[first]),
            "count": np.diff(np.append(begin, len(rows))).tolist(),
        },
    }


def _numbers(column: Int64) -> list[JSON]:
    """Write step numbers and program ids as text: JavaScript cannot hold every id as a number."""
    return [None if one == UNKNOWN else str(one) for one in column.tolist()]
