"""The views of a moment, a stretch of time and single blocks, with the numbers of a known story."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.contract.board import MEMORY, Board
from tests.histories import KEPT_BYTES, PASSING_BYTES, leaking_capture, write_session

PLACE = {"session": "s", "host": "host0", "memory": MEMORY}
STEPS = 12


@pytest.fixture
def board(tmp_path: Path) -> Board:
    write_session(tmp_path, "s", leaking_capture(STEPS))
    return Board(tmp_path)


def test_the_peak_is_complete_across_steps(board: Board) -> None:
    peak = board.json("live", **PLACE)

    assert peak["bytes"] == STEPS * KEPT_BYTES + PASSING_BYTES
    assert peak["step"] == STEPS - 1
    assert peak["columns"]["bytes"] == [STEPS * KEPT_BYTES, PASSING_BYTES]
    assert peak["columns"]["blocks"] == [STEPS, 1]
    assert peak["columns"]["oldest_step"] == [0, STEPS - 1]
    assert peak["columns"]["age_steps"] == [STEPS - 1, 0]
    assert peak["baseline"]["bytes"] == 0


def test_an_earlier_moment_holds_what_was_kept_until_then(board: Board) -> None:
    third = board.json("live", **PLACE, at_step=2)

    assert third["columns"]["blocks"] == [3]
    assert third["bytes"] == 3 * KEPT_BYTES


def test_holes_are_named_with_who_holds_the_space_around(board: Board) -> None:
    end = board.json("live", **PLACE, at_step=STEPS - 1)

    assert end["holes"]["columns"] == {
        "address": ["0x8000"],
        "bytes": [PASSING_BYTES],
        "below_site": [-1],
        "above_site": [-1],
    }
    assert end["largest_free"]["seen_bytes"] == PASSING_BYTES


def test_a_range_and_what_survives_it(board: Board) -> None:
    whole = board.json("range", **PLACE)

    assert whole["totals"]["born_blocks"] == 2 * STEPS
    assert whole["totals"]["freed_blocks"] == STEPS
    assert whole["totals"]["survived_bytes"] == STEPS * KEPT_BYTES
    assert whole["columns"]["survived_blocks"] == [STEPS, 0]


@pytest.mark.parametrize(
    ("size", "answer"),
    [(PASSING_BYTES, "yes"), (PASSING_BYTES + 1, "if_pool_grows"), (2**40, "no")],
    ids=["a seen hole", "more than is seen", "more than is free"],
)
def test_whether_a_request_would_fit(board: Board, size: int, answer: str) -> None:
    assert board.json("fit", **PLACE, bytes=size)["answer"] == answer


def test_the_block_map_leads_to_each_block(board: Board) -> None:
    drawn = board.json("blockmap", **PLACE, width=4000, height=4000)
    (last,) = {drawn["columns"]["block"][-1]}
    block = board.json("block", **PLACE, block=last)

    assert (drawn["blocks"], drawn["rects"], drawn["merged"]) == (2 * STEPS, 2 * STEPS, False)
    assert block["end"] == drawn["columns"]["end"][-1] == "survived"
    assert block["site"]["op"] == "MatMul"
    assert block["born_step"] == STEPS - 1


def test_steps_run_in_a_lane(board: Board) -> None:
    steps, events = board.json("lanes", session="s", host="host0")["lanes"]

    assert (steps["kind"], steps["thread"], steps["spans"]) == ("steps", "python", STEPS)
    assert steps["columns"]["number"] == [str(step) for step in range(STEPS)]
    assert (events["kind"], events["level"], events["thread"]) == ("events", 0, "python")
    assert events["columns"]["name"] == ["train"]


def test_spans_under_a_pixel_are_merged_and_counted(board: Board) -> None:
    lane = board.json("lanes", session="s", host="host0", pixels=1)["lanes"][0]

    assert lane["merged"] is True
    assert sum(lane["columns"]["count"]) == STEPS


@pytest.mark.parametrize(
    ("route", "wrong", "answer"),
    [
        ("live", {"at": "trough"}, (400, "bad_request")),
        ("live", {"at_step": 99}, (400, "bad_request")),
        ("range", {"start_ns": 5, "end_ns": 9, "then_ns": 7}, (400, "bad_request")),
        ("fit", {}, (400, "bad_request")),
        ("blockmap", {"low": 100, "high": 50}, (400, "bad_request")),
        ("block", {}, (400, "bad_request")),
        ("block", {"block": 999}, (404, "not_found")),
    ],
)
def test_wrong_requests_are_refused(
    board: Board, route: str, wrong: dict[str, object], answer: tuple[int, str]
) -> None:
    assert board.error(route, **PLACE, **wrong) == answer


def test_every_part_of_a_finding_has_evidence(tmp_path: Path) -> None:
    write_session(tmp_path, "two", leaking_capture(STEPS, kept_twice=True))
    board = Board(tmp_path)
    place = {**PLACE, "session": "two"}

    report = board.json("report", session="two")
    (finding,) = report["sessions"][0]["hosts"][0]["memories"][0]["findings"]

    assert [part["id"] for part in finding["parts"]] == ["f1.1", "f1.2"]
    for part in finding["parts"]:
        evidence = board.json("site", **place, finding=part["id"])
        assert evidence["site"]["op"] == part["site"]["op"]
        assert evidence["blocks"]["total"] == STEPS


def test_the_bytes_of_a_finding_are_the_history_of_its_site(board: Board) -> None:
    live = board.json("site", **PLACE, finding="f1")["live"]

    assert live["bytes"] == [KEPT_BYTES * (step + 1) for step in range(STEPS)]


def test_the_address_space_at_a_moment_is_told_from_end_to_end(board: Board) -> None:
    third = board.json("addresses", **PLACE, at_ns=board.json("live", **PLACE, at_step=2)["at_ns"])

    columns = third["columns"]
    assert third["blocks"] == 3
    assert third["used_bytes"] == 3 * KEPT_BYTES
    assert sum(columns["size_bytes"]) == third["length_bytes"]
    assert columns["use"].count("in_use") == 3
    assert columns["use"][0] == "free"
    assert columns["block"][0] is None
    assert columns["end"][1:4] == ["survived"] * 3
    assert columns["born_step"][1:4] == [0, 1, 2]
    assert not third["merged"]


def test_neighbours_under_a_pixel_are_merged_and_told(board: Board) -> None:
    whole = board.json("addresses", **PLACE)
    merged = board.json("addresses", **PLACE, pixels=1)

    assert merged["merged"]
    assert len(merged["columns"]["offset"]) < len(whole["columns"]["offset"])
    assert merged["pieces"] == whole["pieces"]
    assert merged["used_bytes"] == whole["used_bytes"]
    assert sum(merged["columns"]["count"]) == whole["blocks"]
    assert sum(merged["columns"]["size_bytes"]) == whole["length_bytes"]


def test_what_each_step_hands_on_is_told_for_a_site_and_its_finding(board: Board) -> None:
    handed = [KEPT_BYTES * (step + 1) for step in range(STEPS)]

    for asked in ({"site": 0}, {"finding": "f1"}):
        told = board.json("site", **PLACE, **asked)
        assert told["handed_on"]["bytes"] == handed
        assert told["handed_on"]["blocks"] == list(range(1, STEPS + 1))
        assert len(told["survivors_by_step"]["number"]) == STEPS
