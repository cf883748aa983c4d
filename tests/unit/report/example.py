"""Captures and report entries to write down, from literals."""

from __future__ import annotations

from pathlib import Path

from tensorboard_memleak.report.types import (
    FindingPayload,
    HostPayload,
    MemoryPayload,
    ReportPayload,
    StepsPayload,
)
from tests.xspace_builder import XSpace

MEMORY = "GPU_0_bfc"
STEP_PS = 2_000_000
WINDOW_STARTS_NS = 5_000
CAPACITY = 1 << 20


def capture(steps: int = 20, kept: int = 1, op: str = "Relu", first_number: int = 100) -> bytes:
    """Return a capture whose steps make two blocks each: one is freed, `kept` others stay."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=WINDOW_STARTS_NS)
    in_use = 4096
    for step in range(steps):
        at_ps = step * STEP_PS
        line.event("train", at_ps=at_ps, lasts_ps=STEP_PS, step_num=first_number + step, _r=1)
        for number in range(kept):
            in_use += 1024
            line.allocation(
                at_ps=at_ps + 100_000 + number * 10_000,
                address=0x10000 + (step * kept + number) * 0x1000,
                requested=1000,
                allocated=1024,
                in_use=in_use,
                available=CAPACITY - in_use,
                peak=in_use,
                op=op,
                dtype=1,
                shape="[250]",
            )
        told = {"address": 0x9000, "requested": 2000, "allocated": 2048}
        free = CAPACITY - in_use
        line.allocation(
            at_ps=at_ps + 1_000_000, in_use=in_use + 2048, available=free - 2048, op="Tmp", **told
        )
        line.deallocation(at_ps=at_ps + 1_500_000, in_use=in_use, available=free, **told)
    return space.encode()


def empty_capture() -> bytes:
    """Return a capture with steps and no memory events."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=0)
    line.event("train", at_ps=0, lasts_ps=STEP_PS, step_num=0, _r=1)
    return space.encode()


def put(logdir: Path, data: bytes, run: str = "run", host: str = "vm") -> Path:
    """Write a capture where XProf would and return the file."""
    folder = logdir / run / "plugins" / "profile" / "2026_01_01_00_00_00"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{host}.xplane.pb"
    path.write_bytes(data)
    return path


def finding(**changed: object) -> FindingPayload:
    """Return a finding's entry: a kilobyte every step."""
    entry: FindingPayload = {
        "id": "f1",
        "kind": "growth",
        "pattern": "every step",
        "severity": "high",
        "confidence": 0.9545,
        "title": "Relu [250] float32 leaks 1 KiB every step",
        "expected": None,
        "detail": "20 blocks (20 KiB) are still in use.",
        "advice": "Keep float(x) instead.",
        "site": {
            "op": "Relu",
            "shape": "[250]",
            "dtype": "float32",
            "region": "output",
            "thread": "python",
            "stack": ["EagerExecute", "$model.py:12 forward", "train"],
            "source": "op",
            "unknown_why": "",
        },
        "blocks": 20,
        "bytes": 20480,
        "requested_bytes": 20000,
        "bytes_per_step": 1024,
        "rate_low_bytes": 1024,
        "rate_high_bytes": 1024,
        "first_step": 100,
        "last_step": 119,
        "steps_with_survivors": 20,
        "parts": [],
    }
    entry.update(changed)  # type: ignore[typeddict-item]  # a test names the keys
    return entry


def memory(**changed: object) -> MemoryPayload:
    """Return a memory's entry: one that leaks."""
    entry: MemoryPayload = {
        "memory_id": MEMORY,
        "verdict": "leak",
        "confidence": 0.9545,
        "reason": "Relu [250] float32 leaks 1 KiB every step.",
        "totals": {
            "allocations": 40,
            "deallocations": 20,
            "prewindow_deallocations": 0,
            "lost": 0,
            "baseline_bytes": 4096,
            "end_bytes": 24576,
            "peak_bytes": 26624,
            "peak_ns": 39_000,
            "capacity_bytes": CAPACITY,
            "lifetime_peak_bytes": 24576,
            "survivor_blocks": 20,
            "survivor_bytes": 20480,
            "unaccounted_bytes": 0,
            "growth_bytes_per_step": 1024,
            "steps_to_oom": 1000,
            "steps_to_oom_low": 1000,
            "steps_to_oom_high": 1000,
        },
        "findings": [finding()],
        "warnings": [],
    }
    entry.update(changed)  # type: ignore[typeddict-item]  # a test names the keys
    return entry


def steps(**changed: object) -> StepsPayload:
    """Return the entry of twenty marked steps of 2 µs."""
    entry: StepsPayload = {
        "count": 20,
        "source": "markers",
        "first": 100,
        "last": 119,
        "median_ns": 2000,
    }
    entry.update(changed)  # type: ignore[typeddict-item]  # a test names the keys
    return entry


def host(*memories: MemoryPayload, **changed: object) -> HostPayload:
    """Return a host's entry."""
    entry: HostPayload = {
        "host": "vm",
        "verdict": memories[0]["verdict"] if memories else None,
        "reason": memories[0]["reason"] if memories else "vm.xplane.pb is empty.",
        "files": [{"name": "vm.xplane.pb", "bytes": 2048}],
        "warnings": [],
        "steps": steps(),
        "memories": list(memories),
        "modules": [],
        "snapshots": [],
    }
    entry.update(changed)  # type: ignore[typeddict-item]  # a test names the keys
    return entry


def report(*hosts: HostPayload) -> ReportPayload:
    """Return a report on one session."""
    return {
        "schema_version": 1,
        "generator": "tensorboard-memleak 0.1.0",
        "config": None,
        "sessions": [{"run": "run", "session": "2026_01_01_00_00_00", "hosts": list(hosts)}],
        "warnings": [],
    }
