"""The cost of a diagnosis, counted rather than timed so that a busy machine changes nothing."""

from __future__ import annotations

import sys
from types import FrameType

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.trace import HostTrace
from tests.window_builder import Window


def crowded(blocks_a_step: int, steps: int = 12) -> HostTrace:
    """A leak among many temporaries of a few sites."""
    window = Window(steps)
    for step in range(steps):
        window.block("Relu", 4096, born=step + 0.05)
        for index in range(blocks_a_step):
            born = step + 0.1 + 0.5 * index / blocks_a_step
            window.block(f"Op{'abcd'[index % 4]}", 256 * (1 + index % 7), born, born + 0.2)
    return window.trace()


def python_calls(trace: HostTrace) -> int:
    """How many calls a diagnosis makes, of functions in Python and in C."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    diagnose(trace)
    sys.setprofile(count)
    try:
        diagnose(trace)
    finally:
        sys.setprofile(None)
    return calls


def test_events_are_never_touched_one_by_one() -> None:
    few, many = crowded(40), crowded(1600)
    assert len(many.memories[0].events) > 30 * len(few.memories[0].events)
    assert python_calls(many) < 1.5 * python_calls(few)


def test_many_sites_that_rest_cost_little_each() -> None:
    def kept(sites: int) -> HostTrace:
        window = Window(12)
        for index in range(sites):
            name = "".join(chr(97 + index // 26**place % 26) for place in range(4))
            window.block(f"weights/{name}", 256, born=0.1 + index / sites / 2)
        return window.trace()

    more = python_calls(kept(2000)) - python_calls(kept(1000))
    assert more < 60 * 1000
