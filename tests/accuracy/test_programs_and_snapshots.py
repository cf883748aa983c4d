"""What is said of programs and snapshots, beside what the recorded programs did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak.report.types import FindingPayload, HostPayload
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.report import report
from tests.captures import truth as bundled_truth
from tests.captures import unpack
from tests.shared_data import needs_shared_data, shared
from tests.shared_data import truth as shared_truth

KEYS = ("snapshot_growth", "recompiled", "donation")
BUNDLED = {name: told for name, told in bundled_truth().items() if set(KEYS) & set(told)}
SHARED = (
    *("jax_append", "jax_append_scalar", "jax_healthy", "jax_shapes"),
    *("jax_donate", "jax_donate_bad"),
)


def host_of(folder: Path) -> HostPayload:
    (host,) = report(open_path(str(folder)))["sessions"][0]["hosts"]
    return host


def of_kind(findings: list[FindingPayload], kind: str) -> list[FindingPayload]:
    return [finding for finding in findings if finding["kind"] == kind]


def check(host: HostPayload, told: dict[str, Any]) -> None:
    grown = [f for one in host["snapshots"] for f in of_kind(one["findings"], "snapshot_growth")]
    growth = told.get("snapshot_growth")
    if growth and growth["count"]:
        (finding,) = grown
        assert finding["site"]["op"].startswith(f"{growth['func']} (")
        assert finding["blocks"] == 12
    else:
        assert grown == []
    recompiled = {
        module["name"]
        for module in host["modules"]
        for finding in of_kind(module["findings"], "recompilation")
        if finding["severity"] != "info"
    }
    assert recompiled == ({told["recompiled"]} if "recompiled" in told else set())
    if "donation" in told:
        advised = [f for m in host["modules"] for f in of_kind(m["findings"], "missing_donation")]
        assert len(advised) == (1 if told["donation"] == "missing" else 0)


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled(name: str) -> None:
    check(host_of(unpack(name)), BUNDLED[name])


@needs_shared_data
@pytest.mark.parametrize("name", SHARED)
def test_shared(name: str) -> None:
    check(host_of(shared(f"captures/{name}")), shared_truth()[name])
