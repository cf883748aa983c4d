from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.balance import check, find_losses
from tensorboard_memleak.analysis.pairing import pair
from tensorboard_memleak.model.blocks import BlockEnd, Blocks
from tensorboard_memleak.model.trace import UNKNOWN, EventKind, MemoryEvents
from tests.window_builder import BASELINE_BYTES, STEP_PS, Window


def paired(window: Window) -> tuple[MemoryEvents, Blocks]:
    trace = window.trace()
    events = trace.memories[0].events
    return events, pair(events, trace.start_ps, trace.end_ps)


def test_each_reuse_of_an_address_is_a_block_of_its_own() -> None:
    window = Window(steps=3)
    for step in range(3):
        window.block("Relu", 100, born=step + 0.1, freed=step + 0.2, address=0x500, size=256)
    _, blocks = paired(window)
    assert blocks.address.tolist() == [0x500] * 3
    assert blocks.birth_event.tolist() == [0, 2, 4]
    assert blocks.free_event.tolist() == [1, 3, 5]
    assert blocks.end.tolist() == [BlockEnd.FREED] * 3
    assert blocks.requested_bytes.tolist() == [100] * 3
    assert blocks.allocation_bytes.tolist() == [256] * 3
    assert blocks.born_ps.tolist() == [100_000, 1_100_000, 2_100_000]


def test_a_survivor_lives_to_the_end_of_the_window() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.5)
    _, blocks = paired(window)
    assert blocks.end.tolist() == [BlockEnd.SURVIVED]
    assert (blocks.free_event[0], blocks.freed_ps[0]) == (UNKNOWN, 2 * STEP_PS)


def test_a_free_without_a_birth_is_a_block_from_before_the_window_and_stands_first() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.1, freed=0.2)
    window.block("", 32, born=None, freed=0.5)
    _, blocks = paired(window)
    assert blocks.birth_event.tolist() == [UNKNOWN, 0]
    assert blocks.free_event.tolist() == [2, 1]
    assert (blocks.born_ps[0], blocks.allocation_bytes[0]) == (0, 32)


def test_a_birth_on_a_live_address_closes_the_older_block_as_lost() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.1, address=0x900)
    window.block("Mul", 64, born=1.1, freed=1.2, address=0x900)
    _, blocks = paired(window)
    assert blocks.end.tolist() == [BlockEnd.LOST, BlockEnd.FREED]
    assert (blocks.free_event[0], blocks.freed_ps[0]) == (UNKNOWN, 1_100_000)


def test_a_second_free_of_an_address_is_a_block_whose_birth_is_lost() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.1, freed=0.2, address=0x900)
    window.block("", 64, born=None, freed=1.5, address=0x900)
    _, blocks = paired(window)
    assert blocks.birth_event.tolist() == [UNKNOWN, 0]
    assert (blocks.born_ps[0], blocks.freed_ps[0]) == (200_000, 1_500_000)


def test_a_free_without_sizes_takes_those_of_its_birth() -> None:
    window = Window(steps=1)
    window.block("Relu", 100, born=0.1, freed=0.2, size=512)
    events = window.trace().memories[0].events
    nothing = replace(
        events,
        requested_bytes=np.array([100, 0]),
        allocation_bytes=np.array([512, UNKNOWN]),
    )
    blocks = pair(nothing, 0, STEP_PS)
    assert (blocks.requested_bytes[0], blocks.allocation_bytes[0]) == (100, 512)


def test_a_prewindow_free_without_sizes_takes_what_the_counter_fell_by() -> None:
    window = Window(steps=1)
    window.block("Relu", 64, born=0.1)
    window.block("", 768, born=None, freed=0.5)
    events = window.trace().memories[0].events
    untold = np.array([64, UNKNOWN])
    blocks = pair(replace(events, requested_bytes=untold, allocation_bytes=untold), 0, STEP_PS)
    assert (blocks.requested_bytes[0], blocks.allocation_bytes[0]) == (UNKNOWN, 768)


def test_no_events_make_no_blocks() -> None:
    _, blocks = paired(Window(steps=1))
    assert len(blocks) == 0


def test_the_books_balance_after_every_event() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.1)
    window.block("", 32, born=None, freed=0.5)
    window.block("Mul", 16, born=0.6, freed=1.1)
    events, blocks = paired(window)
    books = check(events, blocks)
    assert books.baseline_bytes == BASELINE_BYTES
    assert books.end_bytes == BASELINE_BYTES + 64 - 32
    assert (books.unaccounted_bytes, books.worst_bytes, books.first_event) == (0, 0, -1)


def test_a_lost_free_shows_in_the_books_by_its_size() -> None:
    window = Window(steps=3)
    window.block("Relu", 64, born=0.1, freed=0.5)
    window.block("Mul", 16, born=1.1, freed=1.2)
    window.drop(1)
    events, blocks = paired(window)
    books = check(events, blocks)
    assert (books.unaccounted_bytes, books.worst_bytes, books.first_event) == (-64, 64, 1)
    losses = find_losses(events, blocks)
    assert (losses.births.tolist(), losses.releases.tolist()) == ([], [64])


def test_a_lost_birth_shows_in_the_books_by_its_size() -> None:
    window = Window(steps=3)
    window.block("Relu", 64, born=0.1, freed=0.3)
    window.block("Lost", 48, born=0.5, freed=2.5)
    window.block("Mul", 16, born=1.1, freed=1.2)
    window.drop(2)
    events, blocks = paired(window)
    assert check(events, blocks).unaccounted_bytes == 48
    assert find_losses(events, blocks).births.tolist() == [48]


def test_without_counters_there_is_nothing_to_check() -> None:
    window = Window(steps=1)
    window.block("Relu", 64, born=0.1)
    events, blocks = paired(window)
    untold = replace(events, bytes_in_use=np.array([UNKNOWN]))
    books = check(untold, blocks)
    assert (books.baseline_bytes, books.end_bytes, books.first_event) == (UNKNOWN, UNKNOWN, -1)
    assert find_losses(untold, blocks).births.tolist() == []


event_lists = st.lists(
    st.tuples(st.sampled_from([1, 2]), st.integers(0, 4), st.integers(1, 9)), max_size=40
)


@given(event_lists)
def test_blocks_hold_every_event_once_and_add_up(rows: list[tuple[int, int, int]]) -> None:
    """Any sequence of births and frees, sane or not, is told completely by its blocks."""
    events = raw_events(rows)
    blocks = pair(events, 0, 1000)
    births = blocks.birth_event[blocks.birth_event != UNKNOWN]
    frees = blocks.free_event[blocks.free_event != UNKNOWN]
    assert sorted(births.tolist()) == [i for i, row in enumerate(rows) if row[0] == 1]
    assert sorted(frees.tolist()) == [i for i, row in enumerate(rows) if row[0] == 2]
    assert blocks.end.tolist() == slow_ends(rows)
    assert np.all(blocks.born_ps <= blocks.freed_ps)


def raw_events(rows: list[tuple[int, int, int]]) -> MemoryEvents:
    none = np.zeros(len(rows), np.int32)
    kind, address, size = (np.array([row[i] for row in rows], np.int64) for i in range(3))
    untold = np.full(len(rows), UNKNOWN, np.int64)
    return MemoryEvents(
        time_ps=np.arange(len(rows), dtype=np.int64),
        kind=kind.astype(np.uint8),
        address=address.astype(np.uint64),
        requested_bytes=size,
        allocation_bytes=size,
        bytes_in_use=untold,
        bytes_reserved=untold,
        bytes_available=untold,
        peak_bytes_in_use=untold,
        fragmentation=np.full(len(rows), np.nan),
        op=none,
        region=none,
        shape=none,
        dtype=none,
        step_id=untold,
        thread=none,
        stack=none,
    )


def slow_ends(rows: list[tuple[int, int, int]]) -> list[int]:
    """The same by replaying one event at a time: unborn blocks first, then births in order."""
    live: dict[int, int] = {}
    unborn: list[int] = []
    ends: dict[int, int] = {}
    for index, (kind, address, _) in enumerate(rows):
        if kind == EventKind.ALLOCATION:
            if address in live:
                ends[live[address]] = BlockEnd.LOST
            live[address] = index
            ends[index] = BlockEnd.SURVIVED
        elif address in live:
            ends[live.pop(address)] = BlockEnd.FREED
        else:
            unborn.append(BlockEnd.FREED)
    return unborn + [ends[index] for index in sorted(ends)]
