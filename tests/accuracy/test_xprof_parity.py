"""Our totals against XProf's own conversion, capture by capture.

Where the two differ, the test says by which fault of XProf's, and checks that it is that fault.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.readers.xplane import read_host_trace
from tests import captures as bundled
from tests.shared_data import ROOT, captures, needs_shared_data

XPROF_SAMPLES = 1000
"""XProf keeps at most this many snapshots, and counts what is left."""


def ours(path: Path) -> dict[str, MemoryAnalysis]:
    diagnosis = diagnose(read_host_trace(path.read_bytes(), "host0", str(path)))
    return {analysis.memory.memory_id: analysis for analysis in diagnosis.memories}


def xprofs(path: Path, folder: Path) -> dict[str, Any]:
    """Convert a copy: XProf writes beside what it reads."""
    raw_to_tool_data = pytest.importorskip("xprof.convert.raw_to_tool_data")
    session = folder / "plugins" / "profile" / "session"
    session.mkdir(parents=True)
    copy = session / "host0.xplane.pb"
    shutil.copyfile(path, copy)
    data, _ = raw_to_tool_data.xspace_to_tool_data([str(copy)], "memory_profile", {})
    memories: dict[str, Any] = json.loads(data).get("memoryProfilePerAllocator", {})
    return memories


def readable(paths: list[Path]) -> list[Path]:
    found = []
    for path in paths:
        try:
            read_host_trace(path.read_bytes(), "host0", str(path))
        except UnreadableFile:
            continue
        found.append(path)
    return found


def compare(path: Path, folder: Path) -> None:
    mine, theirs = ours(path), xprofs(path, folder)
    assert sorted(mine) == sorted(theirs)
    for memory_id, analysis in mine.items():
        compare_counts(analysis, theirs[memory_id]["sampledTimelineSnapshots"])
        compare_bytes(analysis, theirs[memory_id]["profileSummary"])


def compare_counts(analysis: MemoryAnalysis, snapshots: list[dict[str, Any]]) -> None:
    totals = analysis.diagnosis.totals
    kinds = [snapshot["activityMetadata"]["memoryActivity"] for snapshot in snapshots]
    theirs = kinds.count("ALLOCATION"), kinds.count("DEALLOCATION")
    if len(analysis.memory.events) > XPROF_SAMPLES:
        # Its timeline is a sample of 1000, and its page counts the sample.
        assert len(kinds) == XPROF_SAMPLES
        assert theirs[0] <= totals.allocations
        assert theirs[1] <= totals.deallocations
    else:
        assert theirs == (totals.allocations, totals.deallocations)


def compare_bytes(analysis: MemoryAnalysis, summary: dict[str, Any]) -> None:
    totals, events = analysis.diagnosis.totals, analysis.memory.events
    assert int(summary["peakStats"]["peakBytesInUse"]) == totals.peak_bytes
    if totals.capacity_bytes is None:
        # It takes free memory that no event tells for zero, so that its capacity is the peak.
        assert (events.bytes_available < 0).all()
        assert int(summary["memoryCapacity"]) == totals.peak_bytes
    else:
        assert int(summary["memoryCapacity"]) == totals.capacity_bytes
    lifetime = int(summary["peakBytesUsageLifetime"])
    if lifetime != (totals.lifetime_peak_bytes or 0):
        # It shows what the event said that it happened to process last, zero if that said nothing.
        assert lifetime in set(events.peak_bytes_in_use.clip(min=0).tolist())
        assert totals.lifetime_peak_bytes is not None
        assert lifetime < totals.lifetime_peak_bytes


@needs_shared_data
@pytest.mark.parametrize(
    "path", readable(captures()), ids=lambda path: str(path.relative_to(ROOT).parent)
)
def test_totals_of_shared_captures_are_xprofs(path: Path, tmp_path: Path) -> None:
    compare(path, tmp_path)


@pytest.mark.parametrize("name", sorted(path.name for path in bundled.DATA.iterdir()))
def test_totals_of_bundled_captures_are_xprofs(name: str, tmp_path: Path) -> None:
    for path in sorted(bundled.unpack(name).glob("*.xplane.pb")):
        compare(path, tmp_path)
