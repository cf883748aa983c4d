from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.thinning import kept_points
from tensorboard_memleak.analysis.timeline import live_series, timeline, troughs
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tests.window_builder import BASELINE_BYTES, CAPACITY_BYTES, STEP_PS, Window

series = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 1000)), min_size=1, max_size=300)


@given(series, st.integers(1, 12))
def test_no_extreme_of_any_pixel_is_lost(rows: list[tuple[int, int]], pixels: int) -> None:
    time = np.cumsum([gap for gap, _ in rows]).astype(np.int64)
    value = np.array([height for _, height in rows], np.int64)
    start, end = int(time[0]), int(time[-1])
    kept = kept_points(time, [value], start, end, pixels)
    assert kept.tolist() == sorted(set(kept.tolist()))
    width = max(-(-(end - start + 1) // pixels), 1)
    column = (time - start) // width
    for one in np.unique(column):
        whole, part = value[column == one], value[kept][column[kept] == one]
        assert (part.min(), part.max()) == (whole.min(), whole.max())
        assert (part[0], part[-1]) == (whole[0], whole[-1])
    assert len(kept) <= max(4 * pixels, len(time) if len(time) <= 4 * pixels else 0)


@given(series, st.integers(1, 5))
def test_few_points_are_all_kept(rows: list[tuple[int, int]], factor: int) -> None:
    time = np.arange(len(rows), dtype=np.int64)
    value = np.array([height for _, height in rows], np.int64)
    assert len(kept_points(time, [value], 0, len(rows), factor * len(rows))) == len(rows)


def test_nan_is_no_extreme() -> None:
    value = np.array([np.nan, 0.5, np.nan, 0.1, 0.9, np.nan, 0.3, 0.2], np.float64)
    kept = kept_points(np.arange(8), [value], 0, 7, 1)
    assert {0.1, 0.9} <= set(value[kept].tolist())


def analysed(window: Window) -> MemoryAnalysis:
    (memory,) = diagnose(window.trace()).memories
    return memory


def loop(steps: int) -> Window:
    window = Window(steps)
    for step in range(steps):
        window.block("Relu", 100, born=step + 0.2, freed=step + 0.6)
    return window


def test_a_timeline_holds_the_counters_after_each_event() -> None:
    events = analysed(loop(2)).memory.events
    line = timeline(events, 0, 2 * STEP_PS, pixels=100)
    assert line.time_ps.tolist() == [200_000, 600_000, 1_200_000, 1_600_000]
    assert line.heap_bytes.tolist() == [BASELINE_BYTES + 100, BASELINE_BYTES] * 2
    assert line.free_bytes.tolist() == [CAPACITY_BYTES - used for used in line.heap_bytes]
    assert line.stack_bytes.tolist() == [0] * 4
    assert (line.events, line.sampled) == (4, False)


def test_a_range_begins_with_what_was_in_use_before_it() -> None:
    events = analysed(loop(2)).memory.events
    line = timeline(events, 300_000, STEP_PS, pixels=100)
    assert line.time_ps.tolist() == [300_000, 600_000]
    assert line.heap_bytes.tolist() == [BASELINE_BYTES + 100, BASELINE_BYTES]
    assert line.events == 1


def test_a_long_timeline_says_that_it_is_sampled() -> None:
    events = analysed(loop(500)).memory.events
    line = timeline(events, 0, 500 * STEP_PS, pixels=20)
    assert (line.events, line.sampled) == (1000, True)
    assert len(line.time_ps) <= 8 * 20


def test_the_trough_of_a_step_is_its_lowest_use() -> None:
    window = Window(steps=3)
    for step in range(3):
        window.block("Relu", 100, born=step + 0.1, freed=step + 0.2)
        window.block("Kept", 10, born=step + 0.3)
    memory = analysed(window)
    step, row = troughs(memory.memory.events, memory.steps)
    assert step.tolist() == [0, 1, 2]
    in_use = memory.memory.events.bytes_in_use[row]
    assert in_use.tolist() == [BASELINE_BYTES + 10 * n for n in range(3)]


def test_live_bytes_of_a_group_go_up_and_down_with_its_blocks() -> None:
    window = loop(1)
    window.block("Relu", 40, born=0.3)
    window.block("Lost", 30, born=0.4, address=0x9000)
    window.block("Other", 30, born=0.7, address=0x9000)
    memory = analysed(window)
    chosen = np.flatnonzero(memory.sites.of_block < 2)
    line = live_series(memory.blocks, chosen, pixels=100)
    assert line.time_ps.tolist() == [200_000, 300_000, 400_000, 600_000, 700_000]
    assert line.live_bytes.tolist() == [100, 140, 170, 70, 40]


def test_a_group_without_blocks_has_an_empty_series() -> None:
    line = live_series(analysed(loop(1)).blocks, np.zeros(0, np.int64), pixels=10)
    assert (len(line.time_ps), line.sampled) == (0, False)
