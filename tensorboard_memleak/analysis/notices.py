"""What a person must know about the input of a diagnosis, with the next step to take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.advice import Framework
from tensorboard_memleak.analysis.balance import Losses
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.blocks import Balance, BlockEnd, Blocks, Steps
from tensorboard_memleak.model.trace import UNKNOWN, Notice

_MARK_STEPS: Final[dict[str, str]] = {
    "jax": "Put each step in jax.profiler.StepTraceAnnotation('train', step_num=step).",
    "tensorflow": "Put each step in tf.profiler.experimental.Trace('train', step_num=step, _r=1).",
    "pytorch_xla": "Put each step in torch_xla.debug.profiler.StepTrace('train', step_num=step).",
}
_WHENCE: Final = {
    "modules": "Nothing numbers the steps of this capture: the recurring launches of its programs "
    "stand for them.",
    "pattern": "Nothing marks the steps of this capture: they are inferred from what recurs, which "
    "may be a loop inside a step.",
    "slices": "Nothing marks the steps of this capture and nothing recurs evenly: ten equal slices "
    "of time stand for them, and growth a step cannot be told.",
    "none": "Nothing marks the steps of this capture: growth a step cannot be told.",
}
_CAPTURE_LESS: Final = "Capture fewer steps at a time, so that the profiler loses no events."


def about_steps(steps: Steps, framework: Framework) -> Iterator[Notice]:
    """Say how steps were found where no annotation numbers them."""
    if steps.source in _WHENCE:
        every = " ".join(_MARK_STEPS.values())
        yield Notice("steps_inferred", _WHENCE[steps.source], _MARK_STEPS.get(framework, every))


def about_events(blocks: Blocks, books: Balance, losses: Losses) -> Iterator[Notice]:
    """Say which events are missing, and what the books do not explain."""
    births, releases = len(losses.births), len(losses.releases)
    reborn = int(np.count_nonzero(blocks.end == BlockEnd.LOST))
    if reborn:
        yield Notice(
            "lost_events",
            f"{count_text(reborn, 'address was', 'addresses were')} allocated again without a "
            "deallocation in between: the capture has lost events.",
            _CAPTURE_LESS,
        )
    if books.unaccounted_bytes or books.worst_bytes:
        yield Notice(
            "unaccounted_bytes",
            "The events do not add up to the allocator's own counter: at the end it has "
            f"{bytes_text(abs(books.unaccounted_bytes))} "
            f"{'more' if books.unaccounted_bytes >= 0 else 'less'} than they tell. "
            f"Where the two part suggests that {count_text(births, 'allocation')} and "
            f"{count_text(releases, 'deallocation')} are missing.",
            _CAPTURE_LESS,
        )
    unsized = int(np.count_nonzero(blocks.allocation_bytes == UNKNOWN))
    if unsized:
        yield Notice(
            "unknown_sizes",
            f"{count_text(unsized, 'block')} without a size count as 0 bytes.",
            "Capture with a current release of the framework.",
        )
