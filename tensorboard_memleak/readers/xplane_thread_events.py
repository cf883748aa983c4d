"""What ran on threads: a second reading of a capture, for those who ask what ran meanwhile.

Real captures (TensorFlow 2.21, JAX 0.4 to 0.10): what a person annotates (`TraceAnnotation`,
`tf.profiler.experimental.Trace`, `xp.Trace`) is an event of the thread's line like the framework's
own, with nothing to tell it by but where it lies: right inside of the step's mark, or outermost,
with the framework's events beneath. Frames of Python, whose names begin with "$", enclose all of
it, and instants say nothing of time. So those are passed over, and the two outermost levels of what
is left are kept. Blind spot: what is annotated deeper than that is not told, and on a thread
without annotations the levels are the framework's own.

Nobody who only wants the report pays for this, and memory is bounded: beyond `MOST_SPANS` the
shortest are merged with their neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tensorboard_memleak.model.lanes import LaneSpans, ThreadEvents, joined
from tensorboard_memleak.model.trace import UNKNOWN, Bool, EventKind, HostTrace, Int64
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_batch import batches
from tensorboard_memleak.readers.xplane_clock import base_ps
from tensorboard_memleak.readers.xplane_events import Events
from tensorboard_memleak.readers.xplane_facts import (
    ENVIRONMENT_PLANE,
    plane_facts,
    profile_span_ns,
)
from tensorboard_memleak.readers.xplane_host import can_enclose
from tensorboard_memleak.readers.xplane_lines import Line, grouped, read_own_fields
from tensorboard_memleak.readers.xplane_marks import MARK_STATS
from tensorboard_memleak.readers.xplane_space import Plane, Space, outline
from tensorboard_memleak.readers.xplane_stats import shared_stats
from tensorboard_memleak.readers.xplane_tables import Tables
from tensorboard_memleak.readers.xplane_trouble import unreadable

LEVELS: Final = 2
MOST_SPANS: Final = 1 << 18
_FIRST_CELL_PS: Final = 1 << 20
"""About a microsecond: no trace event that anybody could see is shorter."""
_PYTHON_FRAME: Final = "$"
_DEVICE_PREFIX: Final = "/device:"


def read_thread_events(
    view: Source, trace: HostTrace, path: str, most_spans: int = MOST_SPANS
) -> ThreadEvents:
    """Read what ran on the threads of `trace` that allocate or mark steps, from the same capture.

    Raise `UnreadableFile` where the bytes are not a whole XSpace.
    """
    try:
        return _Reading(view, trace, most_spans).read()
    except Malformed as error:
        raise unreadable(view, path, error) from error


def _busy_threads(trace: HostTrace) -> dict[int, int]:
    """Return the rows of threads that allocate or mark steps, by what their lines are called."""
    rows = [trace.step_marks.thread]
    for memory in trace.memories:
        events = memory.events
        rows.append(events.thread[events.kind == EventKind.ALLOCATION])
    return {
        trace.threads[row].thread_id: row for row in np.unique(np.concatenate(rows)).tolist()[::-1]
    }


@dataclass(slots=True)
class _Kept:
    """Spans kept so far; `cell_ps` grows until they are few enough."""

    most: int
    cell_ps: int = 1
    parts: list[LaneSpans] = field(default_factory=list)
    count: int = 0

    def add(self, spans: LaneSpans) -> None:
        """Keep more spans; beyond twice the bound all are merged again, so that it costs little."""
        self.parts.append(spans)
        self.count += len(spans)
        if self.count > 2 * self.most:
            self.thin()

    def thin(self) -> LaneSpans:
        """Merge what is short until the bound is kept; return all in order."""
        spans = joined(self.parts).merged(self.cell_ps)
        while len(spans) > self.most:
            self.cell_ps = max(2 * self.cell_ps, _FIRST_CELL_PS)
            spans = spans.merged(self.cell_ps)
        self.parts, self.count = [spans], len(spans)
        return spans


class _Reading:
    """One second reading of one capture."""

    def __init__(self, view: Source, trace: HostTrace, most_spans: int) -> None:
        self._view = view
        self._origin_ns = trace.origin_ns
        self._busy = _busy_threads(trace)
        self._strings = Strings()
        self._kept = _Kept(most_spans)
        self._has_profile = False

    def read(self) -> ThreadEvents:
        space = outline(self._view)
        self._has_profile = self._told_profile(space)
        for plane in space.planes:
            if plane.lines and not plane.name.startswith(_DEVICE_PREFIX):
                self._read_plane(plane)
        spans = self._kept.thin()
        return ThreadEvents(spans, self._strings.all(), self._kept.cell_ps)

    def _told_profile(self, space: Space) -> bool:
        return any(
            profile_span_ns(plane_facts(self._view, plane)) is not None
            for plane in space.planes
            if plane.name == ENVIRONMENT_PLANE
        )

    def _read_plane(self, plane: Plane) -> None:
        lines = list(self._busy_lines(plane))
        if not lines:
            return
        tables = Tables(self._view, plane, self._strings)
        shared = {row: shared_stats(tables, row) for row in tables.event_stats}
        reached: dict[int, list[int]] = {}
        by_number = {line.number: line for line in lines}
        for group in grouped(lines):
            for batch in batches(self._view, group):
                events = Events(batch, tables, shared)
                telling = _telling(events)
                for number in np.unique(batch.line[telling]).tolist():
                    rows = np.flatnonzero(telling & (batch.line == number))
                    reach = reached.setdefault(number, [np.iinfo(np.int64).min] * LEVELS)
                    self._keep(events, rows, by_number[number], reach)

    def _busy_lines(self, plane: Plane) -> Iterator[Line]:
        for number, (start, end) in enumerate(plane.lines):
            line = Line(number, start, end)
            read_own_fields(self._view, line)
            if line.line_id in self._busy:
                yield line

    def _keep(self, events: Events, rows: Int64, line: Line, reach: list[int]) -> None:
        base = base_ps(line.timestamp_ns, self._origin_ns, self._has_profile)
        batch, row = events.batch, self._busy[line.line_id]
        rows = rows[np.lexsort((-batch.end_ps[rows], batch.offset_ps[rows]))]
        for level in range(LEVELS):
            start, end = batch.offset_ps[rows], batch.end_ps[rows]
            outer, reach[level] = _outermost(start, end, reach[level])
            found = rows[outer]
            if len(found):
                self._kept.add(
                    LaneSpans(
                        name=events.tables.event_texts(events.row[found]),
                        start_ps=batch.offset_ps[found] + base,
                        end_ps=batch.end_ps[found] + base,
                        number=np.full(len(found), UNKNOWN, np.int64),
                        count=np.ones(len(found), np.int64),
                        lane=np.full(len(found), LEVELS * row + level, np.int32),
                    )
                )
            rows = rows[~outer]


def _telling(events: Events) -> Bool:
    """Mark the spans that say what ran: neither Python frames nor the marks of steps."""
    telling = can_enclose(events) & events.tables.events_named(_is_told)[events.row]
    telling[events.having(MARK_STATS)] = False
    return telling


def _is_told(name: str) -> bool:
    return name != "" and not name.startswith(_PYTHON_FRAME)


def _outermost(start: Int64, end: Int64, reach: int) -> tuple[Bool, int]:
    """Mark spans, ordered by start, that begin when all before them have ended.

    `reach` is when those of earlier batches end; it is returned as it is after these.
    """
    ends = np.maximum.accumulate(np.append(np.int64(reach), end))
    return np.asarray(start >= ends[:-1]), int(ends[-1])
