from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.readers import columns, wire
from tensorboard_memleak.readers.columns import Window
from tensorboard_memleak.readers.wire import Malformed
from tests.xspace_builder import bytes_field, number_field, varint

numbers = st.one_of(
    st.integers(min_value=0, max_value=2**64 - 1),
    st.integers(min_value=0, max_value=63).map(lambda bit: 1 << bit),
    st.integers(min_value=1, max_value=63).map(lambda bit: (1 << bit) - 1),
)
field = st.one_of(
    st.builds(number_field, st.integers(1, 40), numbers),
    st.builds(bytes_field, st.integers(1, 40), st.binary(max_size=40)),
    st.binary(min_size=8, max_size=8).map(lambda bits: b"\x11" + bits),
    st.binary(min_size=4, max_size=4).map(lambda bits: b"\x15" + bits),
)


def window_of(data: bytes) -> Window:
    return Window(memoryview(data), 0, len(data))


def positions(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


@given(st.lists(numbers, min_size=1, max_size=30))
def test_numbers_of_every_length_read_back_side_by_side(values: list[int]) -> None:
    parts = [varint(value) for value in values]
    ends = np.cumsum([len(part) for part in parts])
    begins = ends - [len(part) for part in parts]
    read, after = columns.read_varints(window_of(b"".join(parts)), begins)
    assert read.tolist() == values
    assert after.tolist() == ends.tolist()


@given(st.lists(st.lists(field, max_size=5), max_size=8))
def test_rounds_over_messages_agree_with_reading_one_field_at_a_time(
    messages: list[list[bytes]],
) -> None:
    encoded = [b"".join(fields) for fields in messages]
    data = b"".join(encoded)
    ends = np.cumsum([len(message) for message in encoded], dtype=np.int64)
    begins = ends - np.array([len(message) for message in encoded], np.int64)
    found: list[list[tuple[int, int, int, int]]] = [[] for _ in messages]
    for fields in columns.read_fields(window_of(data), begins, ends):
        for of, tag, value, start, end in zip(*(c.tolist() for c in fields), strict=True):
            kind = tag & 7
            found[of].append((kind, value if kind == wire.VARINT else 0, start, end))
    for begin, end, fields_found in zip(begins.tolist(), ends.tolist(), found, strict=True):
        expected = [
            (f.kind, f.value, f.end if f.kind != wire.LENGTH else f.start, f.end)
            for f in wire.read_fields(memoryview(data), begin, end)
        ]
        assert fields_found == expected


def test_the_bits_of_a_fixed_field_come_back() -> None:
    data = b"\x11" + np.float64(0.25).tobytes() + number_field(1, 5)
    rounds = list(columns.read_fields(window_of(data), positions(0), positions(len(data))))
    assert rounds[0].value.view(np.float64).tolist() == [0.25]
    assert rounds[1].value.tolist() == [5]


def test_unknown_field_numbers_never_pass_for_known_ones() -> None:
    data = number_field(17, 1) + number_field(300, 2) + number_field(2, 3)
    rounds = list(columns.read_fields(window_of(data), positions(0), positions(len(data))))
    assert [int(fields.tag[0]) >> 3 for fields in rounds] == [31, 31, 2]


@pytest.mark.parametrize(
    "data",
    [
        b"\x0a\x05abc",
        b"\x0a" + varint(2**64 - 1) + b"abc",
        b"\x0a" + varint(2**63) + b"abc",
        b"\x11abc",
        b"\x08",
        b"\x08\x80",
        b"\x00\x01",
        b"\x0b\x01",
        b"\x08" + b"\xff" * 10 + b"\x01",
    ],
)
def test_damage_is_malformed_wherever_the_message_stands(data: bytes) -> None:
    before, after = number_field(1, 1), number_field(1, 2)
    whole = before + data + after
    start = positions(0, len(before), len(before) + len(data))
    end = positions(len(before), len(before) + len(data), len(whole))
    with pytest.raises(Malformed):
        list(columns.read_fields(window_of(whole), start, end))


def test_no_messages_and_empty_messages_have_no_fields() -> None:
    assert list(columns.read_fields(window_of(b""), positions(), positions())) == []
    assert list(columns.read_fields(window_of(b"\x08\x01"), positions(1), positions(1))) == []
