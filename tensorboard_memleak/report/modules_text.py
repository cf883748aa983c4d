"""The compiled programs of some hosts as a page for the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.analysis.wording import bytes_text, count_text, grouped
from tensorboard_memleak.report.finding_text import write_findings
from tensorboard_memleak.report.memory import steps_payload
from tensorboard_memleak.report.page import Page, name
from tensorboard_memleak.report.plain import columns_of, cut_middle, neutral
from tensorboard_memleak.report.style import Style
from tensorboard_memleak.report.types import HostModulesPayload, ModuleRowPayload

MOST_ROWS: Final = 40
_COLUMNS: Final = (
    *("peak", "parameters", "outputs", "temporary", "donated", "could donate", "compiled", "runs"),
)
_WIDTHS: Final = tuple(max(9, len(column) + 1) for column in _COLUMNS)
_NO_STEPS: Final = steps_payload(None)


def modules_text(
    hosts: Sequence[HostModulesPayload], width: int, style: Style | None = None
) -> str:
    """Return the page: a table of each host's programs, then what was found in them."""
    page = Page(width, style or Style())
    for host in hosts:
        page.blank()
        _write_host(page, host)
    return page.finished()


def _write_host(page: Page, host: HostModulesPayload) -> None:
    place = "/".join(part for part in (host["run"], host["session"]) if part)
    page.text(f"{name(place)} · {name(host['host'])}", paint=page.style.bold)
    rows = host["modules"]
    page.line(count_text(len(rows), "program"))
    if rows:
        room = max(16, page.width - sum(_WIDTHS))
        _write_row(page, "", _COLUMNS, room)
        for row in rows[:MOST_ROWS]:
            _write_row(page, f"{row['name']} ({row['program_id']})", _cells(row), room)
    more = len(rows) - MOST_ROWS
    if more > 0:
        page.line(f"and {count_text(more, 'smaller program')}; --format json has them all")
    for row in rows:
        if row["findings"]:
            page.blank()
            page.line(f"{name(row['name'])} ({row['program_id']})", paint=page.style.bold)
            write_findings(page, row["findings"], _NO_STEPS)
    page.blank()
    for warning in host["warnings"]:
        page.text(warning["message"], 2, "! ", paint_label=page.style.warning)
        page.text(warning["hint"], 4, paint=page.style.faint)


def _cells(row: ModuleRowPayload) -> tuple[str, ...]:
    peak, runs = row["peak_bytes"], row["runs"]
    return (
        "unknown" if peak is None else bytes_text(peak),
        bytes_text(row["parameter_bytes"]),
        bytes_text(row["output_bytes"]),
        bytes_text(row["temporary_bytes"]),
        _some(row["aliased_bytes"]),
        _some(row["donatable_bytes"]),
        f"{grouped(row['compilations'])}x",
        "unknown" if runs is None else grouped(runs),
    )


def _some(size_bytes: int) -> str:
    return bytes_text(size_bytes) if size_bytes else "-"


def _write_row(page: Page, title: str, cells: Sequence[str], room: int) -> None:
    shown = cut_middle(neutral(title), room)
    gap = " " * (room - columns_of(shown))
    page.line(shown + gap + "".join(map(str.rjust, cells, _WIDTHS)))
