"""Runs converters in turn, each run in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median


@dataclass(frozen=True, slots=True)
class Run:
    """One conversion in one process."""

    wall_s: float
    cpu_s: float
    peak_bytes: int
    outcome: str


@dataclass(frozen=True, slots=True)
class Runs:
    """Several runs of one converter; the middle one stands for all."""

    runs: tuple[Run, ...]

    @property
    def wall_s(self) -> float:
        """The median of the wall time."""
        return median(run.wall_s for run in self.runs)

    @property
    def cpu_s(self) -> float:
        """The median of the processor time."""
        return median(run.cpu_s for run in self.runs)

    @property
    def peak_bytes(self) -> int:
        """The median of the peak memory."""
        return int(median(run.peak_bytes for run in self.runs))

    @property
    def outcome(self) -> str:
        """What came out, which is the same every time."""
        (outcome,) = {run.outcome for run in self.runs}
        return outcome


def in_turn(converters: Sequence[str], capture: Path, times: int) -> dict[str, Runs]:
    """Run every converter `times` times, one after another in turn, so that drift hits all alike.

    The first run of each, which warms the page cache, is not counted.
    """
    found: dict[str, list[Run]] = {converter: [] for converter in converters}
    for turn in range(times + 1):
        for converter in converters:
            _leave_only(capture)
            run = _run(converter, capture)
            print(f"  {converter:6} {run.wall_s:7.2f} s  {run.peak_bytes / 2**20:7.0f} MiB")
            if turn:
                found[converter].append(run)
    return {converter: Runs(tuple(runs)) for converter, runs in found.items()}


def _run(converter: str, capture: Path) -> Run:
    command = [sys.executable, "-m", "bench.child", converter, str(capture)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{converter} failed on {capture}:\n{done.stderr[-2000:]}")
    return Run(**json.loads(done.stdout.splitlines()[-1]))


def _leave_only(capture: Path) -> None:
    """Remove what a converter left beside the capture: the next run must not profit from it."""
    for path in capture.parent.iterdir():
        if path != capture:
            path.unlink()
