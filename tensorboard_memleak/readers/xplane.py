"""Reads `<host>.xplane.pb` into a `HostTrace`: exactly, and without ever building its messages.

The way the bytes go: `xplane_space` outlines planes and lines, `xplane_tables` parses the small
metadata through generated code, `xplane_lines` walks the lengths of events and decodes them in
columns, `xplane_host` and `xplane_device` keep what tells about memory, steps and programs.

Peak memory grows with the memory events and not with the file: a window of a few megabytes is
held at a time, and only rows of memory events, step marks and module runs are kept.
"""

from __future__ import annotations

from mmap import mmap

import numpy as np

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.trace import HostTrace, Int64, ProgramRef, Thread
from tensorboard_memleak.readers.stacks import StackTree
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_device import MODULES_LINE, STEPS_LINE, read_device_line
from tensorboard_memleak.readers.xplane_host import HostPlane, HostRows
from tensorboard_memleak.readers.xplane_lines import Line, read_line_fields
from tensorboard_memleak.readers.xplane_programs import METADATA_PLANE, read_programs
from tensorboard_memleak.readers.xplane_space import Plane, Space, outline
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_tables import Tables
from tensorboard_memleak.readers.xplane_trouble import unreadable

_DEVICE_PREFIX = "/device:"


def read_host_trace(buffer: bytes | memoryview | mmap, host: str, path: str) -> HostTrace:
    """Read the capture in `buffer`; `host` and `path` say whose it is and where it lies.

    Raise `UnreadableFile` where the bytes are not a whole XSpace.
    """
    view = memoryview(buffer).cast("B")
    try:
        return _Capture(view, host, path).read()
    except Malformed as error:
        raise unreadable(view, path, error) from error


class _Capture:
    """One reading of one capture."""

    def __init__(self, view: memoryview, host: str, path: str) -> None:
        self._view = view
        self._host = host
        self._path = path
        self._strings = Strings()
        self._tree = StackTree()
        self._rows = HostRows.empty(self._strings)
        self._device_steps = SpanRows()
        self._runs = SpanRows()
        self._programs: list[ProgramRef] = []
        self._lines: list[Line] = []
        self._threads: dict[tuple[str, int], int] = {}
        self._line_thread: list[int] = []

    def read(self) -> HostTrace:
        space = outline(self._view)
        for plane in space.planes:
            if plane.name == METADATA_PLANE:
                self._programs += read_programs(self._view, plane, self._path)
            elif plane.lines:
                self._read_plane(plane)
        return self._finish(space)

    def _read_plane(self, plane: Plane) -> None:
        tables = Tables(self._view, plane, self._strings)
        host = HostPlane(tables, self._tree, self._strings)
        for start, end in plane.lines:
            line = Line(start, end)
            read_line_fields(self._view, line)
            number = len(self._lines)
            if not plane.name.startswith(_DEVICE_PREFIX):
                self._rows.extend(host.read(self._view, line, number))
            elif line.name == STEPS_LINE:
                self._device_steps.extend(read_device_line(self._view, line, number, tables))
            elif line.name == MODULES_LINE:
                self._runs.extend(read_device_line(self._view, line, number, tables))
            self._keep(plane, line)

    def _keep(self, plane: Plane, line: Line) -> None:
        self._lines.append(line)
        thread = self._threads.setdefault((plane.name, line.line_id), len(self._threads))
        self._line_thread.append(thread)

    def _finish(self, space: Space) -> HostTrace:
        marks = self._rows.marks if len(self._rows.marks) else self._device_steps
        origin_ns = min((line.timestamp_ns for line in self._lines), default=0)
        line_ps: Int64 = np.array(
            [(line.timestamp_ns - origin_ns) * 1000 for line in self._lines], np.int64
        )
        line_thread = np.array(self._line_thread, np.int32)
        memories = self._rows.memory.finish(line_ps, line_thread)
        step_marks = marks.finish(line_ps, line_thread)
        runs = self._runs.finish(line_ps, line_thread)
        starts = [m.events.time_ps[0] for m in memories] + [
            s.start_ps[0] for s in (step_marks, runs) if len(s)
        ]
        ends = [m.events.time_ps[-1] for m in memories] + [
            s.end_ps.max() for s in (step_marks, runs) if len(s)
        ]
        threads = [Thread(line_id, "") for _, line_id in self._threads]
        for line, thread in zip(self._lines, self._line_thread, strict=True):
            if not threads[thread].name:
                threads[thread] = Thread(line.line_id, line.display_name or line.name)
        return HostTrace(
            host=self._host,
            origin_ns=origin_ns,
            start_ps=int(min(starts, default=0)),
            end_ps=int(max(ends, default=0)),
            strings=self._strings.all(),
            stacks=self._tree.stacks(),
            threads=tuple(threads),
            memories=memories,
            step_marks=step_marks,
            module_runs=runs,
            programs=tuple(self._programs),
            frameworks=(),
            notices=(),
        )


_ = UnreadableFile
