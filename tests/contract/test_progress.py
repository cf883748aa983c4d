"""How far a reading is, told while it goes on; and its end, where nobody else waits for it."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tensorboard_memleak.model.telling import Told
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.progress import Progress
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.contract.board import MEMORY, Board
from tests.histories import leaking_capture, write_session

PLACE = {"session": "s", "host": "host0"}
IDLE = {"phase": None, "done": 0, "total": None}


class Halted:
    """A reader that halts at a quarter until it may go on, or must stop."""

    def __init__(self) -> None:
        self.reached, self.go_on = threading.Semaphore(0), threading.Event()

    def __call__(self, view: memoryview, host: str, path: str, told: Told) -> HostTrace:
        told(len(view) // 4)
        self.reached.release()
        while not self.go_on.wait(0.001):
            told(len(view) // 4)
        return read_host_trace(view, host, path, told)


@pytest.fixture
def halted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Halted]:
    reader = Halted()
    monkeypatch.setattr("tensorboard_memleak.service.finder.read_host_trace", reader)
    yield reader
    reader.go_on.set()


@pytest.fixture
def board(tmp_path: Path) -> Board:
    write_session(tmp_path, "s", leaking_capture())
    return Board(tmp_path)


class Asked(threading.Thread):
    """One request, made at once and answered some time."""

    def __init__(self, board: Board, **params: str) -> None:
        super().__init__(daemon=True)
        self._answer: tuple[int, Any] | None = None
        self._board, self._params = board, params
        self.start()

    def run(self) -> None:
        response = self._board.get("report", **PLACE, **self._params)
        self._answer = response.status_code, response.get_json()

    def answer(self) -> tuple[int, Any]:
        self.join(10)
        assert self._answer
        return self._answer


@pytest.mark.parametrize("route", ["progress", "stop"])
@pytest.mark.parametrize("wrong", [{"session": "../s"}, {"host": "host9"}])
def test_an_unknown_name_is_not_found(board: Board, route: str, wrong: dict[str, str]) -> None:
    assert board.error(route, **{**PLACE, "wait": "me", **wrong}) == (404, "not_found")


@pytest.mark.parametrize("missing", ["session", "host", "wait"])
def test_a_missing_parameter_is_named(board: Board, missing: str) -> None:
    params = {name: value for name, value in {**PLACE, "wait": "me"}.items() if name != missing}
    response = board.get("stop", **params)
    assert response.status_code == 400
    assert response.get_json()["error"]["message"] == f"The parameter {missing} is missing."


def test_nothing_goes_on_before_and_after_a_reading(board: Board) -> None:
    assert board.json("progress", **PLACE) == IDLE
    board.json("report", **PLACE)
    assert board.json("progress", **PLACE) == IDLE
    assert board.json("stop", **PLACE, wait="me") == {"outcome": "nothing_under_way"}


def test_a_reading_is_told_of_while_it_goes_on(
    board: Board, halted: Halted, tmp_path: Path
) -> None:
    size = len(leaking_capture())
    asked = Asked(board)
    assert halted.reached.acquire(timeout=10)

    told = board.json("progress", **PLACE)
    assert told == {"phase": "reading", "done": size // 4, "total": size}

    halted.go_on.set()
    assert asked.answer()[0] == 200
    assert board.json("progress", **PLACE) == IDLE


def test_who_waits_alone_can_stop_it_and_read_again(board: Board, halted: Halted) -> None:
    asked = Asked(board, wait="me")
    assert halted.reached.acquire(timeout=10)

    assert board.json("stop", **PLACE, wait="me") == {"outcome": "stopped"}
    status, body = asked.answer()
    assert (status, body["error"]["code"]) == (409, "stopped")
    assert body["error"]["message"] == "The reading of host0 was stopped."
    assert board.json("progress", **PLACE) == IDLE

    halted.go_on.set()
    (session,) = board.json("report", **PLACE, wait="me")["sessions"]
    assert session["hosts"][0]["verdict"] == "leak"


@pytest.mark.parametrize("other", [{"wait": "you"}, {}])
def test_who_waits_too_gets_the_answer(board: Board, halted: Halted, other: dict[str, str]) -> None:
    theirs = Asked(board, **other)
    assert halted.reached.acquire(timeout=10)

    assert board.json("stop", **PLACE, wait="me") == {"outcome": "others_wait"}

    halted.go_on.set()
    assert theirs.answer()[0] == 200


def test_a_file_that_changes_while_it_is_read_can_be_stopped_all_the_same(
    board: Board, halted: Halted, tmp_path: Path
) -> None:
    asked = Asked(board, wait="me")
    assert halted.reached.acquire(timeout=10)
    (file,) = tmp_path.rglob("*.xplane.pb")
    os.utime(file, ns=(1, 1))

    assert board.json("progress", **PLACE)["phase"] == "reading"
    assert board.json("stop", **PLACE, wait="me") == {"outcome": "stopped"}
    assert asked.answer()[0] == 409


def test_stopping_one_host_leaves_the_other(tmp_path: Path, halted: Halted) -> None:
    for host in ("host0", "host1"):
        write_session(tmp_path, "s", leaking_capture(), host=host)
    board = Board(tmp_path)
    asked = Asked(board, wait="me")
    assert halted.reached.acquire(timeout=10)

    told = board.json("stop", session="s", host="host1", wait="me")
    assert told == {"outcome": "nothing_under_way"}

    halted.go_on.set()
    assert asked.answer()[0] == 200


def test_a_verdict_does_not_wait_for_programs(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = board.json("report", **PLACE)["sessions"][0]["hosts"][0]
    monkeypatch.setattr("tensorboard_memleak.service.report._beside", lambda *_: 1 / 0)

    (session,) = board.json("report", **PLACE, parts="memories")["sessions"]

    (host,) = session["hosts"]
    assert (host["verdict"], host["memories"]) == (full["verdict"], full["memories"])
    assert (host["modules"], host["snapshots"]) == ([], [])
    assert board.error("report", **PLACE) == (500, "internal")


def test_parts_of_a_report_are_named(board: Board) -> None:
    assert board.error("report", **PLACE, parts="some") == (400, "bad_request")


def test_who_stops_the_programs_gets_what_needs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole report ends with them, and starts nothing anew; sites keep their own names."""
    write_session(tmp_path, "s", leaking_capture(kept_op=""))
    board = Board(tmp_path)
    reached, readings = threading.Semaphore(0), []

    def halt(trace: HostTrace, diagnosis: object, files: object, progress: Progress) -> None:
        readings.append(trace.host)
        told = progress.begin("programs", 10)
        reached.release()
        while True:
            told(3)

    monkeypatch.setattr("tensorboard_memleak.service.finder.read_host_programs", halt)
    asked = Asked(board, wait="me")
    assert reached.acquire(timeout=10)
    assert board.json("progress", **PLACE) == {"phase": "programs", "done": 3, "total": 10}

    board.json("stop", **PLACE, wait="me")

    status, body = asked.answer()
    assert (status, body["error"]["code"]) == (409, "stopped")
    assert readings == ["host0"]

    sites: list[TestResponse] = []
    place = {**PLACE, "memory": MEMORY, "wait": "me"}
    asking = threading.Thread(target=lambda: sites.append(board.get("sites", **place)))
    asking.start()
    assert reached.acquire(timeout=10)
    board.json("stop", **PLACE, wait="me")
    asking.join(10)
    assert [one.status_code for one in sites] == [200]
    # It lacks the names that programs give: another time they may be read, with no file changed.
    assert "ETag" not in sites[0].headers


def test_how_far_a_reading_is_is_never_kept(board: Board) -> None:
    for route in ("progress", "stop"):
        answer = board.get(route, **PLACE, wait="me")
        assert answer.headers["Cache-Control"] == "no-store"
        assert "ETag" not in answer.headers
