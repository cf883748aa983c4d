"""What ran meanwhile: step marks, runs of compiled modules and trace events, thread by thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.lanes import LaneSpans
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64, Spans
from tensorboard_memleak.readers.xplane_thread_events import LEVELS
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.timeline import time_range
from tensorboard_memleak.service.wire import JSON, Payload

MOST_LANES: Final = 16
MOST_OF_A_KIND: Final = 8
"""On a host with many devices the runs of all of them must leave room for the rest."""


@dataclass(frozen=True, slots=True)
class _Lane:
    """One row: spans of one kind and level on one thread, whose names index `names`."""

    kind: str
    level: int
    thread: int
    spans: LaneSpans
    names: Sequence[str]

    @property
    def rank(self) -> tuple[int, int, int]:
        """What is shown first: by kind and level, then the busiest."""
        kind = ("steps", "modules", "events").index(self.kind)
        return kind, self.level, -int(self.spans.count.sum())


def lanes(
    finder: LeakFinder,
    session: str,
    host: str,
    start_ns: int | None = None,
    end_ns: int | None = None,
    pixels: int = 1200,
) -> Payload:
    """Return the lanes of a range; spans under a pixel are merged.

    The busiest of each kind are told, those of one thread one below the other.
    """
    files = finder.host_files(session, host)
    trace = finder.analysis(files, named=False).trace
    start_ps, end_ps = time_range(trace, start_ns, end_ns)
    cell_ps = max((end_ps - start_ps) // pixels, 1)
    ran = finder.thread_events(files)
    found = [
        *_lanes("steps", _of_spans(trace.step_marks), 1, trace.strings, start_ps, end_ps),
        *_lanes("modules", _of_spans(trace.module_runs), 1, trace.strings, start_ps, end_ps),
        *_lanes("events", ran.spans, LEVELS, ran.names, start_ps, end_ps),
    ]
    shown = _shown(found)
    called = _called(trace, shown)
    return {
        "start_ns": wire.moment_ns(start_ps, trace),
        "end_ns": wire.moment_ns(end_ps, trace),
        "lanes": [_payload(trace, lane, called[lane.thread], cell_ps) for lane in shown],
        "total": len(found),
    }


def _of_spans(spans: Spans) -> LaneSpans:
    ones = np.ones(len(spans), np.int64)
    return LaneSpans(spans.name, spans.start_ps, spans.end_ps, spans.number, ones, spans.thread)


def _lanes(
    kind: str, spans: LaneSpans, levels: int, names: Sequence[str], start_ps: int, end_ps: int
) -> Iterator[_Lane]:
    """Yield the lanes that have spans in a range."""
    inside = spans.take((spans.start_ps <= end_ps) & (spans.end_ps >= start_ps)).ordered()
    numbers, begin = np.unique(inside.lane, return_index=True)
    for number, rows in zip(
        numbers.tolist(), np.split(np.arange(len(inside)), begin[1:]), strict=False
    ):
        thread, level = divmod(number, levels)
        yield _Lane(kind, level, thread, inside.take(rows), names)


def _shown(found: list[_Lane]) -> list[_Lane]:
    """Choose lanes by rank, at most so many of a kind, and bring those of a thread together."""
    of_kind: dict[str, int] = defaultdict(int)
    chosen: list[_Lane] = []
    for lane in sorted(found, key=lambda lane: lane.rank):
        of_kind[lane.kind] += 1
        if of_kind[lane.kind] <= MOST_OF_A_KIND:
            chosen.append(lane)
    chosen = chosen[:MOST_LANES]
    order: dict[int, int] = {}
    for lane in chosen:
        order.setdefault(lane.thread, len(order))
    return sorted(chosen, key=lambda lane: (order[lane.thread], lane.rank))


def _called(trace: HostTrace, shown: list[_Lane]) -> dict[int, str]:
    """Return the names of threads; of several of one name the later ones are numbered."""
    counts: dict[str, int] = defaultdict(int)
    called: dict[int, str] = {}
    for thread in dict.fromkeys(lane.thread for lane in shown):
        (name,) = wire.thread_names(np.array([thread], np.int32), trace)
        counts[name] += 1
        called[thread] = name if counts[name] == 1 else f"{name} ({counts[name]})"
    return called


def _payload(trace: HostTrace, lane: _Lane, thread: str, cell_ps: int) -> JSON:
    spans = lane.spans.merged(cell_ps)
    return {
        "kind": lane.kind,
        "level": lane.level,
        "thread": thread,
        "spans": int(lane.spans.count.sum()),
        "merged": bool((spans.count > 1).any()),
        "columns": {
            "name": [lane.names[index] for index in spans.name.tolist()],
            "start_ns": wire.since_start_ns(spans.start_ps, trace),
            "end_ns": wire.since_start_ns(spans.end_ps, trace),
            "number": _numbers(spans.number),
            "count": spans.count.tolist(),
        },
    }


def _numbers(column: Int64) -> list[JSON]:
    """Write step numbers and program ids as text: JavaScript cannot hold every id as a number."""
    return [None if one == UNKNOWN else str(one) for one in column.tolist()]
