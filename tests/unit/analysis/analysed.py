"""The analysis of a small capture, for tests of what is made of one."""

from __future__ import annotations

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.readers.xplane import read_host_trace


def analysed(data: bytes) -> MemoryAnalysis:
    """Return the analysis of the one memory of a capture."""
    (memory,) = diagnose(read_host_trace(data, "host0", "host0.xplane.pb")).memories
    return memory
