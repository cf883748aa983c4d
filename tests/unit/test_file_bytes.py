"""A file read by stretches gives what its bytes in memory give."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from tensorboard_memleak.file_bytes import CHUNK_BYTES, FileBytes, Shrunk
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.captures import unpack

SIZE = 3 * CHUNK_BYTES + 17
CONTENT = bytes(index * 7 % 251 for index in range(SIZE))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bytes") / "f"
    file.write_bytes(CONTENT)
    return file


@given(
    reads=some.lists(
        some.one_of(
            some.integers(0, SIZE - 1),
            some.tuples(some.integers(0, SIZE + 9), some.integers(0, 2 * CHUNK_BYTES)),
        ),
        max_size=12,
    )
)
def test_any_reads_in_any_order_give_the_files_bytes(
    path: Path, reads: list[int | tuple[int, int]]
) -> None:
    with path.open("rb", buffering=0) as file:
        source = FileBytes(file)
        assert len(source) == SIZE
        for one in reads:
            if isinstance(one, int):
                assert source[one] == CONTENT[one]
            else:
                start, length = one
                assert source[start : start + length] == CONTENT[start : start + length]


@pytest.mark.parametrize("outside", [-1, SIZE])
def test_there_is_nothing_outside(path: Path, outside: int) -> None:
    with path.open("rb", buffering=0) as file, pytest.raises(IndexError):
        FileBytes(file)[outside]


@pytest.mark.parametrize("read", [slice(0, SIZE), slice(SIZE - 5, SIZE), SIZE - 1])
def test_a_file_that_was_cut_short_is_an_error_and_no_signal(
    tmp_path: Path, read: slice | int
) -> None:
    file = tmp_path / "f"
    file.write_bytes(CONTENT)
    with file.open("rb", buffering=0) as opened:
        source = FileBytes(opened)
        os.truncate(file, 100)
        with pytest.raises(Shrunk):
            source[read]


@pytest.mark.parametrize("name", ["two_rates", "python_frames", "jax_donation"])
def test_a_real_capture_reads_alike(name: str) -> None:
    (capture,) = unpack(name).glob("*.xplane.pb")
    with capture.open("rb", buffering=0) as file:
        by_stretches = read_host_trace(FileBytes(file), "host", "f")
    at_once = read_host_trace(capture.read_bytes(), "host", "f")
    np.testing.assert_equal(asdict(by_stretches), asdict(at_once))
