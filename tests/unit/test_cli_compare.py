from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorboard_memleak.cli import main as memleak
from tests.histories import leaking_capture, write_session
from tests.unit.report.example import empty_capture

LEAKY, CLEAN, SHORT = leaking_capture(), leaking_capture(leaks=False), leaking_capture(2)
BROKEN = LEAKY[:-50]


def compare(tmp_path: Path, before: bytes, after: bytes, *options: str) -> int:
    write_session(tmp_path / "old", "s", before)
    write_session(tmp_path / "new", "s", after)
    return memleak(["compare", str(tmp_path / "old"), str(tmp_path / "new"), *options])


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (LEAKY, CLEAN, 0),
        (CLEAN, CLEAN, 0),
        (LEAKY, leaking_capture(20), 0),
        (CLEAN, LEAKY, 1),
        (LEAKY, BROKEN, 2),
        (BROKEN, CLEAN, 2),
        (LEAKY, SHORT, 3),
        (SHORT, CLEAN, 3),
        (LEAKY, empty_capture(), 3),
        (empty_capture(), empty_capture(), 3),
    ],
)
def test_the_status_says_whether_it_leaks_more(
    tmp_path: Path, before: bytes, after: bytes, status: int
) -> None:
    assert compare(tmp_path, before, after) == status


def test_text_answers_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(tmp_path, LEAKY, CLEAN) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert [" ".join(line.split()) for line in out.splitlines() if line][2:] == [
        "■ The leak is gone: host0 · GPU_0_bfc",
        "1 KiB a step leaked before, nothing does now. 93 % sure.",
        "before after",
        "bytes a step 1 KiB 0 B",
        "steps 12 12",
        "still in use at the end 12 KiB 0 B",
        "peak 12.5 KiB 1.5 KiB",
        "bytes a step by site",
        "MatMul [256] float32 1 KiB 0 B gone",
    ]


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_confidential_comparison_holds_no_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    assert compare(tmp_path, LEAKY, CLEAN, "--confidential", "--format", form) == 0
    captured = capsys.readouterr()
    for name in ("MatMul", "GPU_0_bfc", "host0", str(tmp_path)):
        assert name not in captured.out + captured.err
    assert "op-1" in captured.out
    assert "path-1" in captured.out


def test_a_site_that_is_not_there_has_no_rate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(tmp_path, LEAKY, leaking_capture(kept_op="Softmax")) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["MatMul", "[256]", "float32", "1", "KiB", "-", "absent"] in rows
    assert ["Softmax", "[256]", "float32", "-", "1", "KiB", "new"] in rows


def test_json_is_the_whole_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert compare(tmp_path, CLEAN, LEAKY, "--format", "json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["outcome"] == "new_leak"
    (memory,) = found["memories"]
    assert memory["after"]["bytes_per_step"] == 1024
    assert found["after"] == {"path": str(tmp_path / "new"), "session": "s"}


def test_two_sessions_of_one_logdir(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_session(tmp_path, "monday", LEAKY)
    write_session(tmp_path, "tuesday", CLEAN)
    path = str(tmp_path)
    sessions = ["--before-session", "tuesday", "--after-session", "monday"]
    assert memleak(["compare", path, path, *sessions]) == 1
    assert "A leak has come in" in capsys.readouterr().out
    assert memleak(["compare", path, path, "--before-session", "friday"]) == 2
    assert "no profile session friday" in capsys.readouterr().err


def test_files_and_session_folders_will_do(tmp_path: Path) -> None:
    before = write_session(tmp_path / "old", "s", LEAKY)
    after = write_session(tmp_path / "new", "s", CLEAN)
    assert memleak(["compare", str(before), str(after)]) == 0
    assert memleak(["compare", str(before.parent), str(after.parent)]) == 0
    assert memleak(["compare", str(tmp_path / "none"), str(after)]) == 2


def test_what_only_one_side_has_leaves_it_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_session(tmp_path / "old", "s", CLEAN, "host1")
    write_session(tmp_path / "new", "s", CLEAN, "host1")
    assert compare(tmp_path, CLEAN, CLEAN) == 0
    write_session(tmp_path / "new", "s", LEAKY, "host2")
    assert compare(tmp_path, CLEAN, CLEAN) == 3
    assert "host2 · GPU_0_bfc is only after: LEAK." in capsys.readouterr().out
    assert compare(tmp_path, CLEAN, CLEAN, "--host", "host1") == 0


def test_names_cannot_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare(tmp_path, leaking_capture(kept_op="\x1b[31mred"), CLEAN) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31mred" in out
