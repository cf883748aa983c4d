"""One line on a terminal that says how far a long reading is, and is gone when it has ended."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import Final, TextIO

from tensorboard_memleak.analysis.wording import bytes_text
from tensorboard_memleak.progress import Phase, Standing
from tensorboard_memleak.report.plain import cut_middle, neutral

_PATIENCE_S: Final = 0.5
"""Nobody needs to be told of less; it counts from the first work of the command."""
_EVERY_S: Final = 0.1

_TO_START_OF_LINE: Final = "\r"
_CLEAR_TO_END: Final = "\x1b[K"

_WORDS: Final[dict[Phase, str]] = {
    "waiting": "Reading",
    "fetching": "Fetching",
    "reading": "Reading",
    "analysing": "Analysing",
    "programs": "Reading the programs of",
    "naming": "Naming the sites of",
    "snapshots": "Reading the snapshots of",
}


def progress_line() -> ProgressLine | None:
    """Return the line for standard error, `None` where that is no terminal that can redraw one."""
    if sys.stderr is None or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        return None
    return ProgressLine(sys.stderr)


class ProgressLine:
    """Listens to the work of one command, all in one thread."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._begun_s: float | None = None
        self._drawn_s = float("-inf")
        self._is_drawn = False

    def __call__(self, standing: Standing | None) -> None:
        """Draw the line anew, or take it away when the work has ended."""
        if standing is None:
            self._write("")
            return
        now_s = self._clock()
        if self._begun_s is None:
            self._begun_s = now_s
        if now_s - self._begun_s >= _PATIENCE_S and now_s - self._drawn_s >= _EVERY_S:
            self._drawn_s = now_s
            self._write(standing_text(standing))

    def _write(self, text: str) -> None:
        if not text and not self._is_drawn:
            return
        columns = shutil.get_terminal_size().columns - 1  # a full line would begin another
        self._stream.write(f"{_TO_START_OF_LINE}{cut_middle(text, columns)}{_CLEAR_TO_END}")
        self._stream.flush()
        self._is_drawn = bool(text)


def standing_text(standing: Standing) -> str:
    """Say what is being done, and how much of it is done where that is known."""
    what = f"{_WORDS[standing.phase]} {neutral(standing.what)}"
    if not standing.total:
        return what
    share = f"{100 * standing.done // standing.total} %"
    if standing.phase in ("fetching", "reading"):
        return f"{what}: {share} of {bytes_text(standing.total)}"
    return f"{what}: {standing.done:,} of {standing.total:,}"
