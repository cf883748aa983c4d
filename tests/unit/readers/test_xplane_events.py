"""Memory events: every spelling that producers have for the same thing."""

from __future__ import annotations

import math

import pytest

from tensorboard_memleak.model.trace import UNKNOWN
from tests.unit.readers.trace_view import column, read, the_memory
from tests.xspace_builder import (
    Line,
    Raw,
    Text,
    UInt,
    Value,
    XSpace,
    Zipped,
    bytes_field,
    number_field,
)


def a_line(name: str = "python", **fields: int) -> tuple[XSpace, Line]:
    space = XSpace()
    return space, space.plane().line(name, **fields)


def one_event(**told: Value) -> XSpace:
    space, line = a_line()
    line.allocation(at_ps=5, **told)
    return space


def test_every_column_of_an_event() -> None:
    space, line = a_line(line_id=7)
    line.allocation(
        at_ps=1000,
        address=0xFF00,
        requested=1000,
        allocated=1024,
        in_use=5120,
        reserved=0,
        available=4096,
        peak=9216,
        fragmentation=0.25,
        op="Relu",
        region="output",
        shape="[250]",
        dtype=1,
        id=-2077598319331254168,
    )
    trace = read(space)
    events = the_memory(trace).events
    assert the_memory(trace).memory_id == "GPU_0_bfc"
    assert {name: column(trace, name) for name in events.__slots__} == {
        "time_ps": [1000],
        "kind": [1],
        "address": [0xFF00],
        "requested_bytes": [1000],
        "allocation_bytes": [1024],
        "bytes_in_use": [5120],
        "bytes_reserved": [0],
        "bytes_available": [4096],
        "peak_bytes_in_use": [9216],
        "fragmentation": [0.25],
        "op": ["Relu"],
        "region": ["output"],
        "shape": ["[250]"],
        "dtype": ["float32"],
        "step_id": [-2077598319331254168],
        "thread": [7],
        "stack": [[]],
    }


def test_what_an_event_does_not_tell_is_unknown() -> None:
    trace = read(one_event())
    for name in ("requested_bytes", "allocation_bytes", "bytes_in_use", "bytes_reserved"):
        assert column(trace, name) == [UNKNOWN]
    for name in ("bytes_available", "peak_bytes_in_use", "step_id"):
        assert column(trace, name) == [UNKNOWN]
    for name in ("op", "region", "shape", "dtype"):
        assert column(trace, name) == [""]
    assert column(trace, "address") == [0]
    assert math.isnan(column(trace, "fragmentation")[0])


@pytest.mark.parametrize(
    "value", [1536, UInt(1536), 1536.0, Text("1536"), "1536", b"1536", Zipped("1536")]
)
def test_a_number_may_have_any_type(value: Value) -> None:
    assert column(read(one_event(requested=value)), "requested_bytes") == [1536]


@pytest.mark.parametrize(
    "value",
    [
        *(Text("many"), "", math.nan, math.inf, 1e300, Text("9" * 30)),
        *(-7, -(2**63), 2**48 + 1, 2**63 - 1, UInt(2**64 - 1), UInt(2**63)),
    ],
)
def test_what_is_no_number_of_bytes_is_unknown(value: Value) -> None:
    trace = read(one_event(requested=value, reserved=value, available=value))
    assert column(trace, "requested_bytes") == [UNKNOWN]
    assert column(trace, "bytes_reserved") == [UNKNOWN]
    assert column(trace, "bytes_available") == [UNKNOWN]


def test_a_stat_without_a_value_is_the_number_zero() -> None:
    assert column(read(one_event(requested=Raw(b""))), "requested_bytes") == [0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.5, 0.5), (1, 1.0), (0, 0.0), (UInt(1), 1.0), (Text("0.25"), 0.25), ("0.25", 0.25)],
)
def test_fragmentation_may_have_any_type(value: Value, expected: float) -> None:
    assert column(read(one_event(fragmentation=value)), "fragmentation") == [expected]


def test_fragmentation_that_is_no_number_is_nan() -> None:
    for value in (math.nan, math.inf, -math.inf, 1e300, -0.5, 7, Text("?")):
        assert math.isnan(column(read(one_event(fragmentation=value)), "fragmentation")[0])


@pytest.mark.parametrize("value", ["Relu", Text("Relu"), b"Relu", Zipped("Relu")])
def test_text_may_have_any_type(value: Value) -> None:
    assert column(read(one_event(op=value)), "op") == ["Relu"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(7, "7"), (-1, "-1"), (UInt(2**64 - 1), str(2**64 - 1)), (math.nan, "nan"), (1.5, "1.5")],
)
def test_an_op_that_was_taken_for_a_number_is_text_again(value: Value, expected: str) -> None:
    assert column(read(one_event(op=value)), "op") == [expected]


@pytest.mark.parametrize("value", ["(null)", "dummy", "", Text("dummy"), Text("(null)"), Raw(b"")])
def test_an_op_that_says_nothing_is_unknown(value: Value) -> None:
    assert column(read(one_event(op=value)), "op") == [""]


def test_dummy_is_a_placeholder_for_ops_only() -> None:
    trace = read(one_event(op="dummy", region="dummy", shape="(null)"))
    assert [column(trace, name) for name in ("op", "region", "shape")] == [[""], ["dummy"], [""]]


@pytest.mark.parametrize(
    ("number", "name"),
    [
        *(
            (0, ""),
            (1, "float32"),
            (2, "float64"),
            (9, "int64"),
            (14, "bfloat16"),
            (19, "float16"),
            (20, "resource"),
        ),
        *((24, "float8_e5m2"), (33, "float4_e2m1fn"), (34, "34"), (100, ""), (101, "float32_ref")),
    ],
)
def test_data_types_have_their_names(number: int, name: str) -> None:
    assert column(read(one_event(dtype=number)), "dtype") == [name]


def test_a_full_address_keeps_all_its_bits() -> None:
    for value in (2**64 - 4096, UInt(2**64 - 4096)):
        assert column(read(one_event(address=value)), "address") == [2**64 - 4096]


def test_damaged_compression_is_an_unknown_text() -> None:
    trace = read(one_event(op=Raw(bytes_field(8, b"\x1f\x8bnot gzip at all"))))
    assert column(trace, "op") == [""]


def test_text_that_is_not_utf8_is_shown_as_such() -> None:
    assert column(read(one_event(op=Text(b"Re\xfflu"))), "op") == ["Re\N{REPLACEMENT CHARACTER}lu"]


def test_a_reference_to_nothing_is_an_unknown_text() -> None:
    assert column(read(one_event(op=Raw(number_field(7, 999)))), "op") == [""]


def test_the_last_of_a_repeated_stat_wins() -> None:
    space, line = a_line()
    repeated = bytes_field(4, line.plane.stat("requested_bytes", 20))
    line.event("MemoryAllocation", 5, extra=repeated, allocator_name="a", requested_bytes=10)
    assert column(read(space), "requested_bytes") == [20]


def test_stats_of_metadata_apply_to_all_its_events_and_the_events_own_win() -> None:
    space, line = a_line()
    line.event("MemoryAllocation", 1, addr=1, requested_bytes=11)
    line.event("MemoryAllocation", 2, addr=2)
    line.plane.shared_stat("MemoryAllocation", "allocator_name", "GPU_3_bfc")
    line.plane.shared_stat("MemoryAllocation", "requested_bytes", 99)
    trace = read(space)
    assert the_memory(trace).memory_id == "GPU_3_bfc"
    assert column(trace, "requested_bytes") == [11, 99]


def test_unknown_fields_and_stats_are_skipped() -> None:
    space, line = a_line()
    later = b"\x99\x06" + bytes(8) + bytes_field(60, b"new") + number_field(50, 1) + b"\x85\x06abcd"
    line.event("MemoryAllocation", 5, extra=later, allocator_name="a", future="x", addr=64)
    line.plane.stats += later
    line.extra = later
    data = space.encode() + later
    assert column(read(data), "address") == [64]


def test_fields_may_stand_in_any_order() -> None:
    space, line = a_line()
    plane = line.plane
    stat = number_field(4, 77) + number_field(1, plane.stat_id("addr"))
    backwards = (
        bytes_field(4, stat)
        + bytes_field(4, plane.stat("allocator_name", "a"))
        + number_field(3, 0)
        + number_field(2, 500)
        + number_field(1, plane.event_id("MemoryAllocation"))
    )
    line.events.append(backwards)
    line.allocation(at_ps=600, allocator="a", address=78)
    trace = read(space)
    assert column(trace, "address") == [77, 78]
    assert column(trace, "time_ps") == [500, 600]


def test_a_metadata_id_of_zero_is_left_out_on_the_wire() -> None:
    space, line = a_line()
    line.plane.events["MemoryAllocation"] = 0
    line.plane.stat_names["addr"] = 0
    stats = bytes_field(4, number_field(4, 123)) + bytes_field(
        4, line.plane.stat("allocator_name", "a")
    )
    line.events.append(number_field(2, 9) + stats)
    trace = read(space)
    assert column(trace, "address") == [123]
    assert column(trace, "time_ps") == [9]


@pytest.mark.parametrize("key", [2**63 - 1, -1, -(2**63), 1 << 40])
def test_ids_may_be_any_number(key: int) -> None:
    space, line = a_line(line_id=key)
    line.plane.events["MemoryAllocation"] = key
    line.plane.stat_names["addr"] = key
    line.allocation(at_ps=1, address=5, op="Relu")
    trace = read(space)
    assert column(trace, "address") == [5]
    assert column(trace, "op") == ["Relu"]
    assert column(trace, "thread") == [key]


def test_an_event_without_a_time_field_stands_at_its_lines_time() -> None:
    space, line = a_line(timestamp_ns=3)
    line.event("MemoryAllocation", None, allocator_name="a", addr=1)
    line.event("MemoryAllocation", 10, allocator_name="a", addr=2)
    trace = read(space)
    assert column(trace, "time_ps") == [0, 10]
    assert trace.origin_ns == 3


def test_events_that_count_have_no_time_and_are_left_out_with_a_notice() -> None:
    space, line = a_line()
    line.event("MemoryAllocation", None, occurrences=40, allocator_name="a", addr=1)
    line.allocation(at_ps=1, allocator="a", address=2)
    trace = read(space)
    assert column(trace, "address") == [2]
    assert [notice.code for notice in trace.notices] == ["untimed_events"]
    assert trace.notices[0].message.startswith("1 memory event with a count")


def test_events_without_an_address_are_said_to_be_so() -> None:
    trace = read(one_event(requested=1))
    assert [notice.code for notice in trace.notices] == ["events_without_address"]
