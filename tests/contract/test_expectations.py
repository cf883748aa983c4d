"""`.memleak.toml`: where it is found, what it does, and that a broken one loses nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak.cli import main
from tests.contract.board import MEMORY, Board
from tests.histories import leaking_capture, write_session

EXPECTED = '[[expected]]\nsite = "MatMul"\nreason = "on purpose"\n'


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    write_session(tmp_path / "logs", "s", leaking_capture())
    return tmp_path / "logs"


def memory_of(report: Any) -> Any:
    (memory,) = report["sessions"][0]["hosts"][0]["memories"]
    assert memory["memory_id"] == MEMORY
    return memory


def test_a_file_beside_the_logdir_applies_at_once(logdir: Path) -> None:
    board = Board(logdir)
    assert memory_of(board.json("report", session="s"))["verdict"] == "leak"

    config = logdir.parent / ".memleak.toml"
    config.write_text(EXPECTED)
    report = board.json("report", session="s")

    assert report["config"] == str(config)
    assert memory_of(report)["verdict"] == "no_leak"
    assert [one["expected"] for one in memory_of(report)["findings"]] == ["on purpose"]


def test_a_broken_file_is_told_and_loses_no_finding(logdir: Path) -> None:
    (logdir.parent / ".memleak.toml").write_text("[[expected]]\nsit = 'MatMul'\n")

    report = Board(logdir).json("report", session="s")

    assert memory_of(report)["verdict"] == "leak"
    assert [one["code"] for one in report["warnings"]] == ["bad_config"]


def test_the_gate_passes_what_is_expected(
    logdir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "mine.toml"
    assert main(["check", str(logdir)]) == 1

    config.write_text(EXPECTED)
    assert main(["check", str(logdir), "--config", str(config)]) == 0

    config.write_text("nonsense")
    assert main(["check", str(logdir), "--config", str(config)]) == 2
    assert str(config) in capsys.readouterr().err
