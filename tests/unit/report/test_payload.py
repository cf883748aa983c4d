from __future__ import annotations

import json
from dataclasses import asdict, fields

import numpy as np
import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.files import FileFact
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Totals
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.readers.xplane import read_host_trace
from tensorboard_memleak.report.findings import finding_payload
from tensorboard_memleak.report.memory import steps_payload
from tensorboard_memleak.report.payload import (
    host_payload,
    report_payload,
    session_payload,
    traceless_host_payload,
    unreadable_host_payload,
)
from tensorboard_memleak.report.types import HostPayload, TotalsPayload
from tests.unit.report.example import MEMORY, capture, empty_capture

FILES = [FileFact("/logs/run/plugins/profile/s/vm.xplane.pb", 2048, 7)]


def written(data: bytes, memory_id: str | None = None) -> HostPayload:
    trace = read_host_trace(data, "vm", "vm.xplane.pb")
    return host_payload(trace, diagnose(trace), FILES, memory_id)


@pytest.fixture(scope="module")
def leaky() -> HostPayload:
    return written(capture())


def test_a_host_names_its_files_without_their_folders(leaky: HostPayload) -> None:
    assert leaky["host"] == "vm"
    assert leaky["files"] == [{"name": "vm.xplane.pb", "bytes": 2048}]


def test_steps_are_told_by_their_markers_numbers(leaky: HostPayload) -> None:
    assert leaky["steps"] == {
        "count": 20,
        "source": "markers",
        "first": 100,
        "last": 119,
        "median_ns": 2000,
    }


def test_totals_are_exact_and_the_peak_counts_from_the_windows_start(leaky: HostPayload) -> None:
    (memory,) = leaky["memories"]
    assert memory["memory_id"] == MEMORY
    assert memory["totals"] == {
        "allocations": 40,
        "deallocations": 20,
        "prewindow_deallocations": 0,
        "lost": 0,
        "baseline_bytes": 4096,
        "end_bytes": 4096 + 20 * 1024,
        "peak_bytes": 4096 + 20 * 1024 + 2048,
        "peak_ns": 19 * 2000 + 1000,
        "capacity_bytes": 1 << 20,
        "lifetime_peak_bytes": 4096 + 20 * 1024,
        "survivor_blocks": 20,
        "survivor_bytes": 20 * 1024,
        "unaccounted_bytes": 0,
        "growth_bytes_per_step": 1024,
        **dict.fromkeys(
            ("steps_to_oom", "steps_to_oom_low", "steps_to_oom_high"),
            ((1 << 20) - (4096 + 20 * 1024 + 2048)) // 1024,
        ),
    }


def test_a_finding_names_steps_by_number_and_keeps_both_sizes(leaky: HostPayload) -> None:
    (finding,) = leaky["memories"][0]["findings"]
    assert finding["kind"] == "growth"
    assert finding["site"]["op"] == "Relu"
    assert finding["site"]["stack"] == ["train"]
    assert (finding["first_step"], finding["last_step"]) == (100, 119)
    assert finding["steps_with_survivors"] == 20
    assert (finding["blocks"], finding["bytes"], finding["requested_bytes"]) == (20, 20480, 20000)
    assert finding["bytes_per_step"] == 1024
    assert finding["rate_low_bytes"] == finding["rate_high_bytes"] == 1024


def test_the_hosts_verdict_is_the_gravest_of_its_memories(leaky: HostPayload) -> None:
    assert leaky["verdict"] == leaky["memories"][0]["verdict"] == "leak"
    assert leaky["reason"] == leaky["memories"][0]["reason"]
    assert written(capture(kept=0))["verdict"] == "no_leak"


def test_one_memory_can_be_asked_for() -> None:
    assert [one["memory_id"] for one in written(capture(), MEMORY)["memories"]] == [MEMORY]


def test_a_host_without_memory_events_has_one_entry_that_says_so() -> None:
    host = written(empty_capture())
    assert host["verdict"] == "no_events"
    (memory,) = host["memories"]
    assert (memory["memory_id"], memory["verdict"], memory["findings"]) == (None, "no_events", [])
    assert memory["totals"]["allocations"] == 0
    assert memory["totals"]["peak_bytes"] is None
    (warning,) = host["warnings"]
    assert warning["code"] == "no_memory_events"
    assert warning["hint"]
    assert memory["reason"] == warning["message"]


def test_device_memory_profiles_are_not_asked_for_where_there_are_some() -> None:
    notice = Notice("no_trace", "The session has no trace.", "Save profiles.")
    other = Notice("single_snapshot", "There is one.", "Save more.")
    host = traceless_host_payload(
        "unknown", FILES, notices=[notice, other], snapshots=[{"findings": []}]
    )
    assert [one["hint"] for one in host["warnings"]] == [
        "What its device-memory profiles tell stands here all the same.",
        "Save more.",
    ]


def test_a_host_without_a_trace_has_no_events_and_says_why() -> None:
    notice = Notice("no_trace", "The session has no trace.", "Capture one.")
    host = traceless_host_payload("unknown", FILES, notices=[notice])
    assert host["verdict"] == "no_events"
    assert host["reason"] == "The session has no trace."
    assert host["warnings"] == [asdict(notice)]


def test_a_host_that_cannot_be_read_has_no_verdict_and_says_what_is_wrong() -> None:
    host = unreadable_host_payload("vm", FILES, UnreadableFile("vm.xplane.pb is empty.", "Again."))
    assert host["verdict"] is None
    assert host["memories"] == []
    assert host["steps"]["source"] == "none"
    assert host["warnings"] == [
        {"code": "unreadable_file", "message": "vm.xplane.pb is empty.", "hint": "Again."}
    ]


def test_the_report_carries_notices_about_the_logdir_once() -> None:
    stray = Notice("stray_profile", "a lies outside.", "Move it.")
    report = report_payload([session_payload("run", "s", [])], [stray, stray])
    assert report["schema_version"] == 1
    assert report["sessions"] == [{"run": "run", "session": "s", "hosts": []}]
    assert report["warnings"] == [asdict(stray)]


def test_totals_have_the_keys_of_the_model() -> None:
    assert [one.name for one in fields(Totals)] == list(TotalsPayload.__annotations__)


def test_everything_is_plain_json(leaky: HostPayload) -> None:
    assert json.loads(json.dumps(leaky, allow_nan=False)) == leaky


def test_numpy_numbers_and_nan_never_reach_json() -> None:
    trace = read_host_trace(capture(), "vm", "vm.xplane.pb")
    (found,) = diagnose(trace).memories[0].diagnosis.findings
    from dataclasses import replace

    odd = replace(
        found,
        blocks=np.int64(20),
        bytes=np.int64(20480),
        bytes_per_step=np.int64(1024),
        confidence=float("nan"),
        parts=(replace(found, id="f1.1", rate_low=np.int64(3)),),
    )
    entry = json.loads(json.dumps(finding_payload(odd, range(100, 120)), allow_nan=False))
    assert (entry["blocks"], entry["bytes"], entry["bytes_per_step"]) == (20, 20480, 1024)
    assert entry["confidence"] is None
    assert entry["parts"][0]["rate_low_bytes"] == 3
    assert entry["parts"][0]["first_step"] == 100
    assert entry["parts"][0]["id"] == "f1.1"


def test_steps_without_markers_are_numbered_by_position() -> None:
    starts = np.array([0, 3_000_000, 6_000_000, 12_000_000], np.int64)
    unnumbered = np.full(4, -1, np.int64)
    assert steps_payload(Steps(starts, starts + 1, unnumbered, "pattern")) == {
        "count": 4,
        "source": "pattern",
        "first": 0,
        "last": 3,
        "median_ns": 3000,
    }


def test_a_single_step_has_no_pace() -> None:
    one = np.array([5], np.int64)
    assert steps_payload(Steps(one, one + 1, one, "markers"))["median_ns"] is None
