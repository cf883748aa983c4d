from __future__ import annotations

import random

import numpy as np
import pytest

from tensorboard_memleak.readers.columns import Window
from tensorboard_memleak.readers.event_walk import WORTH_LANES_BYTES, walk
from tests.xspace_builder import bytes_field, number_field


def one_by_one(data: bytes) -> list[int]:
    begins, position = [], 0
    while position < len(data) and data[position] == 0x22:
        length, after = data[position + 1], position + 2
        if length >= 0x80:
            length, after = (length & 0x7F) | data[position + 2] << 7, position + 3
        begins.append(position)
        position = after + length
    return begins


def walk_all(data: bytes) -> list[int]:
    """Take up the walk where it stops, as its caller does."""
    begins: list[int] = []
    position = 0
    while position < len(data):
        part, stop = walk(Window(memoryview(data), position, len(data)))
        assert stop > 0, "a walk that begins on an event must get on"
        begins += (part + position).tolist()
        position += stop
    return begins


def realistic(source: random.Random) -> bytes:
    """An event with some stats, its numbers of any length."""
    sizes = [source.randrange(1, 60) for _ in range(source.randrange(9))]
    numbers = [(source.randrange(1, 40), source.getrandbits(bits)) for bits in sizes]
    stats = [bytes_field(4, number_field(1, key) + number_field(4, n)) for key, n in numbers]
    own = number_field(1, source.randrange(1, 300)) + number_field(2, source.getrandbits(40))
    return bytes_field(4, own + b"".join(stats))


def hostile(source: random.Random) -> bytes:
    """An event whose payload is made of what events begin with."""
    payload = source.choices((0x22, 0x02, 0x08, 0x22, 0x10), k=source.randrange(300))
    return bytes_field(4, bytes(payload))


@pytest.mark.parametrize("event", [realistic, hostile])
@pytest.mark.parametrize("seed", range(6))
def test_lanes_find_what_a_loop_finds(event, seed: int) -> None:  # type: ignore[no-untyped-def]
    source = random.Random(seed)
    data = b""
    while len(data) < 3 * WORTH_LANES_BYTES:
        data += b"".join(event(source) for _ in range(500))
    assert walk_all(data) == one_by_one(data)


def test_events_longer_than_a_segment_are_found() -> None:
    data = b"".join(bytes_field(4, bytes(length)) for length in (9000, 1, 16000, 5, 0, 4100)) * 20
    assert walk_all(data) == one_by_one(data)


def test_the_walk_stops_before_a_field_that_is_no_event() -> None:
    events = bytes_field(4, b"\x08\x01") * 50_000
    begins, stop = walk(Window(memoryview(events + number_field(9, 5)), 0, len(events) + 2))
    assert (len(begins), stop) == (50_000, len(events))


def test_the_walk_stops_before_an_event_that_is_cut() -> None:
    events = bytes_field(4, b"\x08\x01") * 50_000
    data = events + bytes_field(4, b"\x08\x01")[:-1]
    begins, stop = walk(Window(memoryview(data), 0, len(data)))
    assert (len(begins), stop) == (50_000, len(events))


def test_the_walk_leaves_very_long_events_to_its_caller() -> None:
    events = bytes_field(4, b"\x08\x01") * 50_000
    data = events + bytes_field(4, bytes(1 << 14)) + events
    begins, stop = walk(Window(memoryview(data), 0, len(data)))
    assert (len(begins), stop) == (50_000, len(events))


def test_a_first_byte_that_is_no_event_gives_nothing() -> None:
    data = number_field(1, 1) + bytes_field(4, b"\x08\x01") * 50_000
    begins, stop = walk(Window(memoryview(data), 0, len(data)))
    assert (begins.tolist(), stop) == ([], 0)
    assert begins.dtype == np.int64
