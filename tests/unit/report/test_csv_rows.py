from __future__ import annotations

import csv
import io

import pytest

from tensorboard_memleak.report.csv_rows import COLUMNS, csv_text
from tests.unit.report.example import finding, host, memory, report


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def named(op: str) -> str:
    """The cell that a finding's op becomes."""
    site = {**finding()["site"], "op": op}
    (row,) = rows(csv_text(report(host(memory(findings=[finding(site=site)])))))
    return row["op"]


def test_a_finding_is_a_row_of_plain_numbers() -> None:
    (row,) = rows(csv_text(report(host(memory()))))
    assert tuple(row) == COLUMNS
    assert row == {
        "run": "run",
        "session": "2026_01_01_00_00_00",
        "host": "vm",
        "about": "memory",
        "subject": "GPU_0_bfc",
        "verdict": "leak",
        "finding": "f1",
        "part_of": "",
        "kind": "growth",
        "pattern": "every step",
        "severity": "high",
        "confidence": "0.9545",
        "expected": "",
        "title": "Relu [250] float32 leaks 1 KiB every step",
        "op": "Relu",
        "shape": "[250]",
        "dtype": "float32",
        "region": "output",
        "thread": "python",
        "source": "op",
        "frame": "forward (model.py:12)",
        "blocks": "20",
        "bytes": "20480",
        "requested_bytes": "20000",
        "bytes_per_step": "1024",
        "rate_low_bytes": "1024",
        "rate_high_bytes": "1024",
        "first_step": "100",
        "last_step": "119",
        "steps_with_survivors": "20",
    }


def test_parts_follow_their_finding() -> None:
    parts = [finding(id="f1.1", bytes=15000), finding(id="f1.2", bytes=5480)]
    told = rows(csv_text(report(host(memory(findings=[finding(parts=parts)])))))
    assert [(row["finding"], row["part_of"], row["bytes"]) for row in told] == [
        ("f1", "", "20480"),
        ("f1.1", "f1", "15000"),
        ("f1.2", "f1", "5480"),
    ]


def test_programs_and_snapshots_have_rows_too() -> None:
    donation = finding(id="f1", kind="missing_donation", bytes_per_step=None)
    module = {"name": "jit_step", "program_id": 8, "peak_bytes": 512, "findings": [donation]}
    grown = {"findings": [finding(kind="snapshot_growth")]}
    told = rows(csv_text(report(host(memory(findings=[]), modules=[module], snapshots=[grown]))))
    assert [(row["about"], row["subject"], row["verdict"], row["kind"]) for row in told] == [
        ("snapshots", "", "", "snapshot_growth"),
        ("module", "jit_step", "", "missing_donation"),
    ]
    assert told[1]["bytes_per_step"] == ""


def test_nothing_found_leaves_the_head() -> None:
    assert csv_text(report(host(memory(findings=[])))) == ",".join(COLUMNS) + "\r\n"


@pytest.mark.parametrize(
    ("op", "cell"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\\x09=1"),
        ("\r=1", "'\\x0d=1"),
        ("  =1", "'  =1"),
        ("\uff1d1", "'\uff1d1"),
        ("a=1", "a=1"),
        ("\x1b[31mred", "\\x1b[31mred"),
    ],
)
def test_no_cell_is_a_formula_or_acts_on_a_terminal(op: str, cell: str) -> None:
    assert named(op) == cell


def test_separators_quotes_and_line_ends_stay_in_their_cell() -> None:
    assert named('a,b"c\nd') == 'a,b"c\\x0ad'
    assert csv_text(report(host(memory()))).count("\r\n") == 2
