"""Reads `<host>.xplane.pb` into a `HostTrace`: exactly, and without ever building its messages.

The way the bytes go: `xplane_space` outlines planes and lines, `xplane_tables` parses the small
metadata through generated code, `xplane_lines` walks the lengths of events and decodes them in
columns, `xplane_host` and `xplane_device` keep what tells about memory, steps and programs, and
`xplane_clock` lays all of it on one axis of time.

Peak memory grows with the memory events and not with the file: a window of two megabytes is held at
a time, and only rows of memory events, step marks and module runs are kept. What else ran is read a
second time for those who ask (`xplane_thread_events`).
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tensorboard_memleak.model.telling import Told, to_nobody
from tensorboard_memleak.model.trace import HostTrace, Int32, ProgramRef, Thread
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.stacks import StackTree
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_clock import lay_out, threads_in_pieces
from tensorboard_memleak.readers.xplane_device import MODULES_LINE, STEPS_LINE, read_device_line
from tensorboard_memleak.readers.xplane_evidence import Evidence
from tensorboard_memleak.readers.xplane_facts import (
    ENVIRONMENT_PLANE,
    host_tracer_level,
    plane_facts,
    profile_span_ns,
)
from tensorboard_memleak.readers.xplane_host import HostPlane, HostRows
from tensorboard_memleak.readers.xplane_lines import Line, read_own_fields
from tensorboard_memleak.readers.xplane_notices import notices
from tensorboard_memleak.readers.xplane_programs import METADATA_PLANE, ids_by_name, read_programs
from tensorboard_memleak.readers.xplane_space import Plane, Space, outline
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_tables import Tables
from tensorboard_memleak.readers.xplane_trouble import unreadable

_DEVICE_PREFIX: Final = "/device:"
_TELLING_PLANES: Final = {ENVIRONMENT_PLANE, METADATA_PLANE}
_MEMORY_EVENT: Final = re.compile(rb"Memory(All|Deall)ocation")


def read_host_trace(view: Source, host: str, path: str, told: Told = to_nobody) -> HostTrace:
    """Read the capture in `view`; `host` and `path` say whose it is and where it lies.

    `told` hears again and again how many of its bytes are done, all of them at the end.
    Raise `UnreadableFile` where the bytes are not a whole XSpace.
    """
    try:
        return _Capture(view, host, path, told).read()
    except Malformed as error:
        raise unreadable(view, path, error) from error


class _Capture:
    """One reading of one capture."""

    def __init__(self, view: Source, host: str, path: str, told: Told) -> None:
        self._view = view
        self._host = host
        self._path = path
        self._told = told
        self._strings = Strings()
        self._tree = StackTree()
        self._evidence = Evidence()
        self._rows = HostRows(self._strings)
        self._device_steps = SpanRows()
        self._device_runs = SpanRows()
        self._programs: dict[tuple[str, int], ProgramRef] = {}
        self._profile: tuple[int, int] | None = None
        self._dropped = 0
        self._lines: list[Line] = []
        self._threads: dict[tuple[str, int], int] = {}
        self._thread_names: list[str] = []
        self._line_thread: list[int] = []

    def read(self) -> HostTrace:
        """Read every plane and put together what they tell."""
        space = outline(self._view)
        for plane in space.planes:
            self._evidence.see_plane(plane.name)
            if plane.lines or plane.name in _TELLING_PLANES:
                self._read_facts(plane)
            if plane.name == METADATA_PLANE:
                for program in read_programs(self._view, plane, self._path):
                    self._programs.setdefault((program.name, program.program_id), program)
            if plane.name.startswith(_DEVICE_PREFIX) and not self._has_memory_events(plane):
                self._read_device(plane)
            elif plane.lines:
                self._read_host(plane)
        trace = self._finish(space)
        self._told(len(self._view))
        return trace

    def _read_facts(self, plane: Plane) -> None:
        facts = plane_facts(self._view, plane)
        if plane.name == ENVIRONMENT_PLANE:
            self._profile = profile_span_ns(facts) or self._profile
            self._evidence.host_tracer_level = host_tracer_level(facts)
        if "jax_version" in facts:
            self._evidence.frameworks.add("jax")
        dropped = facts.get("dropped_traces", 0)
        self._dropped += dropped if isinstance(dropped, int) else 0

    def _has_memory_events(self, plane: Plane) -> bool:
        return any(_MEMORY_EVENT.search(self._view[a:b]) for a, b in plane.event_metadata)

    def _read_host(self, plane: Plane) -> None:
        tables = Tables(self._view, plane, self._strings)
        self._evidence.see_events(tables.event_names)
        host = HostPlane(tables, self._tree, self._strings, self._told)
        lines = [
            Line(number, start, end)
            for number, (start, end) in enumerate(plane.lines, len(self._lines))
        ]
        self._rows.extend(host.read(self._view, lines))
        for line in lines:
            self._keep(line, plane, line.display_name or line.name)

    def _read_device(self, plane: Plane) -> None:
        tables: Tables | None = None
        wanted = {MODULES_LINE: self._device_runs}
        if not len(self._device_steps):  # devices step together: the first one tells
            wanted[STEPS_LINE] = self._device_steps
        for start, end in plane.lines:
            line = Line(len(self._lines), start, end)
            read_own_fields(self._view, line)
            if line.name in wanted:
                tables = tables or Tables(self._view, plane, self._strings)
                wanted[line.name].extend(read_device_line(self._view, line, tables, self._strings))
                self._keep(line, plane, f"{plane.name} {line.name}")
            self._told(end)

    def _keep(self, line: Line, plane: Plane, name: str) -> None:
        """Remember a line; lines of one id on planes of one name are one thread."""
        thread = self._threads.setdefault((plane.name, line.line_id), len(self._threads))
        if thread == len(self._thread_names):
            self._thread_names.append(name)
        self._thread_names[thread] = self._thread_names[thread] or name
        self._line_thread.append(thread)
        self._lines.append(line)

    def _finish(self, space: Space) -> HostTrace:
        axis = lay_out(self._lines, self._profile)
        thread: Int32 = np.array(self._line_thread, np.int32)
        memories = self._rows.memory.finish(axis.line_ps, thread)
        marks = self._rows.marks if len(self._rows.marks) else self._device_steps
        runs = self._rows.runs.finish(axis.line_ps, ids_by_name(self._programs.values()))
        runs.extend(self._device_runs.placed(axis.line_ps))
        pieces = threads_in_pieces(self._lines, axis.line_ps, thread)
        said = notices(space, self._evidence, memories, self._rows, self._dropped, pieces)
        return HostTrace(
            host=self._host,
            origin_ns=axis.origin_ns,
            start_ps=axis.start_ps,
            end_ps=axis.end_ps,
            strings=self._strings.all(),
            stacks=self._tree.stacks(),
            threads=tuple(
                Thread(line_id, name)
                for (_, line_id), name in zip(self._threads, self._thread_names, strict=True)
            ),
            memories=memories,
            step_marks=marks.placed(axis.line_ps).spans(thread),
            module_runs=runs.spans(thread),
            programs=tuple(self._programs.values()),
            frameworks=self._evidence.in_order(),
            notices=tuple(said),
        )
