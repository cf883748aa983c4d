from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fsspec
import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.file_bytes import FileBytes
from tensorboard_memleak.files import FileFact, look_again, open_bytes, read_bytes
from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.settings import Settings
from tests.histories import leaking_capture, write_session


@pytest.mark.parametrize("content", [b"", b"profile"])
def test_a_local_file_is_handed_out(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "f").write_bytes(content)
    with open_bytes(str(tmp_path / "f")) as view:
        assert bytes(view) == content


@pytest.mark.parametrize("content", [b"", b"profile"])
def test_a_large_local_file_is_read_a_stretch_at_a_time(
    tmp_path: Path, content: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 4)
    (tmp_path / "f").write_bytes(content)
    with open_bytes(str(tmp_path / "f")) as view:
        assert bytes(view[:]) == content
        assert isinstance(view, FileBytes) == (len(content) > 4)
    assert read_bytes(str(tmp_path / "f")) == content


def test_a_remote_file_is_handed_out() -> None:
    fsspec.filesystem("memory").pipe("/bucket/f", b"profile")
    with open_bytes("memory://bucket/f") as view:
        assert bytes(view[:]) == b"profile"


def read_while(change: Callable[[Path], object], path: Path) -> None:
    with open_bytes(str(path)) as view:
        change(path)
        if len(view[3:]) != 4:
            raise ValueError("what was read makes no sense")


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def rewrite(path: Path) -> None:
    path.write_bytes(b"PROFILE")
    os.utime(path, ns=(1, 1))


def cut(path: Path) -> None:
    os.truncate(path, 2)


@pytest.mark.parametrize("change", [append, rewrite, cut])
def test_a_large_file_that_changes_while_it_is_read_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 0)
    (tmp_path / "f").write_bytes(b"profile")
    with pytest.raises(UnreadableFile, match=r"^f changed while it was read") as caught:
        read_while(change, tmp_path / "f")
    assert "reload" in caught.value.hint


def test_another_error_passes_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 0)
    (tmp_path / "f").write_bytes(b"short")
    with pytest.raises(ValueError, match="no sense"):
        read_while(lambda _: None, tmp_path / "f")


def test_a_capture_that_is_cut_short_while_it_is_read_leaves_the_process_alive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tensorboard_memleak.files._READ_WHOLE_BYTES", 0)
    write_session(tmp_path, "s", leaking_capture(steps=4000))
    finder = LeakFinder(Settings((Root(str(tmp_path)),)))
    trace = finder.host_files("s", "host0").xplane
    assert trace is not None
    real = FileBytes.__getitem__

    def cut_behind(self: FileBytes, key: Any) -> Any:
        found = real(self, key)
        os.truncate(trace.path, 100)
        return found

    monkeypatch.setattr(FileBytes, "__getitem__", cut_behind)
    with pytest.raises(UnreadableFile, match="changed while it was read"):
        finder.host("s", "host0")


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

    after = look_again(before)
    assert (after.size_bytes, after.mtime_ns) == (6, 1)


def test_a_copy_that_keeps_size_and_time_is_another_file(tmp_path: Path) -> None:
    file, other = tmp_path / "f", tmp_path / "other"
    file.write_bytes(b"one")
    other.write_bytes(b"two")
    before = look_again(FileFact(str(file), 0, 0))
    os.utime(other, ns=(before.mtime_ns, before.mtime_ns))
    other.replace(file)

    after = look_again(before)
    assert (after.size_bytes, after.mtime_ns) == (before.size_bytes, before.mtime_ns)
    assert after != before


def test_a_file_that_may_not_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, mode: str, buffering: int) -> None:
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
