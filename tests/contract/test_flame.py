"""The tree of frames over HTTP, with the numbers of a known story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.board import MEMORY, Board
from tests.histories import KEPT_BYTES, PASSING_BYTES, leaking_capture, write_session

PLACE = {"session": "s", "host": "host0", "memory": MEMORY}
STEPS = 12
AFTER_THREE_STEPS_NS = 3_000_000


@pytest.fixture
def board(tmp_path: Path) -> Board:
    write_session(tmp_path, "s", leaking_capture(STEPS))
    return Board(tmp_path)


def test_survivors_by_stack(board: Board) -> None:
    tree = board.json("flame", **PLACE)

    assert (tree["of"], tree["by"], tree["ranked_by"]) == ("survivors", "stack", "bytes")
    assert (tree["at_ns"], tree["baseline_bytes"]) == (None, 0)
    assert (tree["nodes"], tree["left_out"]) == (4, 0)
    assert tree["frames"] == ["", "train", "step", "MatMul"]
    assert tree["columns"]["frame"] == [0, 1, 2, 3]
    assert tree["columns"]["parent"] == [None, 0, 1, 2]
    assert tree["columns"]["site"] == [None, None, None, 0]
    assert tree["columns"]["blocks"] == [STEPS] * 4
    assert tree["columns"]["bytes"] == [STEPS * KEPT_BYTES] * 4


def test_what_is_live_at_a_moment(board: Board) -> None:
    tree = board.json("flame", **PLACE, of="live", by="op", at_ns=AFTER_THREE_STEPS_NS)

    assert tree["at_ns"] == AFTER_THREE_STEPS_NS
    assert tree["frames"] == ["", "MatMul"]
    assert tree["columns"]["bytes"] == [3 * KEPT_BYTES] * 2


def test_without_a_moment_what_is_live_at_the_peak(board: Board) -> None:
    tree = board.json("flame", **PLACE, of="live", by="op")

    assert tree["at_ns"] == board.json("live", **PLACE)["at_ns"]
    assert tree["columns"]["bytes"][0] == STEPS * KEPT_BYTES + PASSING_BYTES


def test_all_that_was_allocated_and_how_long_it_lasted(board: Board) -> None:
    allocated = board.json("flame", **PLACE, of="allocated", by="op")
    lasting = board.json("flame", **PLACE, of="byte_seconds", by="op")
    sites = board.json("sites", **PLACE)["columns"]

    assert allocated["columns"]["bytes"][0] == STEPS * (KEPT_BYTES + PASSING_BYTES)
    assert allocated["baseline_bytes"] is None
    assert lasting["ranked_by"] == "byte_seconds"
    assert lasting["frames"] == ["", "MatMul", "Tmp"]
    assert lasting["columns"]["byte_seconds"][1:] == sites["byte_seconds"]


def test_by_module_says_why_there_is_none(board: Board) -> None:
    tree = board.json("flame", **PLACE, by="module")

    assert tree["frames"] == ["", "no compiled module", "MatMul"]
    assert tree["note"].startswith("The profile tells of no run of a compiled program")


def test_what_is_below_one_frame(board: Board) -> None:
    tree = board.json("flame", **PLACE, of="allocated", by="op", frame='["Tmp"]')

    assert tree["frames"] == ["", "Tmp"]
    assert tree["columns"]["bytes"] == [
        STEPS * (KEPT_BYTES + PASSING_BYTES),
        STEPS * PASSING_BYTES,
    ]
    assert tree["left_out"] == 0
    assert board.error("flame", **PLACE, frame='["gone"]') == (404, "not_found")


@pytest.mark.parametrize(
    "wrong",
    [{"frame": "train"}, {"frame": "[1]"}, {"of": "leaked"}, {"by": "thread"}, {"at_ns": "now"}],
)
def test_wrong_requests_are_refused(board: Board, wrong: dict[str, str]) -> None:
    assert board.error("flame", **PLACE, **wrong) == (400, "bad_request")
