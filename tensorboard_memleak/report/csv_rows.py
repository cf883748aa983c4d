"""Findings as CSV (RFC 4180), one row a finding or part of one, for spreadsheets.

A spreadsheet takes a cell that begins like a formula for one and may act on it. Names of a profile
are hostile text: such a cell gets an apostrophe before it, as spreadsheets themselves do.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Final

from tensorboard_memleak.analysis.frames import own_frames
from tensorboard_memleak.report.beside import found_beside
from tensorboard_memleak.report.plain import neutral
from tensorboard_memleak.report.types import (
    FindingPayload,
    HostPayload,
    ReportPayload,
    SessionPayload,
)

COLUMNS: Final = (
    "run",
    "session",
    "host",
    "about",
    "subject",
    "verdict",
    "finding",
    "part_of",
    "kind",
    "pattern",
    "severity",
    "confidence",
    "expected",
    "title",
    "op",
    "shape",
    "dtype",
    "region",
    "thread",
    "source",
    "frame",
    "blocks",
    "bytes",
    "requested_bytes",
    "bytes_per_step",
    "rate_low_bytes",
    "rate_high_bytes",
    "first_step",
    "last_step",
    "steps_with_survivors",
)
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001

Cell = str | int | float | None


def csv_text(report: ReportPayload) -> str:
    """Return the findings of a report with a head; unknown is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)  # RFC 4180 is this module's default: CRLF, quotes where needed
    writer.writerow(COLUMNS)
    for row in _rows(report):
        writer.writerow([_cell(row.get(column)) for column in COLUMNS])
    return out.getvalue()


def _rows(report: ReportPayload) -> Iterator[dict[str, Cell]]:
    for session in report["sessions"]:
        for host in session["hosts"]:
            for about, subject, verdict, finding in _findings(host):
                place = _place(session, host, about, subject, verdict)
                yield {**place, **_facts(finding)}
                for part in finding["parts"]:
                    yield {**place, **_facts(part), "part_of": finding["id"]}


def _findings(host: HostPayload) -> Iterator[tuple[str, str | None, str | None, FindingPayload]]:
    for memory in host["memories"]:
        for finding in memory["findings"]:
            yield "memory", memory["memory_id"], memory["verdict"], finding
    for about, subject, finding in found_beside(host):
        yield about, subject or None, None, finding


def _place(
    session: SessionPayload, host: HostPayload, about: str, subject: Cell, verdict: Cell
) -> dict[str, Cell]:
    return {
        "run": session["run"],
        "session": session["session"],
        "host": host["host"],
        "about": about,
        "subject": subject,
        "verdict": verdict,
    }


def _facts(finding: FindingPayload) -> dict[str, Cell]:
    site = finding["site"]
    return {
        "finding": finding["id"],
        "kind": finding["kind"],
        "pattern": finding["pattern"],
        "severity": finding["severity"],
        "confidence": finding["confidence"],
        "expected": finding["expected"],
        "title": finding["title"],
        "op": site["op"],
        "shape": site["shape"],
        "dtype": site["dtype"],
        "region": site["region"],
        "thread": site["thread"],
        "source": site["source"],
        "frame": next(iter(own_frames(site["stack"])), ""),
        "blocks": finding["blocks"],
        "bytes": finding["bytes"],
        "requested_bytes": finding["requested_bytes"],
        "bytes_per_step": finding["bytes_per_step"],
        "rate_low_bytes": finding["rate_low_bytes"],
        "rate_high_bytes": finding["rate_high_bytes"],
        "first_step": finding["first_step"],
        "last_step": finding["last_step"],
        "steps_with_survivors": finding["steps_with_survivors"],
    }


def _cell(value: Cell) -> Cell:
    if not isinstance(value, str):
        return value
    shield = "'" if value.lstrip(" \u00a0").startswith(_FORMULA) else ""
    return shield + neutral(value)
