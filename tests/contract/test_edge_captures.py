"""The shared captures of one oddity each, through TensorBoard: what a person is told of each."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.board import MEMORY, Board
from tests.shared_data import needs_shared_data, shared

pytestmark = needs_shared_data

LEAKS = {
    "basic": ("MatMul", 6, 6 * 1024, 1024),
    "bfc_round": ("MatMul", 6, 523264, 65792),
    "longname": ("модель/слой_1/матмул", 6, 6 * 1024, 1024),
    "numbered": ("adam/sequential_dense_kernel_momentum/Initializer/zeros", 6, 6 * 4096, 4096),
    "ref": ("MatMul", 6, 6 * 1024, 1024),
    "tiny": ("MatMul", 6, 6 * 4, 4),
    "xss": ("<img src=x onerror=alert(1)>&\"'`", 6, 6 * 1024, 1024),
}
"""Begin of the op's name, blocks, bytes and bytes a step of the one finding that is growth."""

UNREADABLE = {
    "zero": "is empty",
    "cut": "is cut short",
    "utf8": "was re-encoded as UTF-8",
    "gzmis": "is gzip-compressed",
}


@pytest.fixture(scope="module")
def board() -> Board:
    return Board(shared("edge"))


def host_of(board: Board, name: str) -> Any:
    (session,) = board.json("report", session=f"{name}/r1")["sessions"]
    (host,) = session["hosts"]
    return host


def test_every_session_is_listed_as_xprof_lists_runs(board: Board) -> None:
    listed = {one["id"] for one in board.json("sessions")["sessions"]}

    assert {f"{name}/r1" for name in (*LEAKS, *UNREADABLE)} <= listed
    assert {"trainval/train/r1", "trainval/validation/r1"} <= listed
    assert "gz/r1" not in listed


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_is_named_with_its_bytes(board: Board, name: str) -> None:
    op, blocks, size, rate = LEAKS[name]

    (memory,) = host_of(board, name)["memories"]
    (growth,) = (one for one in memory["findings"] if one["kind"] == "growth")

    assert memory["verdict"] == "leak"
    assert growth["site"]["op"].startswith(op)
    assert (growth["blocks"], growth["bytes"], growth["bytes_per_step"]) == (blocks, size, rate)


def test_a_temporary_is_no_finding(board: Board) -> None:
    (memory,) = host_of(board, "basic")["memories"]

    assert [one["site"]["op"] for one in memory["findings"]] == ["MatMul"]


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_named(board: Board, name: str) -> None:
    host = host_of(board, name)
    (warning,) = host["warnings"]

    assert (host["verdict"], host["memories"]) == (None, [])
    assert f"vm.xplane.pb {UNREADABLE[name]}" in warning["message"]
    assert warning["hint"]


def test_no_step_markers_still_lists_what_lives_and_doubts_the_rate(board: Board) -> None:
    (memory,) = host_of(board, "nosteps")["memories"]

    assert memory["verdict"] == "inconclusive"
    assert (memory["findings"][0]["site"]["op"], memory["findings"][0]["blocks"]) == ("MatMul", 6)
    assert "step" in memory["reason"]


def test_a_cache_that_fills_is_no_leak(board: Board) -> None:
    (memory,) = host_of(board, "plateau")["memories"]

    assert memory["verdict"] == "no_leak"
    assert [(one["kind"], one["blocks"]) for one in memory["findings"]] == [("bounded", 4)]


def test_the_form_of_tpus_leaves_nothing_alive_and_no_name(board: Board) -> None:
    memories = host_of(board, "tpu")["memories"]
    assert {one["memory_id"]: one["totals"]["survivor_blocks"] for one in memories} == {
        "0": 0,
        "1": 0,
    }

    columns = board.json("sites", session="tpu/r1", host="vm", memory="0")["columns"]

    assert "dummy" not in columns["op"]
    assert "op" not in columns["source"]


def test_no_memory_events_says_what_to_capture(board: Board) -> None:
    host = host_of(board, "empty_space")

    assert host["verdict"] == "no_events"
    assert [one["code"] for one in host["warnings"]] == ["no_memory_events"]
    assert "TF_CPU_ALLOCATOR_USE_BFC" in host["warnings"][0]["hint"]


def test_each_host_has_its_own_findings(board: Board) -> None:
    (session,) = board.json("report", session="hosts/r1")["sessions"]
    rates = {
        host["host"]: host["memories"][0]["findings"][0]["bytes_per_step"]
        for host in session["hosts"]
    }

    assert rates == {
        "34.83.195.179_6003": 1018,
        "_": 1001,
        "a b#c%d+e": 1009,
        "host-0": 1006,
        "host-1": 1006,
        "t1v-n-9bfa07b4-w-0": 1018,
    }


def test_odd_names_of_hosts_work_in_addresses(board: Board) -> None:
    answer = board.json("sites", session="hosts/r1", host="a b#c%d+e", memory=MEMORY)

    assert answer["columns"]["survivors"][0] == 6


def test_lines_with_their_own_time_do_not_fall_into_steps_before_them(board: Board) -> None:
    place = {"session": "line_ts/r1", "host": "vm", "memory": MEMORY}

    evidence = board.json("site", **place, site=0)

    assert evidence["blocks"]["columns"]["born_ns"][0] == 5_010_000
    assert evidence["survivors_by_step"]["blocks"][:5] == [0, 0, 0, 0, 0]


def test_strays_and_copies_are_told_with_what_to_do(board: Board) -> None:
    warnings = {one["code"]: one for one in board.json("sessions")["warnings"]}

    assert set(warnings) == {"stray_profile", "compressed_profile"}
    assert "no_plugins_dir/r1/vm.xplane.pb" in warnings["stray_profile"]["message"]
    assert "plugins/profile/<session>/" in warnings["stray_profile"]["hint"]
    assert "gz/plugins/profile/r1/vm.xplane.pb.gz" in warnings["compressed_profile"]["message"]
