"""Answers are sent once and asked about after: 304 while nothing changed, never a stale one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tensorboard_memleak.service import report, timeline
from tests.contract.board import MEMORY, Board
from tests.histories import leaking_capture, write_session

ID = "s"
PLACE = {"session": ID, "host": "host0", "memory": MEMORY}
ABOUT_A_MEMORY = ["timeline", "live", "range", "blockmap", "lanes", "flame", "sites", "report"]


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    folder = tmp_path / "logdir"
    write_session(folder, ID, leaking_capture())
    return folder


@pytest.fixture
def board(logdir: Path) -> Board:
    return Board(logdir)


def trace_of(logdir: Path) -> Path:
    return logdir / "plugins" / "profile" / ID / "host0.xplane.pb"


def ask(board: Board, route: str, held: TestResponse | None = None, **params: Any) -> TestResponse:
    headers = {"If-None-Match": held.headers["ETag"]} if held else {}
    url = f"/data/plugin/leak_finder/{route}"
    return board.client.get(url, query_string=params, headers=headers)


@pytest.mark.parametrize("route", [*ABOUT_A_MEMORY, "modules", "snapshots"])
def test_what_has_not_changed_is_not_sent_again(board: Board, route: str) -> None:
    held = ask(board, route, **PLACE)
    again = ask(board, route, held, **PLACE)

    assert (held.status_code, again.status_code) == (200, 304)
    assert again.get_data() == b""
    assert again.headers["ETag"] == held.headers["ETag"]
    assert again.headers["Content-Type"] == "application/json"
    assert again.headers["X-Content-Type-Options"] == "nosniff"
    for answer in (held, again):
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Vary"] == "Accept-Encoding"


def test_it_is_not_even_made(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    held = [ask(board, route, **PLACE) for route in ("report", "timeline")]

    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("an unchanged answer was made again")

    monkeypatch.setattr(report, "session_report", refuse)
    monkeypatch.setattr(timeline, "memory_over_time", refuse)

    assert ask(board, "report", held[0], **PLACE).status_code == 304
    assert ask(board, "timeline", held[1], **PLACE).status_code == 304
    assert ask(board, "timeline", **PLACE).status_code == 500  # the patch bites


def test_other_questions_have_other_tags(board: Board) -> None:
    questions: list[tuple[str, dict[str, Any]]] = [
        *((route, PLACE) for route in ABOUT_A_MEMORY),
        ("timeline", {**PLACE, "pixels": 7}),
        ("timeline", {**PLACE, "end_ns": 7}),
    ]
    tags = [ask(board, route, **params).headers["ETag"] for route, params in questions]

    assert len(set(tags)) == len(tags)


@pytest.mark.parametrize("route", ABOUT_A_MEMORY)
def test_a_file_that_changed_is_told_anew(board: Board, logdir: Path, route: str) -> None:
    held = ask(board, route, **PLACE)
    trace_of(logdir).write_bytes(leaking_capture(steps=30))
    again = ask(board, route, held, **PLACE)

    assert again.status_code == 200
    assert again.get_data() != held.get_data()
    assert again.get_data() == ask(Board(logdir), route, **PLACE).get_data()


def test_a_file_rewritten_with_its_size_and_time_kept_is_another(
    board: Board, logdir: Path
) -> None:
    held = ask(board, "report", **PLACE)
    before = trace_of(logdir).stat()
    trace_of(logdir).write_bytes(leaking_capture())
    os.utime(trace_of(logdir), ns=(before.st_atime_ns, before.st_mtime_ns))

    assert ask(board, "report", held, **PLACE).status_code == 200


def test_the_other_side_of_a_comparison_counts(board: Board, logdir: Path) -> None:
    write_session(logdir, "before", leaking_capture())
    board.json("sessions")
    both = {**PLACE, "other_session": "before"}
    held = ask(board, "compare", **both)
    assert ask(board, "compare", held, **both).status_code == 304

    write_session(logdir, "before", leaking_capture(steps=30))
    assert ask(board, "compare", held, **both).status_code == 200


def test_a_file_beside_the_trace_counts_once_the_logdir_was_scanned(
    board: Board, logdir: Path
) -> None:
    held = ask(board, "report", **PLACE)
    trace_of(logdir).with_name("a.prof").write_bytes(b"no snapshot")
    board.json("sessions")

    assert ask(board, "report", held, **PLACE).status_code == 200


def test_the_configuration_counts(board: Board, logdir: Path) -> None:
    held = ask(board, "report", **PLACE)
    config = logdir.parent / ".memleak.toml"
    config.write_text('[[expected]]\nsite = "*"\n', "utf-8")
    changed = ask(board, "report", held, **PLACE)
    config.unlink()

    assert changed.status_code == 200
    assert changed.get_data() != held.get_data()
    assert ask(board, "report", held, **PLACE).status_code == 304


def test_the_first_of_a_name_that_stands_twice_counts(board: Board, logdir: Path) -> None:
    write_session(logdir, "t", leaking_capture())
    board.json("sessions")
    url = f"/data/plugin/leak_finder/report?session={ID}&session=t"
    held = board.client.get(url)
    trace_of(logdir).write_bytes(leaking_capture(steps=30))

    again = board.client.get(url, headers={"If-None-Match": held.headers["ETag"]})
    assert again.status_code == 200


def test_the_list_of_sessions_is_scanned_and_sent_only_if_it_changed(
    board: Board, logdir: Path
) -> None:
    held = ask(board, "sessions")
    assert ask(board, "sessions", held).status_code == 304
    write_session(logdir, "later", leaking_capture())
    again = ask(board, "sessions", held)

    assert again.status_code == 200
    assert len(again.get_json()["sessions"]) == 2


def test_other_content_of_the_same_size_and_time_is_sent(board: Board, logdir: Path) -> None:
    held = ask(board, "sites", **PLACE)
    file = trace_of(logdir)
    was, other = file.stat(), file.with_suffix(".new")
    op = held.get_json()["columns"]["op"][0]
    renamed = op.swapcase()
    other.write_bytes(file.read_bytes().replace(op.encode(), renamed.encode()))
    os.utime(other, ns=(was.st_atime_ns, was.st_mtime_ns))
    other.replace(file)

    again = ask(board, "sites", held, **PLACE)

    assert (file.stat().st_size, file.stat().st_mtime_ns) == (was.st_size, was.st_mtime_ns)
    assert again.status_code == 200
    assert renamed in again.get_json()["columns"]["op"]


def test_errors_are_not_kept(board: Board, logdir: Path) -> None:
    trace_of(logdir).write_bytes(b"\x0a\xff")
    answers = [ask(board, "timeline", **PLACE), ask(board, "report", session=ID)]

    assert [one.status_code for one in answers] == [422, 200]
    for one in answers:
        assert one.headers["Cache-Control"] == "no-store"
        assert "ETag" not in one.headers


def test_a_tensorboard_that_was_restarted_with_other_code_answers_anew(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = ask(board, "report", **PLACE)
    monkeypatch.setattr("tensorboard_memleak.service.identity._THIS_PROCESS", "another")

    assert ask(board, "report", held, **PLACE).status_code == 200


def test_the_pages_own_files_are_tagged(board: Board) -> None:
    routes = board.plugins[0].get_plugin_apps()
    chunk = next(path for path in routes if path.startswith("/chunks/")).lstrip("/")
    kept = {"index.js": "no-cache, must-revalidate", chunk: "private, max-age=31536000, immutable"}
    for name, cache_control in kept.items():
        held = ask(board, name)
        again = ask(board, name, held)
        assert (held.status_code, again.status_code) == (200, 304)
        assert again.get_data() == b""
        for one in (held, again):
            assert one.headers["Cache-Control"] == cache_control
            assert one.mimetype == "text/javascript"
