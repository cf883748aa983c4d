from __future__ import annotations

from pathlib import Path

from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.report import report
from tensorboard_memleak.service.snapshots import snapshots
from tests.pprof_builder import Pprof

KEEPS = ["/app/train.py:12 log", "/app/train.py:40 main"]


def write(folder: Path, **profiles: bytes) -> Path:
    session = folder / "plugins/profile/s1"
    session.mkdir(parents=True)
    for name, data in profiles.items():
        (session / f"{name}.prof").write_bytes(data)
    return folder


def kept(count: int) -> bytes:
    return Pprof().add("buffer", KEEPS, count, 100).add("executable", KEEPS[1:], 1, 50).encode()


def test_profiles_of_a_session_are_compared(tmp_path: Path) -> None:
    finder = open_path(str(write(tmp_path, before=kept(1), mid=kept(4), after=kept(7))))
    found = snapshots(finder, "s1", "unknown")
    assert [one["name"] for one in found["snapshots"]] == ["before.prof", "mid.prof", "after.prof"]
    assert found["snapshots"][2] == {
        "name": "after.prof",
        "buffers": 7,
        "buffer_bytes": 700,
        "executables": 1,
        "executable_bytes": 50,
    }
    assert found["ordered_by"] == "names"
    columns = found["sites"]["columns"]
    assert columns["place"] == [KEEPS[0], KEEPS[1]]
    assert columns["counts"] == [[1, 4, 7], [1, 1, 1]]
    assert columns["more_bytes"] == [[300, 300], [0, 0]]
    assert [(f["kind"], f["bytes"]) for f in found["findings"]] == [("snapshot_growth", 600)]


def test_the_report_holds_what_grew(tmp_path: Path) -> None:
    finder = open_path(str(write(tmp_path, before=kept(1), mid=kept(4), after=kept(7))))
    (host,) = report(finder)["sessions"][0]["hosts"]
    assert host["verdict"] == "no_events"
    assert [f["kind"] for f in host["snapshots"][0]["findings"]] == ["snapshot_growth"]


def test_another_profile_leaves_the_others(tmp_path: Path) -> None:
    heap = Pprof(types=(("inuse_objects", "count"), ("inuse_space", "bytes"))).add("", KEEPS)
    finder = open_path(str(write(tmp_path, before=kept(1), after=kept(4), heap=heap.encode())))
    found = snapshots(finder, "s1", "unknown")
    assert [one["name"] for one in found["snapshots"]] == ["before.prof", "after.prof"]
    assert [w["code"] for w in found["warnings"]] == ["unreadable_file"]
    assert "not a JAX device-memory profile" in found["warnings"][0]["message"]


def test_a_session_without_profiles_compares_nothing(tmp_path: Path) -> None:
    session = tmp_path / "plugins/profile/s1"
    session.mkdir(parents=True)
    (session / "jit_f(1).hlo_proto.pb").write_bytes(b"\xff")
    finder = open_path(str(tmp_path))
    assert snapshots(finder, "s1", "unknown")["snapshots"] == []
    (host,) = report(finder)["sessions"][0]["hosts"]
    assert host["snapshots"] == []
