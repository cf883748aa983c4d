"""The steps of a host, on the wire."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.steps import step_numbers
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.service.wire import Payload, since_start_ns

MOST_STEPS = 2000
"""More stripes are finer than pixels: neighbours become one, and `merged` says so."""


def steps_in(steps: Steps, trace: HostTrace, start_ps: int, end_ps: int) -> Payload:
    """Return the steps that touch a range."""
    touching = np.flatnonzero((steps.end_ps >= start_ps) & (steps.start_ps <= end_ps))
    stride = -(-len(touching) // MOST_STEPS) or 1
    first = touching[::stride]
    last = np.append(first[1:] - 1, touching[-1:]) if len(first) else first
    return {
        "source": steps.source,
        "count": len(steps),
        "merged": stride > 1,
        "start_ns": since_start_ns(steps.start_ps[first], trace),
        "end_ns": since_start_ns(steps.end_ps[last], trace),
        "number": np.asarray(step_numbers(steps), dtype=np.int64)[first].tolist(),
    }
