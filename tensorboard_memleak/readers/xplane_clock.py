"""True time: every line's own base, laid on one axis that begins with the profile.

Profilers rebase lines by subtracting the start of the profile, but only lines whose time is later
than it, so that one capture may mix relative and absolute times. A line is taken as absolute when
its time is closer to the start of the profile than to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tensorboard_memleak.model.trace import Int64
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
    """
    if profile is None:
        origin_ns = min((line.timestamp_ns for line in lines), default=0)
        bases = [line.timestamp_ns - origin_ns for line in lines]
        window: list[int] = []
    else:
        origin_ns, stop_ns = profile
        bases = [_since(line.timestamp_ns, origin_ns) for line in lines]
        window = [0, min((stop_ns - origin_ns) * 1000, FARTHEST_PS)]
    for line, base_ns in zip(lines, bases, strict=True):
        if abs(base_ns) * 1000 > FARTHEST_PS:
            raise Malformed("a line lies months away from the others", line.start)
        if line.first_ps is not None and line.last_ps is not None:
            window += [base_ns * 1000 + line.first_ps, base_ns * 1000 + line.last_ps]
    line_ps = np.array([base_ns * 1000 for base_ns in bases], np.int64)
    return Axis(origin_ns, line_ps, min(window, default=0), max(window, default=0))


def _since(timestamp_ns: int, start_ns: int) -> int:
    since_start = timestamp_ns - start_ns
    return since_start if abs(since_start) < abs(timestamp_ns) else timestamp_ns
