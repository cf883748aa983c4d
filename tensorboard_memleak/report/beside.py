"""What was found beside a memory's events: in compiled programs and in device-memory profiles.

One order for the terminal, for tables and for the page, whose `lib/merged.ts` says the same: by
severity, snapshots before programs. Where a host has no memory events, the first is its headline.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from tensorboard_memleak.model.findings import SEVERITIES
from tensorboard_memleak.report.types import FindingPayload, HostPayload

SNAPSHOTS: Final = "The snapshots grow."


class Beside(NamedTuple):
    """A finding with the program it is about, "" where it is about snapshots."""

    about: Literal["module", "snapshots"]
    subject: str
    finding: FindingPayload


def found_beside(host: HostPayload) -> list[Beside]:
    """Return the findings of a host's snapshots and programs, what to act on first first."""
    return sorted(_all(host), key=lambda one: SEVERITIES.index(one.finding["severity"]))


def _all(host: HostPayload) -> Iterator[Beside]:
    for snapshot in host["snapshots"]:
        for finding in snapshot["findings"]:
            yield Beside("snapshots", "", finding)
    for module in host["modules"]:
        for finding in module["findings"]:
            yield Beside("module", module["name"], finding)


def leading(host: HostPayload) -> FindingPayload | None:
    """Return what leads where there are no memory events; mere information does not."""
    first = next(iter(found_beside(host)), None)
    return first.finding if first and first.finding["severity"] != "info" else None


def headline(finding: FindingPayload) -> str:
    """Say the finding that leads as the sentence that stands largest."""
    return SNAPSHOTS if finding["kind"] == "snapshot_growth" else f"{finding['title']}."
