"""Addresses, fit and fragmentation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tensorboard_memleak.analysis.addresses import Use, address_map
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.fit import fit_at, largest_by_allocator
from tensorboard_memleak.analysis.fragmentation import blocks_between_free, find_squeeze
from tensorboard_memleak.analysis.live import alive_at
from tensorboard_memleak.analysis.pairing import pair
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import HostTrace
from tests.accuracy.simulate import simulate
from tests.window_builder import STEP_PS, Window

MIB = 1 << 20


def analysed(trace: HostTrace) -> MemoryAnalysis:
    (memory,) = diagnose(trace).memories
    return memory


def islands() -> Window:
    """Four neighbours, of which the first and third go: a block between two free pieces."""
    window = Window(steps=4)
    for place, freed in enumerate((0.5, None, 0.6, None)):
        window.block(
            f"Op{'abcd'[place]}", 256, born=0.1 + place / 100, freed=freed, address=256 * place
        )
    window.block("Far", 256, born=0.2, address=4096)
    return window


def test_known_addresses_are_free_or_in_use_and_the_rest_is_unknown() -> None:
    memory = analysed(islands().trace())
    pieces = address_map(memory.blocks, STEP_PS)
    assert pieces.start.tolist() == [0, 256, 512, 768, 1024, 4096]
    assert pieces.size_bytes.tolist() == [256, 256, 256, 256, 3072, 256]
    assert pieces.use.tolist() == [
        Use.FREE,
        Use.IN_USE,
        Use.FREE,
        Use.IN_USE,
        Use.UNKNOWN,
        Use.IN_USE,
    ]
    assert pieces.block.tolist() == [-1, 1, -1, 3, -1, 4]


def test_blocks_at_both_ends_of_the_address_space_have_their_pieces() -> None:
    window = Window(steps=1)
    window.block("Low", 256, born=0.1)
    window.block("High", 512, born=0.2)
    blocks = analysed(window.trace()).blocks
    ends = replace(blocks, address=np.array([0, 2**64 - 256], np.uint64))
    pieces = address_map(ends, STEP_PS)
    assert pieces.start.tolist() == [0, 256, 2**64 - 256]
    assert pieces.size_bytes.tolist() == [256, 2**63 - 1, 255]
    assert pieces.use.tolist() == [Use.IN_USE, Use.UNKNOWN, Use.IN_USE]


def test_a_block_at_the_last_address_lies_nowhere() -> None:
    window = Window(steps=1)
    window.block("High", 512, born=0.1)
    blocks = replace(analysed(window.trace()).blocks, address=np.array([2**64 - 1], np.uint64))
    pieces = address_map(blocks, STEP_PS)
    assert (len(pieces.start), len(pieces.block), pieces.largest_free()) == (0, 0, -1)


def test_an_address_is_free_before_the_first_block_that_the_window_sees_there() -> None:
    memory = analysed(islands().trace())
    assert set(address_map(memory.blocks, 0).use.tolist()) == {Use.FREE, Use.UNKNOWN}


def test_free_neighbours_are_one_piece() -> None:
    window = Window(steps=2)
    for place in range(3):
        window.block("Relu", 256, born=0.1 + place / 100, freed=0.5, address=256 * place)
    pieces = address_map(analysed(window.trace()).blocks, STEP_PS)
    assert (pieces.size_bytes.tolist(), pieces.use.tolist()) == ([768], [Use.FREE])


def test_no_blocks_have_no_addresses() -> None:
    pieces = address_map(pair(Window(steps=1).trace().memories[0].events, 0, 1), 0)
    assert (len(pieces.start), pieces.largest_free()) == (0, -1)


@pytest.mark.parametrize("seed", range(6))
def test_a_map_agrees_with_every_address_looked_up_by_hand(seed: int) -> None:
    memory = analysed(simulate(seed, 10, leaks=1).trace)
    blocks = memory.blocks
    time = int(memory.memory.events.time_ps[len(memory.memory.events) // 2])
    pieces = address_map(blocks, time)
    alive = alive_at(blocks, time)
    end = blocks.address + blocks.allocation_bytes.astype(np.uint64)
    for start, use, block in zip(pieces.start, pieces.use, pieces.block, strict=True):
        here = (blocks.address <= start) & (start < end)
        living = np.flatnonzero(here & alive)
        expected = Use.IN_USE if len(living) else Use.FREE if here.any() else Use.UNKNOWN
        assert use == expected
        assert block == (living[-1] if len(living) else -1)


def test_the_largest_free_piece_is_told_with_who_holds_the_space_around_it() -> None:
    window = Window(steps=2)
    window.block("Below", 256, born=0.1, address=0)
    window.block("Gone", 2048, born=0.2, freed=0.5, address=256)
    window.block("Above", 256, born=0.3, address=2304)
    memory = analysed(window.trace())
    fit = fit_at(memory, STEP_PS)
    assert fit.largest_by_addresses_bytes == 2048
    ops = [
        memory.sites.sites[memory.sites.of_block[row]].op
        for row in (fit.below_block, fit.above_block)
    ]
    assert ops == ["Below", "Above"]
    assert fit_at(memory, 400_000).largest_by_addresses_bytes is None


def fragmented(share: list[float], free: int, request: int = 64 * MIB) -> HostTrace:
    """A loop that asks for the same once a step, with the allocator's own figures as given."""
    window = Window(steps=len(share))
    for step in range(len(share)):
        window.block("Conv", request, born=step + 0.1, freed=step + 0.5)
    trace = window.trace()
    (memory,) = trace.memories
    count = len(memory.events)
    events = replace(
        memory.events,
        fragmentation=np.repeat(np.array(share), 2),
        bytes_available=np.full(count, free, np.int64),
    )
    return replace(trace, memories=(replace(memory, events=events),))


def test_the_allocators_figure_is_the_unfragmented_share_of_what_is_free() -> None:
    trace = fragmented([0.25, 0.5], free=400 * MIB)
    largest = largest_by_allocator(trace.memories[0].events)
    assert largest.tolist() == [300 * MIB, 300 * MIB, 200 * MIB, 200 * MIB]


@pytest.mark.parametrize(
    ("request_mib", "answer"),
    [(128, "yes"), (129, "if_preallocated"), (301, "if_pool_grows"), (401, "no")],
)
def test_whether_a_request_would_fit(request_mib: int, answer: str) -> None:
    memory = analysed(fragmented([0.25, 0.25], free=400 * MIB))
    assert fit_at(memory, STEP_PS).would_fit(request_mib * MIB) == answer


def test_without_figures_whether_it_fits_is_unknown() -> None:
    trace = fragmented([float("nan")] * 2, free=-1)
    assert fit_at(analysed(trace), STEP_PS // 5).would_fit(1 << 40) == "unknown"


def test_a_request_that_would_not_have_fit_is_a_finding() -> None:
    memory = analysed(fragmented([0.1, 0.1, 0.7, 0.1, 0.1], free=100 * MIB))
    (finding,) = memory.diagnosis.findings
    assert (finding.kind, finding.severity) == ("fragmentation", "medium")
    assert finding.title == (
        "64 MiB, the largest request of the window, would not have fit at one moment: 100 MiB were "
        "free, in pieces of at most 30 MiB"
    )
    assert memory.diagnosis.verdict == "no_leak"


def test_a_largest_piece_that_shrinks_every_step_is_a_finding_before_it_fails() -> None:
    memory = analysed(fragmented([step / 20 for step in range(10)], free=200 * MIB))
    (finding,) = memory.diagnosis.findings
    assert (finding.kind, finding.severity, finding.pattern) == (
        "fragmentation",
        "low",
        "pieces get smaller",
    )
    assert finding.title == (
        "The largest free piece shrinks by 10 MiB a step: in 4 steps 64 MiB no longer fit"
    )


def test_fragmentation_without_a_cost_is_no_finding() -> None:
    assert analysed(fragmented([0.9] * 8, free=1 << 40)).diagnosis.findings == ()


def test_the_blocks_between_free_pieces_hold_the_space() -> None:
    memory = analysed(islands().trace())
    rows = blocks_between_free(memory.blocks, STEP_PS)
    assert [memory.sites.sites[memory.sites.of_block[row]].op for row in rows] == ["Opb"]


def test_a_memory_that_tells_no_fragmentation_has_no_squeeze() -> None:
    memory = analysed(fragmented([float("nan")] * 4, free=100 * MIB))
    assert find_squeeze(memory.memory.events, memory.blocks, memory.steps) is None
