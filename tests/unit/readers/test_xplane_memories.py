"""Whose memory an event is about, and the order of events."""

from __future__ import annotations

import pytest

from tests.unit.readers.trace_view import column, read
from tests.xspace_builder import UInt, Value, XSpace, bytes_field


def memory_ids(*events: dict[str, Value]) -> list[str]:
    space = XSpace()
    line = space.plane().line("python")
    for index, stats in enumerate(events):
        line.event("MemoryAllocation", index, addr=index + 1, **stats)
    return [memory.memory_id for memory in read(space).memories]


def test_each_allocator_is_a_memory_in_order_of_its_name() -> None:
    assert memory_ids(
        {"allocator_name": "xla_gpu_host_bfc"},
        {"allocator_name": "GPU_1_bfc"},
        {"allocator_name": "GPU_0_bfc"},
        {"allocator_name": "GPU_1_bfc"},
    ) == ["GPU_0_bfc", "GPU_1_bfc", "xla_gpu_host_bfc"]


@pytest.mark.parametrize("stat", ["index_on_host", "device_ordinal"])
@pytest.mark.parametrize("number", [0, 3])
def test_without_an_allocator_a_device_is_the_memory(stat: str, number: int) -> None:
    assert memory_ids({stat: number}) == [str(number)]
    assert memory_ids({stat: UInt(number)}) == [str(number)]


def test_the_allocator_names_the_memory_wherever_it_stands() -> None:
    assert memory_ids({"allocator_name": "a", "device_ordinal": 1}) == ["a"]
    assert memory_ids({"device_ordinal": 1, "allocator_name": "a"}) == ["a"]
    assert memory_ids({"index_on_host": 2, "device_ordinal": 1}) == ["1"]


@pytest.mark.parametrize("stats", [{}, {"allocator_name": "(null)"}, {"allocator_name": b""}])
def test_an_owner_that_is_not_told_is_said_to_be_unknown(stats: dict[str, Value]) -> None:
    assert memory_ids(stats) == ["unknown"]


def test_the_tpu_form() -> None:
    space = XSpace()
    line = space.plane().line("main")
    line.event(
        "MemoryAllocation",
        10,
        index_on_host=0,
        bytes_reserved=1_960_673_280,
        bytes_allocated=512,
        bytes_available=100,
        fragmentation=0,
        peak_bytes_in_use=512,
        requested_bytes=300,
        allocation_bytes=512,
        addr=99_400_000_000,
        tf_op="dummy",
        data_type=0,
        shape="s32[1,2048]{1,0:T(1,128)}",
    )
    line.event("MemoryDeallocation", 20, index_on_host=0, addr=99_400_000_000, bytes_allocated=0)
    trace = read(space)
    assert [memory.memory_id for memory in trace.memories] == ["0"]
    assert column(trace, "kind") == [1, 2]
    assert column(trace, "op") == ["", ""]
    assert column(trace, "dtype") == ["", ""]
    assert column(trace, "shape") == ["s32[1,2048]{1,0:T(1,128)}", ""]
    assert column(trace, "allocation_bytes") == [512, -1]
    assert column(trace, "bytes_reserved") == [1_960_673_280, -1]


def test_events_of_all_lines_stand_in_true_time() -> None:
    space = XSpace()
    plane = space.plane()
    early = plane.line("early", timestamp_ns=1_000)
    late = plane.line("late", timestamp_ns=2_000)
    late.allocation(at_ps=0, address=2)
    early.allocation(at_ps=1_500_000, address=3)
    early.allocation(at_ps=0, address=1)
    trace = read(space)
    assert trace.origin_ns == 1_000
    assert column(trace, "address") == [1, 2, 3]
    assert column(trace, "time_ps") == [0, 1_000_000, 1_500_000]


def test_events_of_one_moment_keep_the_order_of_the_file() -> None:
    space = XSpace()
    line = space.plane().line("python")
    for address in range(1, 200):
        line.allocation(at_ps=7, address=address)
    assert column(read(space), "address") == list(range(1, 200))


def test_events_on_every_plane_are_read() -> None:
    space = XSpace()
    for address, name in enumerate(("/host:CPU", "/host:other", "/device:GPU:0", "custom"), 1):
        space.plane(name).line("a line").allocation(at_ps=address, address=address)
    assert column(read(space), "address") == [1, 2, 3, 4]


def test_concatenated_spaces_are_one_capture_and_ids_belong_to_their_chunk() -> None:
    first, second = XSpace(), XSpace()
    line = first.plane().line("python", line_id=5)
    line.allocation(at_ps=10, address=1, op="Relu")
    again = second.plane().line("python", line_id=5)
    again.plane.event_id("something that takes the first id")
    again.plane.stat_id("and another")
    again.allocation(at_ps=20, address=2, op="MatMul")
    trace = read(first.encode() + second.encode())
    assert column(trace, "op") == ["Relu", "MatMul"]
    assert column(trace, "thread") == [5, 5]
    assert len(trace.threads) == 1


@pytest.mark.parametrize(
    ("outer_at_ps", "outer_lasts_ps", "codes"),
    [(0, 100, ["threads_in_pieces"]), (50, 100, []), (15, 2, [])],
)
def test_a_stack_that_may_reach_into_another_chunk_is_told(
    outer_at_ps: int, outer_lasts_ps: int, codes: list[str]
) -> None:
    first, second = XSpace(), XSpace()
    line = first.plane().line("python", line_id=5)
    line.event("inner", 8, 4)
    line.allocation(at_ps=10, address=1)
    second.plane().line("python", line_id=5).event("outer", outer_at_ps, outer_lasts_ps)
    second.planes[0].line("idle", line_id=6).event("elsewhere", 0, 100)
    second.planes[0].line("idle", line_id=6).event("elsewhere", 0, 100)

    trace = read(first.encode() + second.encode())

    assert [notice.code for notice in trace.notices] == codes
    assert column(trace, "address") == [1]


def test_lines_of_one_id_on_other_planes_are_other_threads() -> None:
    space = XSpace()
    space.plane("/host:CPU").line("python", line_id=1).allocation(at_ps=1, address=1)
    space.plane("/host:other").line("worker", line_id=1).allocation(at_ps=2, address=2)
    trace = read(space)
    assert [(thread.thread_id, thread.name) for thread in trace.threads] == [
        (1, "python"),
        (1, "worker"),
    ]


def test_a_threads_name_may_be_its_display_name_behind_the_events() -> None:
    space = XSpace()
    line = space.plane().line("", line_id=-9)
    line.allocation(at_ps=1, address=1)
    line.extra = bytes_field(11, "worker ünï".encode())
    (thread,) = read(space).threads
    assert (thread.thread_id, thread.name) == (-9, "worker ünï")
