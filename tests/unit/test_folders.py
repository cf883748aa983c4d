from __future__ import annotations

import os
from pathlib import Path

import pytest

from tensorboard_memleak.folders import Folders

LONG_AGO_NS = 10**18


def settle(folder: Path) -> None:
    """Let a folder look as if it had last changed long ago."""
    os.utime(folder, ns=(LONG_AGO_NS, LONG_AGO_NS))


def put(path: Path, content: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def names(folders: Folders, top: Path) -> list[str]:
    return [Path(fact.path).relative_to(top).as_posix() for fact in folders.walk(str(top))]


def test_files_are_found_by_their_suffix_in_order(tmp_path: Path) -> None:
    for name in ("b/y.pb", "b/x.pb", "a/deep/z.pb", "top.pb", "b/x.txt", "b/pb"):
        put(tmp_path / name)

    assert names(Folders((".pb",)), tmp_path) == ["top.pb", "a/deep/z.pb", "b/x.pb", "b/y.pb"]


def test_a_link_does_not_hide_the_folder_that_it_points_to(tmp_path: Path) -> None:
    put(tmp_path / "run" / "x.pb")
    put(tmp_path.parent / f"{tmp_path.name}-elsewhere" / "y.pb")
    (tmp_path / "a_latest").symlink_to(tmp_path / "run")
    (tmp_path / "z_latest").symlink_to(tmp_path / "run")
    (tmp_path / "run" / "loop").symlink_to(tmp_path)
    (tmp_path / "other").symlink_to(tmp_path.parent / f"{tmp_path.name}-elsewhere")

    assert names(Folders((".pb",)), tmp_path) == ["run/x.pb", "other/y.pb"]


def test_a_folder_that_has_not_changed_is_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a/x.pb", "b/x.pb"):
        settle(put(tmp_path / name).parent)
    settle(tmp_path)
    folders, read = Folders((".pb",)), list[str]()
    names(folders, tmp_path)
    scandir = os.scandir

    def seen(path: str) -> object:
        read.append(Path(path).name)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", seen)
    put(tmp_path / "b/y.pb")

    assert names(folders, tmp_path) == ["a/x.pb", "b/x.pb", "b/y.pb"]
    assert read == ["b"]


def test_what_changed_a_moment_ago_is_read_again(tmp_path: Path) -> None:
    put(tmp_path / "x.pb")
    folders = Folders((".pb",))
    changed = tmp_path.stat().st_mtime_ns
    names(folders, tmp_path)

    put(tmp_path / "y.pb")
    os.utime(tmp_path, ns=(changed, changed))  # as on a file system with coarse times

    assert names(folders, tmp_path) == ["x.pb", "y.pb"]


def test_a_file_that_grows_or_goes_is_seen_though_its_folder_is_known(tmp_path: Path) -> None:
    for name in ("x.pb", "y.pb"):
        put(tmp_path / name)
    settle(tmp_path)
    folders = Folders((".pb",))
    assert [fact.size_bytes for fact in folders.walk(str(tmp_path))] == [1, 1]

    put(tmp_path / "x.pb", b"longer")
    (tmp_path / "y.pb").unlink()
    settle(tmp_path)

    assert [fact.size_bytes for fact in folders.walk(str(tmp_path))] == [6]
    assert folders.unreadable == []


def test_what_cannot_be_looked_into_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "open" / "x.pb")
    put(tmp_path / "shut" / "y.pb")
    (tmp_path / "gone.pb").symlink_to(tmp_path / "absent")
    (tmp_path / "self").symlink_to(tmp_path / "self")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "shut":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    folders = Folders((".pb",))

    assert names(folders, tmp_path) == ["open/x.pb"]
    assert sorted(folders.unreadable) == [str(tmp_path / "gone.pb"), str(tmp_path / "shut")]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "host.pb")

    assert names(Folders((".pb",)), tmp_path) == []
