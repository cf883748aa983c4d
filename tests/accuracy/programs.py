"""What the report says of programs and snapshots, and whether that is right."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from tensorboard_memleak.cli.main import main

Json = Mapping[str, Any]


def report(session: Path) -> Json:
    """The report of one session folder as `memleak report --format json` prints it."""
    said = io.StringIO()
    with redirect_stdout(said):
        assert main(["report", str(session), "--format", "json"]) == 0
    parsed: Json = json.loads(said.getvalue())
    return parsed


def faults(said: Json, truth: Json) -> list[str]:
    """What is wrong with a report, in words; truth that is not told is not checked."""
    return [*_donation(said, truth), *_recompiled(said, truth), *_snapshots(said, truth)]


def _hosts(said: Json) -> Iterator[Json]:
    for session in said["sessions"]:
        yield from session["hosts"]


def _program_findings(said: Json, kind: str) -> list[tuple[str, Json]]:
    """Findings of a kind with the module that they are about."""
    return [
        (module["name"], finding)
        for host in _hosts(said)
        for module in host["modules"]
        for finding in module["findings"]
        if finding["kind"] == kind
    ]


def _donation(said: Json, truth: Json) -> list[str]:
    if "donation" not in truth:
        return []
    missing = sum(one["bytes"] for _, one in _program_findings(said, "missing_donation"))
    right = truth.get("donatable_bytes", 0)
    return [] if missing == right else [f"advises to donate {missing} bytes, right is {right}"]


def _recompiled(said: Json, truth: Json) -> list[str]:
    named = [name for name, _ in _program_findings(said, "recompilation")]
    right = truth.get("recompiled")
    return [] if right is None or right in named else [f"{right} is not said to be recompiled"]


def _snapshots(said: Json, truth: Json) -> list[str]:
    if "snapshot_growth" not in truth:
        return []
    grown = [
        finding["title"]
        for host in _hosts(said)
        for snapshot in host["snapshots"]
        for finding in snapshot["findings"]
        if finding["kind"] == "snapshot_growth"
    ]
    right = truth["snapshot_growth"]
    if not right:
        return [f"snapshots are said to grow: {title}" for title in grown]
    return [] if any(right["func"] in title for title in grown) else [f"{right} is not found"]
