"""The window of a JAX capture: marked steps, and a device-memory profile before, amid and after."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import jax


class Window:
    """Profiles a stretch of a program into `logdir`, the snapshots beside it."""

    def __init__(self, logdir: str) -> None:
        self._logdir = Path(logdir)

    def _snapshot(self, name: str) -> None:
        self._logdir.mkdir(parents=True, exist_ok=True)
        jax.profiler.save_device_memory_profile(str(self._logdir / f"{name}.prof"))

    def run(
        self, step: Callable[[int], None], *, steps: int, warm_up: int = 3, frames: bool = True
    ) -> None:
        """Run `step` with running numbers, the first `warm_up` of them before the window.

        Compiling runs through thousands of Python `frames`: leave them out where it is repeated.
        """
        options = jax.profiler.ProfileOptions()
        options.python_tracer_level = int(frames)
        for number in range(warm_up):
            step(number)
        self._snapshot("before")
        jax.profiler.start_trace(str(self._logdir), profiler_options=options)
        for number in range(warm_up, warm_up + steps):
            if number == warm_up + steps // 2:
                self._snapshot("mid")
            with jax.profiler.StepTraceAnnotation("train", step_num=number):
                step(number)
        jax.profiler.stop_trace()
        self._snapshot("after")
