from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.program.lifetimes import lifetimes, memory_spaces
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Hlo, array, f32


class Heap:
    """A module whose temporaries of 100, 200, ... bytes share one allocation."""

    def __init__(self, count: int, space: int = 0) -> None:
        self.hlo = Hlo("jit_f")
        self.main = self.hlo.computation("main")
        self.made = [self.main.add("add", f"t{i}", f32(25 * i + 25)) for i in range(count)]
        self.ids = [
            self.hlo.buffer(one, 100 * i + 100, space=space) for i, one in enumerate(self.made)
        ]
        self.space = space

    def traced(self, *events: tuple[str, int] | tuple[str, int, int]) -> Heap:
        """Add a trace whose events name temporaries by number."""
        self.hlo.trace(*((kind, *(self.ids[b] for b in which)) for kind, *which in events))
        return self

    def lives(self) -> Lifetimes:
        """Put all temporaries into one allocation and return the lifetimes."""
        self.hlo.allocation(10_000, [(number, 0) for number in self.ids], space=self.space)
        return lifetimes(read_program(self.hlo.encode()), self.space)


def test_heap_size_follows_each_event() -> None:
    lives = (
        Heap(3).traced(("alloc", 0), ("alloc", 2), ("free", 0), ("alloc", 1), ("free", 2)).lives()
    )
    assert lives.heap_bytes.tolist() == [100, 400, 300, 500, 200]
    assert (lives.peak_bytes, lives.peak_point) == (500, 3)
    assert lives.born.tolist() == [0, 3, 1]
    assert lives.freed.tolist() == [2, 5, 4]
    assert lives.allocated.temporary == lives.allocated.total == 10_000


def test_the_first_of_equal_peaks_counts() -> None:
    lives = Heap(1).traced(("alloc", 0), ("free", 0), ("alloc", 0)).lives()
    assert (lives.peak_bytes, lives.peak_point) == (100, 0)


def test_shared_memory_is_freed_by_the_last_sharer() -> None:
    lives = Heap(2).traced(("alloc", 0), ("share", 1, 0), ("free", 0), ("free", 1)).lives()
    assert lives.heap_bytes.tolist() == [100, 100, 100, 0]
    assert lives.holder.tolist() == [0, 0]
    assert lives.freed.tolist() == [3, 3]


def test_memory_taken_up_again_lives_a_second_time_under_its_new_holder() -> None:
    events = (("alloc", 0), ("free", 0), ("share", 1, 0), ("share", 2, 0), ("free", 1), ("free", 2))
    lives = Heap(3).traced(*events).lives()
    assert lives.heap_bytes.tolist() == [100, 0, 200, 200, 200, 0]
    assert lives.holder.tolist() == [0, 1, 1]
    assert lives.born.tolist() == [0, 2, 3]
    assert lives.freed.tolist() == [1, 5, 5]


@pytest.mark.parametrize(
    "events",
    [
        (("free", 0), ("alloc", 0)),
        (("free", 1), ("alloc", 0), ("free", 1)),
        (("share", 0, 0), ("free", 1)),
    ],
)
def test_damage_never_makes_the_heap_negative(events: tuple[tuple[str, int], ...]) -> None:
    lives = Heap(2).traced(*events).lives()
    assert lives.heap_bytes.min() >= 0
    assert lives.heap_bytes[-1] == 100


def test_what_lives_as_long_as_the_program_stands_under_the_line() -> None:
    heap = Heap(2)
    p = heap.main.parameter(0, "p", f32(10))
    heap.hlo.allocation(40, [(heap.hlo.buffer(p, 40), 0)], parameter=0)
    heap.hlo.allocation(70, live_out=True)
    heap.hlo.allocation(5, constant=True)
    heap.hlo.allocation(30, parameter=1, live_out=True)
    heap.hlo.allocation(9_000_000, thread_local=True)
    lives = heap.traced(("alloc", 0), ("free", 0)).lives()
    assert lives.heap_bytes.tolist() == [245, 145]
    found = lives.allocated
    assert (found.whole_program, found.total) == (145, 10_145)
    assert (found.parameter, found.output, found.aliased, found.constant) == (70, 100, 30, 5)


def test_a_temporary_without_trace_is_taken_to_live_all_the_time() -> None:
    heap = Heap(1)
    lost = heap.main.add("tuple", "lost", f32(4))
    heap.hlo.allocation(24, [(heap.hlo.buffer(lost, 24), 0)])
    lives = heap.traced(
        ("alloc", 0),
    ).lives()
    assert lives.heap_bytes.tolist() == [124]
    assert lives.allocated.untraced == 24
    assert lives.born.tolist() == [0, NO_POINT]


def test_a_module_without_traces_has_its_peak_and_no_points() -> None:
    heap = Heap(0)
    heap.hlo.allocation(64, parameter=0)
    lives = lifetimes(read_program(heap.hlo.encode()))
    assert (len(lives), lives.peak_bytes, lives.peak_point) == (0, 64, NO_POINT)


def test_padding_is_taken_off_the_buffer_that_stands_for_its_allocation() -> None:
    hlo = Hlo("jit_f")
    main = hlo.computation("main")
    p = main.parameter(0, "p", f32(3))
    t = main.add("add", "t", array(1, 5))
    kept, padded = hlo.buffer(p, 512), hlo.buffer(t, 512)
    hlo.allocation(1024, [(kept, 0)], parameter=0)
    hlo.allocation(512, [(padded, 0)])
    hlo.trace(("alloc", padded), ("free", padded))
    lives = lifetimes(read_program(hlo.encode()))
    assert lives.heap_bytes.tolist() == [1536, 1024]
    assert lives.unpadded_heap_bytes.tolist() == [524 + 5, 524]
    assert lives.peak_unpadded_bytes == 529


def test_memory_spaces_are_told_apart() -> None:
    heap = Heap(1, space=5)
    other = heap.main.add("add", "other", f32(2))
    buffer = heap.hlo.buffer(other, 8)
    heap.hlo.allocation(8, [(buffer, 0)])
    heap.hlo.trace(("alloc", buffer), ("free", buffer))
    assert heap.traced(("alloc", 0), ("free", 0)).lives().heap_bytes.tolist() == [100, 0]
    program = read_program(heap.hlo.encode())
    assert memory_spaces(program) == [0, 5]
    assert lifetimes(program, 0).heap_bytes.tolist() == [8, 0]
    assert len(lifetimes(program, 3)) == 0


def test_several_traces_are_laid_out_in_program_order() -> None:
    hlo = Hlo("jit_f")
    main, body = hlo.computation("main"), hlo.computation("body")
    first = main.add("add", "first", f32(25))
    inner = body.add("add", "inner", f32(50))
    main.add("while", "loop", f32(1), [first], calls=[body])
    last = main.add("add", "last", f32(100))
    a, b, c = hlo.buffer(first, 100), hlo.buffer(inner, 200), hlo.buffer(last, 400)
    hlo.allocation(1_000, [(a, 0), (c, 100), (b, 600)])
    hlo.trace(("alloc", a), ("alloc", c), ("free", c), ("free", a))
    hlo.trace(("alloc", b), ("free", b))
    lives = lifetimes(read_program(hlo.encode()))
    assert lives.heap_bytes.tolist() == [100, 300, 100, 500, 100, 0]
    assert lives.peak_bytes == 500
