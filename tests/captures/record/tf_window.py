"""The window of a TensorFlow capture: start, marked steps, stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import tensorflow as tf


class Window:
    """Profiles a stretch of a program into `logdir`; `python_frames` needs TensorFlow 2.19."""

    def __init__(self, logdir: str, *, python_frames: bool = False) -> None:
        self._logdir = logdir
        self._options = tf.profiler.experimental.ProfilerOptions(
            host_tracer_level=2, python_tracer_level=int(python_frames), device_tracer_level=0
        )

    def start(self) -> None:
        """Begin the capture."""
        tf.profiler.experimental.start(self._logdir, options=self._options)

    def stop(self) -> None:
        """End the capture and write it."""
        tf.profiler.experimental.stop()

    @contextmanager
    def step(self, number: int, name: str = "train") -> Iterator[None]:
        """Mark one step as TensorFlow's own guide does."""
        with tf.profiler.experimental.Trace(name, step_num=number, _r=1):
            yield

    def run(self, step: Callable[[int], None], *, steps: int, warm_up: int = 3) -> None:
        """Run `step` with running numbers, the first `warm_up` of them before the window."""
        for number in range(warm_up):
            step(number)
        self.start()
        for number in range(warm_up, warm_up + steps):
            with self.step(number):
                step(number)
        self.stop()

    def run_unmarked(self, step: Callable[[int], None], *, steps: int, warm_up: int = 3) -> None:
        """Run `step` as `run` does, and mark nothing."""
        for number in range(warm_up):
            step(number)
        self.start()
        for number in range(warm_up, warm_up + steps):
            step(number)
        self.stop()
