from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tensorboard_memleak.cli import progress_line
from tensorboard_memleak.cli.main import main
from tensorboard_memleak.cli.progress_line import ProgressLine, standing_text
from tensorboard_memleak.progress import Progress, Standing
from tests.histories import leaking_capture, write_session

GIB = 2**30


@pytest.mark.parametrize(
    ("standing", "text"),
    [
        (Standing("host0", "reading", 1395864371, 2 * GIB), "Reading host0: 64 % of 2 GiB"),
        (Standing("host0", "reading", 2 * GIB - 1, 2 * GIB), "Reading host0: 99 % of 2 GiB"),
        (Standing("host0", "fetching", 0, GIB), "Fetching host0: 0 % of 1 GiB"),
        (Standing("host0", "analysing", 1, 2), "Analysing host0: 1 of 2"),
        (Standing("host0", "programs", 12, 1400), "Reading the programs of host0: 12 of 1,400"),
        (Standing("host0", "naming"), "Naming the sites of host0"),
        (Standing("ho\x1b[2Jst", "waiting"), r"Reading ho\x1b[2Jst"),
    ],
)
def test_words(standing: Standing, text: str) -> None:
    assert standing_text(standing) == text


def drawn(times_s: Iterable[float]) -> list[str]:
    """What is written when a reading of 100 bytes tells one more at each of these times."""
    clock = iter(times_s)
    stream = io.StringIO()
    progress = Progress("host0", ProgressLine(stream, lambda: next(clock)))
    told = progress.begin("reading", 100)
    for done in range(1, len(list(times_s))):
        told(done)
    progress.end()
    return [part.removesuffix("\x1b[K") for part in stream.getvalue().split("\r")[1:]]


def test_a_short_reading_writes_nothing() -> None:
    assert drawn([0.0, 0.2, 0.49]) == []


def test_a_long_one_is_told_of_now_and_then_and_leaves_nothing() -> None:
    assert drawn([0.0, 0.25, 0.5, 0.5625, 0.625, 0.6875, 0.75]) == [
        "Reading host0: 2 % of 100 B",
        "Reading host0: 4 % of 100 B",
        "Reading host0: 6 % of 100 B",
        "",
    ]


def test_it_keeps_to_one_row_and_to_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "13")
    assert drawn([0.0, 1.0]) == ["Readin…100 B", ""]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_only_a_terminal_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_session(tmp_path, "s", leaking_capture())
    monkeypatch.setattr(progress_line, "_PATIENCE_S", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    heard = {}
    for stream in (Terminal(), io.StringIO()):
        monkeypatch.setattr(sys, "stderr", stream)
        assert main(["check", str(tmp_path)]) == 1
        heard[type(stream)] = stream.getvalue()

    assert "Fetching host0" in heard[Terminal]
    assert heard[Terminal].endswith("\r\x1b[K")
    assert heard[io.StringIO] == ""


def test_a_terminal_that_cannot_redraw_is_spared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "dumb")
    assert progress_line.progress_line() is None
