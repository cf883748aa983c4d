"""One memory and the steps of its host as the report writes them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final, cast

import numpy as np

from tensorboard_memleak.analysis.steps import step_numbers
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Totals
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.report.findings import confidence_payload, finding_payload
from tensorboard_memleak.report.notices import warning_payloads
from tensorboard_memleak.report.types import (
    MemoryPayload,
    StepSource,
    StepsPayload,
    TotalsPayload,
)

_PS_PER_NS: Final = 1000
_NOTHING_COUNTED: Final[TotalsPayload] = {
    "allocations": 0,
    "deallocations": 0,
    "prewindow_deallocations": 0,
    "lost": 0,
    "baseline_bytes": None,
    "end_bytes": None,
    "peak_bytes": None,
    "peak_ns": None,
    "capacity_bytes": None,
    "lifetime_peak_bytes": None,
    "survivor_blocks": 0,
    "survivor_bytes": None,
    "unaccounted_bytes": None,
    "growth_bytes_per_step": None,
    "steps_to_oom": None,
    "steps_to_oom_low": None,
    "steps_to_oom_high": None,
}


def memory_payload(analysis: MemoryAnalysis, trace: HostTrace) -> MemoryPayload:
    """Return the entry of one memory."""
    diagnosis = analysis.diagnosis
    numbers = step_numbers(analysis.steps)
    confidence = diagnosis.confidence
    return {
        "memory_id": diagnosis.memory_id,
        "verdict": diagnosis.verdict,
        "confidence": confidence_payload(confidence),
        "reason": diagnosis.reason,
        "totals": _totals(diagnosis.totals, trace.start_ps),
        "findings": [finding_payload(one, numbers) for one in diagnosis.findings],
        "warnings": warning_payloads(diagnosis.notices),
    }


def memory_without_events(reason: str) -> MemoryPayload:
    """Return the one entry of a host whose capture holds no memory events."""
    return {
        "memory_id": None,
        "verdict": "no_events",
        "confidence": None,
        "reason": reason,
        "totals": _NOTHING_COUNTED.copy(),
        "findings": [],
        "warnings": [],
    }


def steps_payload(steps: Steps | None) -> StepsPayload:
    """Return how many steps there are, where they come from and how long one takes.

    `median_ns` is the median time from the start of one step to the start of the next; a single
    step has none.
    """
    if steps is None or not len(steps):
        return {"count": 0, "source": "none", "first": None, "last": None, "median_ns": None}
    numbers = step_numbers(steps)
    between_ps = np.diff(steps.start_ps)
    return {
        "count": len(steps),
        "source": cast(StepSource, steps.source),
        "first": numbers[0],
        "last": numbers[-1],
        "median_ns": int(np.median(between_ps)) // _PS_PER_NS if len(between_ps) else None,
    }


def _totals(totals: Totals, window_start_ps: int) -> TotalsPayload:
    """Write the totals; the moment of the peak counts from the start of the window."""
    plain = {key: None if value is None else int(value) for key, value in asdict(totals).items()}
    if plain["peak_ns"] is not None:
        plain["peak_ns"] -= window_start_ps // _PS_PER_NS
    return cast(TotalsPayload, plain)
