from __future__ import annotations

import gzip

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.snapshot import SampleKind, Snapshot
from tensorboard_memleak.readers.pprof import read_snapshot
from tests.pprof_builder import Pprof
from tests.shared_data import needs_shared_data, shared
from tests.xspace_builder import number_field

STACK = ["/app/train.py:12 step", "/app/train.py:40 main"]


def read(profile: Pprof) -> Snapshot:
    return read_snapshot(profile.encode(), name="a.prof", path="x/a.prof", modified_ns=5)


def test_samples_are_columns_with_stacks_innermost_first() -> None:
    profile = Pprof().add("buffer", STACK, count=3, each=100).add("executable", STACK[1:], each=0)
    snapshot = read(profile)
    samples = snapshot.samples
    assert samples.kind.tolist() == [SampleKind.BUFFER, SampleKind.EXECUTABLE]
    assert (samples.count.tolist(), samples.size_bytes.tolist()) == ([3, 1], [300, 0])
    assert [snapshot.strings[i] for i in samples.device.tolist()] == ["cpu:0", ""]
    frames = snapshot.stacks.path(int(samples.stack[0]))
    assert [snapshot.strings[frame] for frame in frames] == STACK
    assert (snapshot.name, snapshot.modified_ns, snapshot.notices) == ("a.prof", 5, ())


def test_a_plain_profile_is_read_like_a_packed_one() -> None:
    data = gzip.decompress(Pprof().add("buffer", STACK).encode())
    assert len(read_snapshot(data, name="a").samples) == 1


def test_a_profile_without_samples_is_empty() -> None:
    assert len(read(Pprof()).samples) == 0


def test_sample_kinds_of_the_future_are_kept_apart() -> None:
    assert read(Pprof().add("tpu_core", STACK)).samples.kind.tolist() == [SampleKind.OTHER]


@pytest.mark.parametrize(
    "profile",
    [
        Pprof(types=(("alloc_objects", "count"), ("alloc_space", "bytes"))).add("buffer", STACK),
        Pprof(types=()),
        Pprof().add("", STACK),
    ],
    ids=["heap", "no types", "no kinds"],
)
def test_other_profiles_are_told_apart(profile: Pprof) -> None:
    with pytest.raises(UnreadableFile, match="not a JAX device-memory profile") as caught:
        read(profile)
    assert "save_device_memory_profile" in caught.value.hint


@pytest.mark.parametrize("data", [b"\xff\xff", Pprof().add("buffer", STACK).encode()[:-9]])
def test_damaged_files_are_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableFile, match=r"a\.prof"):
        read_snapshot(data, name="a.prof")


def test_broken_references_and_sizes_are_told() -> None:
    profile = Pprof().add("buffer", STACK, count=-4)
    profile.add("buffer", STACK, extra=number_field(1, 99))
    snapshot = read(profile)
    assert snapshot.samples.count.tolist() == [0, 1]
    assert [notice.message for notice in snapshot.notices] == [
        "a.prof: samples of an impossible size: 1.",
        "a.prof: frames that do not exist: 1.",
    ]


@needs_shared_data
def test_a_go_heap_profile_is_recognised() -> None:
    path = shared("third_party/snapshots/not_jax_go_heap_memory.prof")
    with pytest.raises(UnreadableFile, match="not a JAX device-memory profile"):
        read_snapshot(path.read_bytes(), name=path.name)


@needs_shared_data
@pytest.mark.parametrize(
    ("file", "buffers", "buffer_bytes", "executables"),
    [("ajax_memory.prof", 290, 172e6, 58), ("led_getter_memory.prof", 18, 17.9e6, 608)],
)
def test_profiles_from_the_field(
    file: str, buffers: int, buffer_bytes: float, executables: int
) -> None:
    path = shared(f"third_party/snapshots/{file}")
    samples = read_snapshot(path.read_bytes(), name=file).samples
    is_buffer = samples.kind == SampleKind.BUFFER
    assert samples.count[is_buffer].sum() == buffers
    assert samples.size_bytes[is_buffer].sum() == pytest.approx(buffer_bytes, rel=0.01)
    assert samples.count[samples.kind == SampleKind.EXECUTABLE].sum() == executables
