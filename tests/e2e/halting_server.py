"""TensorBoard whose reading halts until a file appears: `halting_server.py FLAGS`.

`MEMLEAK_GATE` names the file. Captures whose path ends in `MEMLEAK_HALTED` halt at four tenths of
their bytes, the programs of hosts of that name at three of ten.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from tensorboard.main import run_main

from tensorboard_memleak.files import FileFact
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.telling import Told
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.progress import Progress
from tensorboard_memleak.service import finder
from tensorboard_memleak.service.host_programs import HostPrograms

GATE = Path(os.environ["MEMLEAK_GATE"])
HALTED = os.environ["MEMLEAK_HALTED"]
READ_TRACE, READ_PROGRAMS = finder.read_host_trace, finder.read_host_programs


def halt(told: Told, done: int) -> None:
    """Tell of the same amount again and again until the gate is open, or the work is stopped."""
    told(done)
    while not GATE.exists():
        time.sleep(0.01)
        told(done)


def read_trace(view: memoryview, host: str, path: str, told: Told) -> HostTrace:
    """Read a trace, maybe after a halt."""
    if path.endswith(HALTED):
        halt(told, len(view) * 4 // 10)
    return READ_TRACE(view, host, path, told)


def read_programs(
    trace: HostTrace | None,
    diagnosis: HostDiagnosis | None,
    files: Sequence[FileFact],
    progress: Progress,
) -> HostPrograms:
    """Read programs, maybe after a halt."""
    if progress.standing.what == HALTED:
        halt(progress.begin("programs", 10), 3)
    return READ_PROGRAMS(trace, diagnosis, files, progress)


if __name__ == "__main__":
    finder.read_host_trace, finder.read_host_programs = read_trace, read_programs
    run_main()
