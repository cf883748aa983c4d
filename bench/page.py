"""Writes docs/performance.md from what was measured."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.measure import Runs

PAGE: Final = Path(__file__).parents[1] / "docs" / "performance.md"

WALL_BAR: Final = 1 / 2
PEAK_BAR: Final = 1 / 3
SMALL_CPU_BAR_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything that one bench has found out."""

    large_bytes: int
    large_events: int
    memory_events: int
    ours: Runs
    xprof: Runs
    small_bytes: int
    small: Runs

    @property
    def wall_ratio(self) -> float:
        """Our wall time as a part of XProf's."""
        return self.ours.wall_s / self.xprof.wall_s

    @property
    def cpu_ratio(self) -> float:
        """Our processor time as a part of XProf's."""
        return self.ours.cpu_s / self.xprof.cpu_s

    @property
    def peak_ratio(self) -> float:
        """Our peak memory as a part of XProf's."""
        return self.ours.peak_bytes / self.xprof.peak_bytes

    def missed(self) -> list[str]:
        """Return the bars that were missed."""
        bars = {
            f"wall time is {self.wall_ratio:.2f} of XProf's": self.wall_ratio <= WALL_BAR,
            f"peak memory is {self.peak_ratio:.2f} of XProf's": self.peak_ratio <= PEAK_BAR,
            f"a small report takes {self.small.cpu_s:.2f} s": self.small.cpu_s <= SMALL_CPU_BAR_S,
        }
        return [words for words, held in bars.items() if not held]


def write(measured: Measured) -> None:
    """Write the page."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(_page(measured), encoding="utf-8")


def _page(m: Measured) -> str:
    return f"""# Performance

Written by `make bench`; do not edit. It makes a large capture out of a bundled real one by
repeating its steps (`bench/big_capture.py`), then runs XProf's `memory_profile` conversion and our
cold report (file to finished report) in turn, each in a fresh process, {len(m.ours.runs)} times.
Medians are shown. Time counts from after the imports; peak memory is that of the whole process.

{_machine()}

## A large capture

{m.large_bytes / 1e6:.0f} MB with {m.large_events:,} events, of which {m.memory_events:,}
({m.memory_events / m.large_events:.0%}) are memory events.

| | wall | processor | peak memory | what comes out |
|---|---|---|---|---|
{_row("XProf `memory_profile`", m.xprof)}
{_row("Leak Finder, cold report", m.ours)}
| ratio | **{m.wall_ratio:.2f}** | {m.cpu_ratio:.2f} | **{m.peak_ratio:.2f}** | |

The bars are {WALL_BAR:.2f} of the wall time and {PEAK_BAR:.2f} of the peak memory.

## A small capture

{m.small_bytes / 1e6:.1f} MB: the cold report takes {m.small.cpu_s * 1000:.0f} ms of processor time.
The bar is {SMALL_CPU_BAR_S * 1000:.0f} ms.

## Why

Lengths are walked on the wire, and memory events are decoded in bulk into columns
(`tensorboard_memleak/readers/xplane*.py`). No message object is built, nor one Python object an
event. A window of two megabytes is held at a time, so that peak memory grows with the number of
memory events and not with the file, and a file larger than protobuf's limit of 2 GiB is read like
any other (`python -m bench --huge` makes one and reads it).
"""


def _row(name: str, runs: Runs) -> str:
    peak_mib = runs.peak_bytes / 2**20
    cells = (name, f"{runs.wall_s:.2f} s", f"{runs.cpu_s:.2f} s", f"{peak_mib:.0f} MiB")
    return f"| {' | '.join(cells)} | {runs.outcome} |"


def _machine() -> str:
    return (
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}."
    )
