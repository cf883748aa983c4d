from __future__ import annotations

import mmap
import os
from pathlib import Path

import fsspec
import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.files import FileFact, look_again, open_bytes


@pytest.mark.parametrize("content", [b"", b"profile"])
def test_a_local_file_is_handed_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f").write_bytes(content)
    with open_bytes(str(tmp_path / "f")) as view:
        assert bytes(view) == content


@pytest.mark.parametrize("content", [b"", b"profile"])
def test_a_large_local_file_is_mapped(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 4)
    (tmp_path / "f").write_bytes(content)
    with open_bytes(str(tmp_path / "f")) as view:
        assert bytes(view) == content
        assert isinstance(view.obj, mmap.mmap) == (len(content) > 4)


def test_a_remote_file_is_handed_out() -> None:
    fsspec.filesystem("memory").pipe("/bucket/f", b"profile")
    with open_bytes("memory://bucket/f") as view:
        assert bytes(view) == b"profile"


def fail_holding_a_part(path: Path) -> None:
    with open_bytes(str(path)) as view:
        raise ValueError("broken", view[2:])


def test_an_error_that_still_holds_a_view_passes_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 0)  # so that it is mapped
    (tmp_path / "f").write_bytes(b"profile")
    with pytest.raises(ValueError, match="broken"):
        fail_holding_a_part(tmp_path / "f")


def test_a_file_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match=r"^f is no longer there") as caught:
        look_again(FileFact(str(tmp_path / "f"), 1, 1))
    assert "Reload" in caught.value.hint


def test_a_file_is_known_again_by_size_and_time(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"one")
    before = look_again(FileFact(str(file), 0, 0))
    assert look_again(before) == before

    file.write_bytes(b"longer")
    os.utime(file, ns=(1, 1))

    assert look_again(before) == FileFact(str(file), 6, 1)


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: str) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "open", refuse)  # root, who may run this, is refused nothing
    with (
        pytest.raises(UnreadableFile, match=r"^f may not be read: permission denied") as caught,
        open_bytes(str(tmp_path / "f")),
    ):
        pass
    assert str(tmp_path / "f") in caught.value.hint


def test_a_remote_file_tells_what_has_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._FETCH_BYTES", 3)
    fsspec.filesystem("memory").pipe("/bucket/g", b"profiles")
    come: list[int] = []
    with open_bytes("memory://bucket/g", come.append) as view:
        assert bytes(view) == b"profiles"
    assert come == [3, 6, 8]
