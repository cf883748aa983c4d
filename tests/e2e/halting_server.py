"""TensorBoard whose reading of a capture halts until a file appears: `halting_server.py FLAGS`.

`MEMLEAK_GATE` names the file. Captures whose path has `MEMLEAK_HALTED` in it halt at four tenths.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from tensorboard.main import run_main

from tensorboard_memleak.model.telling import Told
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.service import finder

GATE = Path(os.environ["MEMLEAK_GATE"])
HALTED = os.environ["MEMLEAK_HALTED"]
READ = finder.read_host_trace


def read_with_a_halt(view: memoryview, host: str, path: str, told: Told) -> HostTrace:
    """Read as ever, but tell of four tenths until the gate is open."""
    told(len(view) * 4 // 10)
    while HALTED in path and not GATE.exists():
        time.sleep(0.01)
        told(len(view) * 4 // 10)
    return READ(view, host, path, told)


if __name__ == "__main__":
    finder.read_host_trace = read_with_a_halt
    run_main()
