"""What is printed and where: results to stdout, complaints to stderr, colour to terminals alone."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from pathlib import Path

from tensorboard_memleak.catalog import format_of
from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.report.plain import neutral
from tensorboard_memleak.report.style import Style
from tensorboard_memleak.report.types import ReportPayload, WarningPayload

PIPE_COLUMNS = 100
WIDEST_COLUMNS = 120
"""Longer lines are hard to read, however wide the terminal."""


def print_text(text: str) -> None:
    """Print a result; raise `BadRequest` where nothing takes it, as on a full disk.

    A reader that stops reading, such as `head`, is no error.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without UTF-8
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up_stdout()
    except OSError as error:
        _give_up_stdout()
        raise BadRequest(
            f"The result cannot be written: {error.strerror}.", "Make room, or write elsewhere."
        ) from error


def _give_up_stdout() -> None:
    """Let go of what is left to write: Python would try again on the way out, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def json_text(payload: object) -> str:
    """Write JSON for programs and people; ASCII alone, so that no name can act on a terminal."""
    return json.dumps(payload, indent=2, allow_nan=False) + "\n"


def print_json(report: ReportPayload) -> None:
    """Print a report."""
    print_text(json_text(report))


def deliver(text: str, path: str | None) -> None:
    """Print a result, or write it to a file; raise `BadRequest` where that cannot be."""
    if path is None:
        print_text(text)
        return
    try:
        with Path(path).open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
    except OSError as error:
        raise BadRequest(
            f"{path} cannot be written: {error.strerror}.", "Name another file with -o."
        ) from error


def refuse_target(path: str | None, read_path: str, text_format: str) -> None:
    """Raise `BadRequest` where a result would overwrite a profile or flood a terminal."""
    if path is None:
        if text_format == "html" and sys.stdout.isatty():
            raise BadRequest("A page of HTML is nothing to read here.", "Name a file with -o.")
        return
    if format_of(Path(path).name) or Path(path).resolve() == Path(read_path).resolve():
        raise BadRequest(
            f"{path} has the name of a profile.", "Name a file such as leaks.html with -o."
        )


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
