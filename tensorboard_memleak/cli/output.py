"""What is printed and where: results to stdout, complaints to stderr, colour to terminals alone."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys

from tensorboard_memleak.report.plain import neutral
from tensorboard_memleak.report.style import Style
from tensorboard_memleak.report.types import ReportPayload, WarningPayload

PIPE_COLUMNS = 100
WIDEST_COLUMNS = 120
"""Longer lines are hard to read, however wide the terminal."""


def print_text(text: str) -> None:
    """Print a result; a reader that stops reading, such as `head`, is no error."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without UTF-8
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes stdout once more on the way out, and would complain there.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def print_json(report: ReportPayload) -> None:
    """Print a report; ASCII alone, so that no name in it can act on a terminal."""
    print_text(json.dumps(report, indent=2, allow_nan=False) + "\n")


def complain(message: str, hint: str = "") -> None:
    """Say on stderr what is wrong and what to do."""
    text = neutral(" ".join(part for part in (message, hint) if part))
    print(f"memleak: {text}", file=sys.stderr)


def complain_about(warnings: list[WarningPayload], place: str = "") -> None:
    """Say warnings on stderr, with the place that they are about."""
    for warning in warnings:
        message = f"{place}: {warning['message']}" if place else warning["message"]
        complain(message, warning["hint"])


def style_of_stdout() -> Style:
    """Return colours for a terminal, unless NO_COLOR is set or it has none."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Style(coloured=sys.stdout.isatty() and not plain)


def columns_of_stdout() -> int:
    """Return the columns to write for."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return PIPE_COLUMNS
    return min(shutil.get_terminal_size((PIPE_COLUMNS, 24)).columns, WIDEST_COLUMNS)
