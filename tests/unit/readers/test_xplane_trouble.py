"""Files that are no captures: one clear sentence, never a crash, never a wrong number."""

from __future__ import annotations

import contextlib
import gzip
import random
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.trace import HostTrace
from tests.unit.readers.trace_view import column, read
from tests.xspace_builder import Text, XSpace, bytes_field, hlo_plane, number_field, varint


def a_capture() -> bytes:
    space = XSpace()
    hlo_plane(space, {"jit_step(8)": bytes(range(256))})
    plane = space.plane()
    plane.shared_stat("train", "_r", 1)
    for thread in range(3):
        line = plane.line(f"thread {thread}", line_id=-thread, timestamp_ns=10**6)
        for step in range(12):
            base = step * 10**9
            line.event("train", base, 9 * 10**8, step_num=step)
            line.event("PjitFunction(f)", base + 10, 1000)
            line.allocation(
                base + 500, address=2**47 + step, requested=2**20, in_use=2**30, op=Text("Relu")
            )
            line.deallocation(base + 600, address=2**47 + step, fragmentation=0.125)
    space.hostnames.append("host0")
    return space.encode()


CAPTURE = a_capture()


def trouble(data: bytes) -> UnreadableFile:
    with pytest.raises(UnreadableFile) as caught:
        read(data)
    assert caught.value.message.startswith("/logs/host0.xplane.pb ")
    assert caught.value.hint
    return caught.value


@contextlib.contextmanager
def little_memory(limit_bytes: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < limit_bytes


def read_or_refuse(data: bytes) -> HostTrace | None:
    """Read a capture that may be damaged: anything but a trace or `UnreadableFile` is a bug."""
    with contextlib.suppress(UnreadableFile):
        return read(data)
    return None


@pytest.mark.parametrize(
    ("data", "message", "hint"),
    [
        (b"", "is empty.", "larger than 2 GiB"),
        (gzip.compress(CAPTURE), "is gzip-compressed.", "gunzip"),
        (b"<html><body>404 Not Found</body></html>\n", "is text and not", "failed download"),
        ("Größe: überall\n".encode() * 9, "is text and not", "failed download"),
        (CAPTURE.decode("utf-8", "replace").encode(), "was re-encoded as UTF-8", "binary mode"),
        (CAPTURE.decode("latin-1").encode(), "was re-encoded as UTF-8", "binary mode"),
        (CAPTURE[: len(CAPTURE) // 2], "is cut short", "written to its end"),
        (CAPTURE[:-1], "is cut short", "written to its end"),
        (b"\xff\xfe\xfd" + bytes(1000), "is not an XSpace capture", "profiler"),
        (b"\x8a\x05\x05hello", "is not an XSpace capture", "profiler"),
        (bytes_field(1, bytes_field(3, b"\x22\x7fabc") + b"\x0c"), "is not an XSpace", "profiler"),
    ],
)
def test_each_kind_of_trouble_has_its_own_words(data: bytes, message: str, hint: str) -> None:
    error = trouble(data)
    assert message in error.message
    assert hint in error.hint


def test_a_capture_cut_anywhere_is_unreadable_or_ends_with_a_whole_plane() -> None:
    whole = len(column(read(CAPTURE), "address"))
    for cut in range(1, len(CAPTURE)):
        trace = read_or_refuse(CAPTURE[:cut])
        if trace is not None:
            counted = sum(len(memory.events) for memory in trace.memories)
            assert counted in (0, whole), f"cut at {cut} gives half of the events"


@given(st.binary(max_size=300))
def test_random_bytes_are_read_or_refused(data: bytes) -> None:
    for sample in (data, b"\x0a" + varint(len(data)) + data):
        read_or_refuse(sample)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_captures_are_read_or_refused(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(25):
        data = bytearray(CAPTURE)
        for _ in range(source.randrange(1, 12)):
            kind, at = source.randrange(3), source.randrange(len(data))
            if kind == 0:
                data[at] = source.randrange(256)
            elif kind == 1:
                del data[at : at + source.randrange(1, 20)]
            else:
                data[at:at] = source.randbytes(source.randrange(1, 20))
        read_or_refuse(bytes(data))


@pytest.mark.parametrize("length", [2**20, 2**31, 2**32, 2**63, 2**64 - 1])
@pytest.mark.parametrize("path", [(1,), (1, 3), (1, 3, 4), (1, 3, 4, 4), (1, 4), (1, 5), (4,)])
def test_hostile_lengths_cost_nothing(length: int, path: tuple[int, ...]) -> None:
    """A length that promises far more than there is, at every level of the format."""
    *around, last = path
    data = varint(last << 3 | 2) + varint(length) + b"abc"
    for number in reversed(around):
        data = bytes_field(number, data)
    with little_memory(4 << 20):
        trouble(data)


def test_thousands_of_empty_planes_and_lines_are_soon_done() -> None:
    lines = bytes_field(1, bytes_field(3, b"") * 20_000)
    planes = bytes_field(1, b"") * 20_000
    assert read(lines + planes).memories == ()


def test_a_compression_bomb_does_not_unfold() -> None:
    space = XSpace()
    line = space.plane().line("python")
    bomb = gzip.compress(bytes(1 << 28), mtime=0)
    stat = number_field(1, line.plane.stat_id("tf_op")) + bytes_field(8, bomb)
    line.event("MemoryAllocation", 1, addr=1, extra=bytes_field(4, stat))
    data = space.encode()
    with little_memory(16 << 20):
        read(data)
