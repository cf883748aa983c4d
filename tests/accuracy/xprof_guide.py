"""What XProf's guide to memory leaks gives on a capture, by the installed `xprof`.

The guide has a person compare two counts of the Memory Profile page, and read its breakdown table.
Both come from the tool's own output here. The page takes its counts from the sampled timeline, so
that is what is counted; the table is read as kindly as can be: the rows that the page hides for
being small stay in.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xprof.convert import raw_to_tool_data


@dataclass(frozen=True)
class GuideAnswer:
    """The guide's two answers: is something leaking, and which op stands first in the table."""

    allocations: int
    deallocations: int
    top_row: str

    @property
    def says_leak(self) -> bool:
        """The guide's rule: more allocations than deallocations."""
        return self.allocations > self.deallocations

    def names(self, ops: tuple[str, ...]) -> bool:
        """Whether the table's top row is one of the ops that leak."""
        return any(op in self.top_row for op in ops)


def ask(xplane: Path) -> GuideAnswer:
    """Ask XProf about one file; the answers of the memory that its page would show first."""
    with tempfile.TemporaryDirectory() as folder:
        # A copy: some of XProf's conversions write beside the capture.
        copy = shutil.copy(xplane, folder)
        text, _ = raw_to_tool_data.xspace_to_tool_data([str(copy)], "memory_profile", {})
    profile = json.loads(text or "{}")
    memory_ids = profile.get("memoryIds") or []
    if not memory_ids:
        return GuideAnswer(0, 0, "")
    return _answer(profile["memoryProfilePerAllocator"][memory_ids[0]])


def _answer(memory: dict[str, Any]) -> GuideAnswer:
    activities = [
        snapshot["activityMetadata"]["memoryActivity"]
        for snapshot in memory["sampledTimelineSnapshots"]
    ]
    rows = [_row(memory, entry) for entry in memory.get("activeAllocations", [])]
    top = max(rows, key=lambda row: row[0], default=(0, ""))
    return GuideAnswer(activities.count("ALLOCATION"), activities.count("DEALLOCATION"), top[1])


def _row(memory: dict[str, Any], entry: dict[str, Any]) -> tuple[int, str]:
    """One row of the table as (bytes, op)."""
    index = int(entry["snapshotIndex"])
    if index >= 0:
        activity = memory["memoryProfileSnapshots"][index]["activityMetadata"]
    else:
        activity = memory["specialAllocations"][int(entry["specialIndex"])]
    size_bytes = int(activity["allocationBytes"]) * int(entry["numOccurrences"])
    return size_bytes, activity.get("tfOpName", "")
