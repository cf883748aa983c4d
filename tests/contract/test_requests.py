"""Wrong requests and wrong files: one shape of error, a sentence that names the file, no crash."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.telling import Told
from tensorboard_memleak.model.trace import HostTrace
from tests.contract.board import MEMORY, Board
from tests.histories import leaking_capture, write_session

ID = "s"
PLACE = {"session": ID, "host": "host0", "memory": MEMORY}


@pytest.fixture
def board(tmp_path: Path) -> Board:
    write_session(tmp_path, ID, leaking_capture())
    return Board(tmp_path)


def without(*names: str) -> dict[str, str]:
    return {name: value for name, value in PLACE.items() if name not in names}


@pytest.mark.parametrize("route", ["timeline", "sites", "site"])
@pytest.mark.parametrize("missing", ["session", "host", "memory"])
def test_a_missing_parameter_is_named(board: Board, route: str, missing: str) -> None:
    response = board.get(route, **without(missing))

    assert response.status_code == 400
    assert response.get_json()["error"]["message"] == f"The parameter {missing} is missing."


@pytest.mark.parametrize("route", ["timeline", "sites", "site"])
@pytest.mark.parametrize(
    "wrong", [{"session": "../s"}, {"host": "/etc/passwd"}, {"memory": "GPU_9"}]
)
def test_an_unknown_name_is_not_found(board: Board, route: str, wrong: dict[str, str]) -> None:
    assert board.error(route, **{**PLACE, **wrong}) == (404, "not_found")


@pytest.mark.parametrize(
    "wrong",
    [
        {"start_ns": "x"},
        {"start_ns": "-1"},
        {"start_ns": "1e5"},
        {"start_ns": "1_0"},
        {"start_ns": " 1"},
        {"start_ns": "\u0663"},
        {"start_ns": "9" * 5000},
        {"pixels": "0"},
        {"pixels": "99999999999999999999"},
        {"start_ns": "9", "end_ns": "3"},
    ],
    ids=str,
)
def test_a_malformed_number_is_refused(board: Board, wrong: dict[str, str]) -> None:
    assert board.error("timeline", **PLACE, **wrong) == (400, "bad_request")


@pytest.mark.parametrize("wrong", [{"site": 99}, {"finding": "no-such"}], ids=str)
def test_an_unknown_site_or_finding_is_not_found(board: Board, wrong: dict[str, Any]) -> None:
    assert board.error("site", **PLACE, **wrong) == (404, "not_found")


def test_evidence_is_of_a_site_or_a_finding(board: Board) -> None:
    assert board.error("site", **PLACE) == (400, "bad_request")


def test_a_fault_in_us_is_json_and_names_the_log(
    board: Board, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("tensorboard_memleak.service.sites.site_table", lambda _: 1 / 0)

    response = board.get("sites", **PLACE)

    assert response.status_code == 500
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.get_json()["error"]["code"] == "internal"
    assert "ZeroDivisionError" in caplog.text


def test_a_fault_in_us_stays_with_the_file_that_brought_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken_for_one(trace: HostTrace, told: Told) -> HostDiagnosis:
        return diagnose(trace, told) if trace.host == "good" else 1 / 0  # type: ignore[return-value]

    monkeypatch.setattr("tensorboard_memleak.service.finder.diagnose", broken_for_one)
    for host in ("good", "odd"):
        write_session(tmp_path, ID, leaking_capture(), host=host)
    board = Board(tmp_path)

    (session,) = board.json("report", session=ID)["sessions"]
    hosts = {host["host"]: host for host in session["hosts"]}

    assert (hosts["good"]["verdict"], hosts["odd"]["verdict"]) == ("leak", None)
    assert hosts["odd"]["warnings"][0]["code"] == "internal"
    assert "odd.xplane.pb: ZeroDivisionError" in hosts["odd"]["warnings"][0]["message"]
    assert board.error("sites", session=ID, host="odd", memory=MEMORY) == (500, "internal")
    assert "Traceback" in caplog.text


@pytest.mark.parametrize("part", ["programs", "snapshots"])
def test_a_fault_beside_the_trace_leaves_the_trace_told(
    board: Board, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"tensorboard_memleak.service.finder.read_host_{part}", lambda *_: 1 / 0)

    (host,) = board.json("report", session=ID)["sessions"][0]["hosts"]

    assert host["verdict"] == "leak"
    assert [one["code"] for one in host["warnings"]] == ["internal"]
    assert f"the {part} of host0" in host["warnings"][0]["message"]


BAD_FILES = {
    "empty": b"",
    "truncated": leaking_capture()[:-40],
    "text": b"not a profile at all\n" * 20,
    "gzip": gzip.compress(leaking_capture(), mtime=0),
    "utf8": leaking_capture().decode("latin-1").encode("utf-8"),
    "random": bytes((i * 7919 + i * i) % 256 for i in range(4096)),
}


@pytest.mark.parametrize("kind", BAD_FILES)
def test_a_bad_file_is_named_and_the_other_host_goes_on(tmp_path: Path, kind: str) -> None:
    write_session(tmp_path, ID, leaking_capture(), host="good")
    write_session(tmp_path, ID, BAD_FILES[kind], host="bad")
    board = Board(tmp_path)

    (session,) = board.json("report", session=ID)["sessions"]
    hosts = {host["host"]: host for host in session["hosts"]}
    (warning,) = hosts["bad"]["warnings"]

    assert board.error("sites", session=ID, host="bad", memory=MEMORY) == (422, "unreadable_file")
    assert "bad.xplane.pb" in warning["message"]
    assert warning["hint"]
    assert [memory["verdict"] for memory in hosts["good"]["memories"]] == ["leak"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path: Path) -> None:
    write_session(tmp_path, ID, leaking_capture()).chmod(0)

    response = Board(tmp_path).get("sites", **PLACE)

    assert response.status_code == 422
    assert "host0.xplane.pb may not be read" in response.get_json()["error"]["message"]


def test_a_capture_without_host_plane_says_what_to_capture(tmp_path: Path) -> None:
    write_session(tmp_path, ID, b"")
    (tmp_path / "plugins/profile/s/host0.xplane.pb").write_bytes(b"\x22\x05vm-01")

    ((host,),) = ([*one["hosts"]] for one in Board(tmp_path).json("report", session=ID)["sessions"])

    assert host["memories"][0]["verdict"] == "no_events"
    assert all(warning["message"] and warning["hint"] for warning in host["warnings"])
    assert host["warnings"]


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in sorted(folder.rglob("*"))
    }


def test_nothing_is_written_into_the_logdir(tmp_path: Path) -> None:
    write_session(tmp_path, ID, leaking_capture())
    before = snapshot(tmp_path)
    board = Board(tmp_path)

    board.listing()
    board.json("sessions")
    board.json("report", session=ID)
    for route in ("timeline", "sites"):
        board.json(route, **PLACE)

    assert snapshot(tmp_path) == before
