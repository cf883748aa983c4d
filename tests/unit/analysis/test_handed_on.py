from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.handed_on import handed_on
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tests.window_builder import Window

STEPS = 6


def analysed(window: Window) -> MemoryAnalysis:
    (memory,) = diagnose(window.trace()).memories
    return memory


def test_a_block_that_each_step_replaces_by_a_larger_one_is_a_ramp() -> None:
    window = Window(steps=STEPS)
    for step in range(STEPS):
        last = step == STEPS - 1
        freed = None if last else step + 1.4
        asked = 256 * (step + 1)
        place = 4096 * (step + 1)
        window.block("Concat", asked, born=step + 0.2, freed=freed, size=2048, address=place)
    memory = analysed(window)

    found = handed_on(memory, np.arange(len(memory.blocks)))

    assert found.requested_bytes.tolist() == [256 * (step + 1) for step in range(STEPS)]
    assert found.held_bytes.tolist() == [2048] * STEPS
    assert found.blocks.tolist() == [1] * STEPS


def test_what_ends_within_its_step_is_not_handed_on_and_the_tail_belongs_to_the_step() -> None:
    window = Window(steps=3)
    window.block("Inside", 512, born=0.1, freed=0.8)
    window.block("Tail", 256, born=0.95, freed=1.5)  # behind the marker of step 0
    memory = analysed(window)

    found = handed_on(memory, np.arange(len(memory.blocks)))

    assert found.held_bytes.tolist() == [256, 0, 0]


def test_blocks_from_before_the_window_do_not_count_and_lost_ones_end_at_their_rebirth() -> None:
    window = Window(steps=4)
    window.block("Before", 1024, born=None, freed=2.5)
    window.block("Lost", 256, born=0.1, address=0x9000)
    window.block("Again", 512, born=2.2, address=0x9000)
    memory = analysed(window)

    found = handed_on(memory, np.arange(len(memory.blocks)))

    assert found.held_bytes.tolist() == [256, 256, 512, 512]


def test_no_steps_hand_nothing_on() -> None:
    window = Window(steps=0, marked=False)
    window.block("Only", 256, born=0.1)
    memory = analysed(window)

    assert len(handed_on(memory, np.arange(len(memory.blocks))).blocks) == len(memory.steps)
