"""A steady program, to which tests add what may leak, and its diagnosis."""

from __future__ import annotations

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.findings import Diagnosis
from tests.window_builder import Window

KIB = 1024


def diagnosed(window: Window) -> Diagnosis:
    (memory,) = diagnose(window.trace()).memories
    return memory.diagnosis


def busy(steps: int, marked: bool = True) -> Window:
    """Steps that allocate and free, and keep nothing."""
    window = Window(steps, marked)
    for step in range(steps):
        window.block("MatMul", 4 * KIB, born=step + 0.1, freed=step + 0.6)
        window.block("Softmax", 2 * KIB, born=step + 0.2, freed=step + 0.6)
    return window
