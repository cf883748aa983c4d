"""The shape of the report, key by key; `schema/report-v1.json` says the same to the outside.

Keys are only ever added within a schema version. Bytes and nanoseconds are integers, unknown is
`None`; text that the profile does not tell is "".
"""

from __future__ import annotations

from typing import Final, Literal, TypedDict

from tensorboard_memleak.model.findings import FindingKind, Severity, SiteSource, VerdictName

SCHEMA_VERSION: Final = 1

StepSource = Literal["markers", "modules", "pattern", "slices", "none"]


class WarningPayload(TypedDict):
    """Something to know about the input, with the next step to take."""

    code: str
    message: str
    hint: str


class FilePayload(TypedDict):
    """One file that a host's entry was made from."""

    name: str
    bytes: int


class SitePayload(TypedDict):
    """Where blocks come from; `stack` is innermost first."""

    op: str
    shape: str
    dtype: str
    region: str
    thread: str
    stack: list[str]
    source: SiteSource
    unknown_why: str


class FindingPayload(TypedDict):
    """One thing worth telling; steps are named by their numbers, bytes are allocated bytes."""

    id: str
    kind: FindingKind
    pattern: str
    severity: Severity
    confidence: float | None
    title: str
    expected: str | None
    detail: str
    advice: str
    site: SitePayload
    blocks: int
    bytes: int
    requested_bytes: int | None
    bytes_per_step: int | None
    rate_low_bytes: int | None
    rate_high_bytes: int | None
    first_step: int | None
    last_step: int | None
    steps_with_survivors: int | None
    parts: list[FindingPayload]


class TotalsPayload(TypedDict):
    """Counts and bytes of one memory over the window."""

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


class MemoryPayload(TypedDict):
    """One memory; `memory_id` is `None` in the entry of a host without memory events."""

    memory_id: str | None
    verdict: VerdictName
    confidence: float | None
    reason: str
    totals: TotalsPayload
    findings: list[FindingPayload]
    warnings: list[WarningPayload]


class StepsPayload(TypedDict):
    """The iterations of the window; `first` and `last` are their numbers."""

    count: int
    source: StepSource
    first: int | None
    last: int | None
    median_ns: int | None


class ModulePayload(TypedDict):
    """One compiled program."""

    name: str
    program_id: str | int | None
    peak_bytes: int | None
    findings: list[FindingPayload]


class ModuleRowPayload(TypedDict):
    """One compiled program as `memleak modules` lists it.

    Bytes are those of the device's main memory; `aliased_bytes` is what outputs take over from
    parameters, `donatable_bytes` what they could and do not.
    """

    name: str
    program_id: str | int
    peak_bytes: int | None
    total_bytes: int
    parameter_bytes: int
    output_bytes: int
    aliased_bytes: int
    donatable_bytes: int
    constant_bytes: int
    temporary_bytes: int
    generated_code_bytes: int | None
    instructions: int
    buffers: int
    compilations: int
    runs: int | None
    alive_outputs: int | None
    alive_output_bytes: int | None
    warnings: int
    findings: list[FindingPayload]


class HostModulesPayload(TypedDict):
    """The programs of one host."""

    run: str
    session: str
    host: str
    modules: list[ModuleRowPayload]
    warnings: list[WarningPayload]


class SnapshotPayload(TypedDict):
    """Device-memory profiles compared: what grew from one to the next."""

    findings: list[FindingPayload]


class HostPayload(TypedDict):
    """One host; `verdict` is the gravest of its memories, `None` where it could not be read."""

    host: str
    verdict: VerdictName | None
    reason: str
    files: list[FilePayload]
    warnings: list[WarningPayload]
    steps: StepsPayload
    memories: list[MemoryPayload]
    modules: list[ModulePayload]
    snapshots: list[SnapshotPayload]


class SessionPayload(TypedDict):
    """One profile session."""

    run: str
    session: str
    hosts: list[HostPayload]


class ReportPayload(TypedDict):
    """The whole report."""

    schema_version: int
    generator: str
    config: str | None
    sessions: list[SessionPayload]
    warnings: list[WarningPayload]
