"""Sites, findings and verdicts: what the person reads, before it becomes JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal, get_args

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64, Notice

Severity = Literal["high", "medium", "low", "info"]
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
"""What to act on first stands first: `high` goes on to take memory, `medium` wants care."""
VerdictName = Literal["leak", "no_leak", "inconclusive", "no_events"]
SiteSource = Literal["op", "stack", "hlo", "thread", "unknown"]
FindingKind = Literal[
    "growth",
    "retained",
    "bounded",
    "delayed_free",
    "in_flight",
    "fragmentation",
    "program_long_buffer",
    "missing_donation",
    "recompilation",
    "snapshot_growth",
]


@dataclass(frozen=True, slots=True)
class Site:
    """Where blocks come from. `op` is the framework's name with per-instance counters stripped.

    `shape`, `dtype` and `region` are those that all its blocks share, or "" where they differ or
    the profile does not tell; a finding's site is narrowed to the blocks of the finding. `stack`
    is that of most blocks, innermost first. `source` says where the name came from; `unknown_why`
    says why there is none.
    """

    op: str
    shape: str
    dtype: str
    region: str
    thread: str
    stack: tuple[str, ...]
    source: SiteSource
    unknown_why: str = ""


@dataclass(frozen=True, slots=True)
class Variants:
    """The second level: blocks of one site that have the same shape, type and requested bytes.

    `shape`, `dtype` and `region` index `HostTrace.strings`.
    """

    site: Int32
    shape: Int32
    dtype: Int32
    region: Int32
    requested_bytes: Int64

    def __len__(self) -> int:
        return len(self.site)


@dataclass(frozen=True, slots=True)
class Sites:
    """Blocks grouped by origin, then by kind.

    `of_block[i]` is the site and `variant_of_block[i]` the row of `variants` of block i (-1:
    pre-window, no birth).
    """

    sites: tuple[Site, ...]
    of_block: Int32
    variants: Variants
    variant_of_block: Int32


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a finding rests on: its blocks, and survivors counted by the step that made them.

    `grounds` are the blocks that the rate is computed from: for growth by count those of the
    survivors that are old enough to count, for growth by size the blocks that each step handed to
    the next, for net growth every block of the site. Empty where there is no rate.
    """

    blocks: Int64
    survivors_by_step: Int64
    survivor_bytes_by_step: Int64
    grounds: Int64 = field(default_factory=lambda: np.zeros(0, np.int64))


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth telling. Bytes are allocated bytes; `requested_bytes` stands beside them.

    `bytes_per_step` is the robust rate in allocated bytes, `None` where it cannot be told.
    `rate_low` and `rate_high` bound it. Steps are positions in `Steps` (0-based), `None` if none.
    `parts` are the sites of one cause, the biggest first, where there are several; the numbers of
    the finding are then their sums. `pattern` says in words how blocks come to stay.
    """

    id: str
    kind: FindingKind
    severity: Severity
    confidence: float | None
    title: str
    detail: str
    advice: str
    site: Site
    blocks: int
    bytes: int
    requested_bytes: int | None
    bytes_per_step: int | None
    rate_low: int | None
    rate_high: int | None
    first_step: int | None
    last_step: int | None
    steps_with_survivors: int | None
    evidence: Evidence
    site_indices: tuple[int, ...] = ()
    parts: tuple[Finding, ...] = ()
    pattern: str = ""
    expected: str = ""


@dataclass(frozen=True, slots=True)
class Totals:
    """Counts and bytes of one memory over the window; `None` is unknown.

    `steps_to_oom` is that of the forecast, `steps_to_oom_low` and `_high` its range; the far end is
    `None` where the lowest rate never gets there.
    """

    allocations: int
    deallocations: int
    prewindow_deallocations: int
    lost: int
    baseline_bytes: int | None
    end_bytes: int | None
    peak_bytes: int | None
    peak_ns: int | None
    capacity_bytes: int | None
    lifetime_peak_bytes: int | None
    survivor_blocks: int
    survivor_bytes: int | None
    unaccounted_bytes: int | None
    growth_bytes_per_step: int | None
    steps_to_oom: int | None
    steps_to_oom_low: int | None
    steps_to_oom_high: int | None


@dataclass(frozen=True, slots=True)
class Forecast:
    """Steps and time until a leak has used up the memory, each with a range.

    `room_bytes` is what was free at the fullest moment of the last steps. The far end of a range
    is `None` where the lowest rate never gets there, and times where a step's length is unknown.
    """

    bytes_per_step: int
    room_bytes: int
    steps: int
    steps_low: int
    steps_high: int | None
    time_ns: int | None
    time_low_ns: int | None
    time_high_ns: int | None


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The verdict on one memory with what it rests on; only a sure leak has a forecast."""

    memory_id: str
    verdict: VerdictName
    confidence: float | None
    reason: str
    totals: Totals
    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...]
    forecast: Forecast | None = None
