"""Two sessions compared over HTTP, with the numbers of a known story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.board import MEMORY, Board
from tests.histories import KEPT_BYTES, PASSING_BYTES, leaking_capture, write_session

NOW = {"session": "now", "host": "host0", "memory": MEMORY}


@pytest.fixture
def board(tmp_path: Path) -> Board:
    write_session(tmp_path, "before", leaking_capture(12))
    write_session(tmp_path, "now", leaking_capture(20, leaks=False))
    write_session(tmp_path, "far", leaking_capture(12), host="hostA")
    write_session(tmp_path, "far", leaking_capture(12), host="hostB")
    return Board(tmp_path)


def test_the_fix_worked(board: Board) -> None:
    found = board.json("compare", **NOW, other_session="before")

    assert found["outcome"] == "fixed"
    assert found["reason"] == "1 KiB a step leaked before, nothing does now."
    assert found["notes"] == []
    before, after = found["before"], found["after"]
    assert (before["session"], after["session"]) == ("before", "now")
    assert (before["verdict"], after["verdict"]) == ("leak", "no_leak")
    assert found["confidence"] == min(before["confidence"], after["confidence"])
    assert (before["bytes_per_step"], after["bytes_per_step"]) == (KEPT_BYTES, 0)
    assert (before["steps"]["count"], after["steps"]["count"]) == (12, 20)
    assert before["totals"]["survivor_bytes"] == 12 * KEPT_BYTES


def test_sites_stand_side_by_side(board: Board) -> None:
    columns = board.json("compare", **NOW, other_session="before")["columns"]

    assert columns["op"] == ["MatMul", "Tmp"]
    assert columns["matched_by"] == ["all", "all"]
    assert columns["change"] == ["gone", None]
    assert columns["before_sites"] == columns["after_sites"] == [[0], [1]]
    assert columns["before_bytes_per_step"] == [KEPT_BYTES, 0]
    assert columns["before_rate_low_bytes"] == columns["before_rate_high_bytes"] == [KEPT_BYTES, 0]
    assert columns["after_bytes_per_step"] == [0, 0]
    assert columns["before_live_blocks"] == [12, 0]
    assert columns["before_live_bytes"] == [12 * KEPT_BYTES, 0]
    assert columns["after_live_bytes"] == [0, 0]
    assert columns["after_allocated_bytes_per_step"] == [KEPT_BYTES, PASSING_BYTES]


def test_the_other_way_round_it_is_a_new_leak(board: Board) -> None:
    found = board.json("compare", **{**NOW, "session": "before"}, other_session="now")

    assert found["outcome"] == "new_leak"
    assert found["columns"]["change"] == ["new", None]


def test_a_host_that_cannot_be_guessed_must_be_named(board: Board) -> None:
    assert board.error("compare", **NOW, other_session="far") == (400, "bad_request")
    assert board.json("compare", **NOW, other_session="far", other_host="hostB")["before"][
        "host"
    ] == ("hostB")


@pytest.mark.parametrize(
    ("wrong", "answer"),
    [
        ({}, (400, "bad_request")),
        ({"other_session": "never"}, (404, "not_found")),
        ({"other_session": "before", "other_host": "nobody"}, (404, "not_found")),
        ({"other_session": "before", "other_memory": "GPU_9_bfc"}, (404, "not_found")),
    ],
)
def test_wrong_requests_are_refused(
    board: Board, wrong: dict[str, str], answer: tuple[int, str]
) -> None:
    assert board.error("compare", **NOW, **wrong) == answer
