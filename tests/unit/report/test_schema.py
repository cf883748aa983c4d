from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Any, cast, get_type_hints

import pytest
from jsonschema import Draft202012Validator

from tensorboard_memleak.report import types
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.report import report as report_on
from tests import shared_data
from tests.captures import truth, unpack
from tests.unit.report.example import capture, empty_capture, finding, host, memory, put, report

SCHEMA = cast(
    "dict[str, Any]",
    json.loads(
        resources.files("tensorboard_memleak").joinpath("schema/report-v1.json").read_text("utf-8")
    ),
)
VALIDATOR = Draft202012Validator(SCHEMA)
GOLDEN = Path(__file__).parents[3] / "frontend" / "test" / "golden"

TYPES = {
    "warning": types.WarningPayload,
    "session": types.SessionPayload,
    "host": types.HostPayload,
    "file": types.FilePayload,
    "steps": types.StepsPayload,
    "memory": types.MemoryPayload,
    "totals": types.TotalsPayload,
    "finding": types.FindingPayload,
    "site": types.SitePayload,
    "module": types.ModulePayload,
    "snapshot": types.SnapshotPayload,
}


def faults(entry: object) -> list[str]:
    return [f"{fault.json_path}: {fault.message}" for fault in VALIDATOR.iter_errors(entry)]


def nested(node: object) -> Iterator[dict[str, Any]]:
    """Yield every schema below a schema that stands for a value."""
    if isinstance(node, dict):
        for key, child in node.items():
            if key in ("properties", "$defs"):
                yield from child.values()
            yield from nested(child)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_key_is_described() -> None:
    bare = [one for one in nested(SCHEMA) if "description" not in one and "$ref" not in one]
    assert bare == []


def test_the_schema_and_the_types_name_the_same_keys() -> None:
    assert set(SCHEMA["$defs"]) == set(TYPES)
    for name, payload in TYPES.items():
        assert set(SCHEMA["$defs"][name]["properties"]) == set(get_type_hints(payload)), name
        assert set(SCHEMA["$defs"][name]["required"]) == set(get_type_hints(payload)), name
    assert set(SCHEMA["properties"]) == set(get_type_hints(types.ReportPayload))


def test_a_report_on_every_kind_of_host_fits(tmp_path: Path) -> None:
    put(tmp_path, capture(), "leaky")
    put(tmp_path, capture(kept=0), "clean")
    put(tmp_path, capture(steps=1), "short")
    put(tmp_path, empty_capture(), "quiet")
    put(tmp_path, b"", "broken")
    (tmp_path / "stray.xplane.pb").write_bytes(capture())
    made = report_on(open_path(str(tmp_path)))
    verdicts = {one["run"]: one["hosts"][0]["verdict"] for one in made["sessions"]}
    assert verdicts == {
        "leaky": "leak",
        "clean": "no_leak",
        "short": "inconclusive",
        "quiet": "no_events",
        "broken": None,
    }
    assert [one["code"] for one in made["warnings"]] == ["stray_profile"]
    assert faults(made) == []


@pytest.mark.parametrize("name", sorted(truth()))
def test_reports_on_bundled_captures_fit(name: str) -> None:
    made = report_on(open_path(str(unpack(name))))
    assert faults(json.loads(json.dumps(made, allow_nan=False))) == []


@shared_data.needs_shared_data
@pytest.mark.parametrize("folder", ["captures", "edge", "third_party"])
def test_reports_on_shared_captures_fit(folder: str) -> None:
    made = report_on(open_path(str(shared_data.shared(folder))))
    assert made["sessions"]
    assert faults(json.loads(json.dumps(made, allow_nan=False))) == []


@pytest.mark.parametrize("path", sorted(GOLDEN.rglob("report.json")), ids=lambda p: p.parent.name)
def test_what_the_page_is_tested_with_fits(path: Path) -> None:
    assert faults(json.loads(path.read_text("utf-8"))) == []


def test_later_keys_are_no_fault() -> None:
    later = report(host(memory()))
    later["sessions"][0]["hosts"][0]["added_later"] = {"x": 1}  # type: ignore[typeddict-unknown-key]
    assert faults(later) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("blocks", -1),
        ("requested_bytes", -1),
        ("bytes", None),
        ("bytes", 1.5),
        ("kind", "mystery"),
        ("severity", "fatal"),
        ("confidence", 1.01),
        ("title", None),
        ("id", ""),
    ],
)
def test_a_finding_that_breaks_the_contract_is_refused(key: str, value: object) -> None:
    broken = report(host(memory(findings=[finding(**{key: value})])))
    (fault,) = faults(broken)
    assert f".findings[0].{key}: " in fault


@pytest.mark.parametrize("key", list(types.HostPayload.__annotations__))
def test_a_host_that_lacks_a_key_is_refused(key: str) -> None:
    broken = deepcopy(report(host(memory())))
    del broken["sessions"][0]["hosts"][0][key]  # type: ignore[misc]  # the key is a variable
    assert faults(broken) == [f"$.sessions[0].hosts[0]: '{key}' is a required property"]
