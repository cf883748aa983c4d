from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.readers.wire import (
    Field,
    Malformed,
    Truncated,
    read_field,
    read_fields,
    read_varint,
    require_length,
    signed,
)
from tests.xspace_builder import bytes_field, number_field, varint


def one(data: bytes) -> Field:
    return read_field(memoryview(data), 0, len(data))


@given(st.integers(min_value=0, max_value=2**64 - 1))
def test_every_number_reads_back(number: int) -> None:
    data = varint(number)
    assert read_varint(memoryview(data), 0, len(data)) == (number, len(data))


def test_fields_say_where_they_lie() -> None:
    data = number_field(3, 300) + bytes_field(2, b"abc")
    assert list(read_fields(memoryview(data), 0, len(data))) == [
        Field(number=3, kind=0, value=300, begin=0, start=1, end=3),
        Field(number=2, kind=2, value=0, begin=3, start=5, end=8),
    ]


def test_fixed_fields_are_stepped_over() -> None:
    data = b"\x09" + bytes(8) + b"\x15" + bytes(4) + number_field(1, 7)
    assert [field.end for field in read_fields(memoryview(data), 0, len(data))] == [9, 14, 16]


def test_negative_numbers_are_twos_complement() -> None:
    assert signed(one(number_field(1, -5)).value) == -5
    assert signed(2**63 - 1) == 2**63 - 1
    assert signed(2**63) == -(2**63)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x08", "a number is cut off at byte 1"),
        (b"\x08\x80", "a number is cut off at byte 1"),
        (b"\x0a\x05abc", "a field of 5 bytes has only 3 left at byte 0"),
        (b"\x09abc", "a field of 8 bytes has only 3 left at byte 0"),
    ],
)
def test_what_runs_over_the_end_of_the_buffer_is_truncated(data: bytes, reason: str) -> None:
    with pytest.raises(Truncated) as caught:
        one(data)
    assert str(caught.value) == reason


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x08" + b"\x80" * 10 + b"\x00", "a number has more than ten bytes at byte 1"),
        (b"\x00\x00", "field number 0 at byte 0"),
        (b"\x0b", "unknown wire type 3 at byte 0"),
        (b"\x0f", "unknown wire type 7 at byte 0"),
    ],
)
def test_what_the_format_does_not_have_is_malformed(data: bytes, reason: str) -> None:
    with pytest.raises(Malformed) as caught:
        one(data)
    assert str(caught.value) == reason
    assert not isinstance(caught.value, Truncated)


def test_a_field_that_leaves_its_message_is_malformed_and_not_truncated() -> None:
    data = b"\x0a\x05abc" + b"more bytes follow"
    with pytest.raises(Malformed) as caught:
        read_field(memoryview(data), 0, 5)
    assert not isinstance(caught.value, Truncated)


def test_a_number_in_place_of_text_is_damage() -> None:
    with pytest.raises(Malformed, match="a number stands where text or a message belongs"):
        require_length(one(number_field(2, 1)))
