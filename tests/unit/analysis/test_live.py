from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.live import live_at
from tensorboard_memleak.analysis.site_table import site_table
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN
from tests.accuracy.simulate import simulate
from tests.window_builder import BASELINE_BYTES, STEP_PS, Window


def analysed(window: Window) -> MemoryAnalysis:
    (memory,) = diagnose(window.trace()).memories
    return memory


def kept_over_steps() -> MemoryAnalysis:
    window = Window(steps=4)
    for step in range(4):
        window.block("Relu", 100, born=step + 0.1, size=256)
        window.block("Mul", 500, born=step + 0.2, freed=step + 0.8, size=512)
    window.block("", 64, born=None, freed=3.5)
    return analysed(window)


def test_the_live_set_reaches_back_over_all_steps() -> None:
    memory = kept_over_steps()
    live = live_at(memory, int(2.5 * STEP_PS))
    variants = memory.sites.variants
    assert [memory.sites.sites[variants.site[v]].op for v in live.variant] == ["Relu", "Mul"]
    assert live.blocks.tolist() == [3, 1]
    assert live.requested_bytes.tolist() == [300, 500]
    assert live.allocation_bytes.tolist() == [768, 512]
    assert live.oldest_steps.tolist() == [2, 0]
    assert live.youngest_steps.tolist() == [0, 0]


def test_what_was_allocated_before_the_window_is_one_honest_row() -> None:
    live = live_at(kept_over_steps(), int(2.5 * STEP_PS))
    assert live.heap_bytes == BASELINE_BYTES + 768 + 512
    assert live.before_bytes == BASELINE_BYTES
    assert (live.before_blocks, live.before_known_bytes) == (1, 64)
    later = live_at(kept_over_steps(), int(3.6 * STEP_PS))
    assert (later.before_bytes, later.before_blocks) == (BASELINE_BYTES - 64, 0)


def test_before_the_first_event_everything_is_from_before() -> None:
    live = live_at(kept_over_steps(), 0)
    assert (len(live.variant), live.heap_bytes, live.before_bytes) == (
        0,
        BASELINE_BYTES,
        BASELINE_BYTES,
    )


def test_a_block_is_alive_from_its_birth_until_just_before_its_release() -> None:
    window = Window(steps=1)
    window.block("Relu", 100, born=0.25, freed=0.5)
    memory = analysed(window)
    counts = [
        int(live_at(memory, time).blocks.sum()) for time in (249_999, 250_000, 499_999, 500_000)
    ]
    assert counts == [0, 1, 1, 0]


def test_the_stack_is_told_apart_from_the_heap() -> None:
    window = Window(steps=1)
    window.block("Relu", 100, born=0.25)
    trace = window.trace()
    (memory,) = trace.memories
    reserved = replace(memory.events, bytes_reserved=np.array([1 << 30]))
    (one,) = diagnose(replace(trace, memories=(replace(memory, events=reserved),))).memories
    live = live_at(one, STEP_PS)
    assert (live.stack_bytes, live.before_bytes) == (1 << 30, BASELINE_BYTES)


def test_without_counters_the_rest_is_unknown() -> None:
    window = Window(steps=1)
    window.block("Relu", 100, born=0.25)
    trace = window.trace()
    (memory,) = trace.memories
    untold = replace(memory.events, bytes_in_use=np.array([UNKNOWN]))
    (one,) = diagnose(replace(trace, memories=(replace(memory, events=untold),))).memories
    assert (live_at(one, STEP_PS).heap_bytes, live_at(one, STEP_PS).before_bytes) == (None, None)


@pytest.mark.parametrize("seed", range(8))
def test_the_live_set_adds_up_to_the_counter_at_the_peak(seed: int) -> None:
    memory = diagnose(simulate(seed, 20, leaks=1).trace).memories[0]
    if memory.balance.worst_bytes:
        pytest.skip("this history has lost events")
    peak_ns = memory.diagnosis.totals.peak_ns
    assert peak_ns is not None
    live = live_at(memory, peak_ns * 1000 + 999)
    assert live.heap_bytes is not None
    assert live.before_bytes is not None
    assert live.before_bytes >= live.before_known_bytes
    assert live.heap_bytes == live.before_bytes + int(live.allocation_bytes.sum())


def test_a_table_of_sites_counts_what_each_made_freed_and_kept() -> None:
    memory = kept_over_steps()
    table = site_table(memory)
    assert [site.op for site in memory.sites.sites] == ["Relu", "Mul"]
    assert table.allocations.tolist() == [4, 4]
    assert table.deallocations.tolist() == [0, 4]
    assert table.survivors.tolist() == [4, 0]
    assert table.survivor_bytes.tolist() == [1024, 0]
    assert table.survivor_requested_bytes.tolist() == [400, 0]
    assert table.allocated_bytes.tolist() == [1024, 2048]
    assert table.rounding_bytes.tolist() == [4 * 156, 4 * 12]
    assert table.peak_live_bytes.tolist() == [1024, 512]
