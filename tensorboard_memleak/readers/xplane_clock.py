"""True time: every line's own base, laid on one axis that begins with the profile.

Profilers rebase lines by subtracting the start of the profile, but only lines whose time is later
than it, so that one capture may mix relative and absolute times. A line is taken as absolute when
its time is closer to the start of the profile than to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64
from tensorboard_memleak.readers.wire import Malformed
from tensorboard_memleak.readers.xplane_batch import FARTHEST_PS
from tensorboard_memleak.readers.xplane_lines import Line


@dataclass(frozen=True, slots=True)
class Axis:
    """Picoseconds since `origin_ns`: each line's base, and the window that the capture covers."""

    origin_ns: int
    line_ps: Int64
    start_ps: int
    end_ps: int


def lay_out(lines: Sequence[Line], profile: tuple[int, int] | None) -> Axis:
    """Place lines on one axis; `profile` is when the profile was started and stopped, if known.

    The window is the profile's, widened to hold every event; without a profile it is the events'.
    A line without events has no say, and its time is nobody's.
    """
    busy = [line.timestamp_ns for line in lines if line.first_ps is not None]
    window: list[int] = []
    origin_ns = min(busy, default=0)
    if profile is not None:
        origin_ns, stop_ns = profile
        window = [0, min((stop_ns - origin_ns) * 1000, FARTHEST_PS)]
    line_ps = np.zeros(len(lines), np.int64)
    for index, line in enumerate(lines):
        if line.first_ps is None or line.last_ps is None:
            continue
        base = base_ps(line.timestamp_ns, origin_ns, has_profile=profile is not None)
        if abs(base) > FARTHEST_PS:
            raise Malformed("a line lies months away from the others", line.start)
        line_ps[index] = base
        window += [base + line.first_ps, base + line.last_ps]
    return Axis(origin_ns, line_ps, min(window, default=0), max(window, default=0))


def threads_in_pieces(lines: Sequence[Line], line_ps: Int64, thread: Int32) -> Int32:
    """Return the threads that several lines tell of at one time.

    A line is a thread, but writers that merge captures may cut one into several. What stands on one
    piece is not looked for on another: a span that encloses an allocation may be written later than
    it, in a piece with names of its own, and to hold all spans until then would cost the memory
    that reading line by line saves. No profiler is known to write such a file.
    """
    extents = sorted(
        (number, begin_ps + line.first_ps, begin_ps + (line.last_ps or line.first_ps))
        for line, number, begin_ps in zip(lines, thread.tolist(), line_ps.tolist(), strict=True)
        if line.first_ps is not None
    )
    found: set[int] = set()
    open_thread, open_until = -1, 0
    for number, start_ps, end_ps in extents:
        if number == open_thread and start_ps < open_until:
            found.add(number)
        open_until = max(end_ps, open_until) if number == open_thread else end_ps
        open_thread = number
    return np.array(sorted(found), np.int32)


def base_ps(timestamp_ns: int, origin_ns: int, has_profile: bool) -> int:
    """Return a line's time relative to the origin; with a profile it may be so already."""
    since_origin = timestamp_ns - origin_ns
    relative = has_profile and abs(since_origin) >= abs(timestamp_ns)
    return 1000 * (timestamp_ns if relative else since_origin)
