from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.expected import set_aside
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.expectations import NO_EXPECTATIONS, Expectations, ExpectedSite
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.histories import KEPT_BYTES, leaking_capture


@pytest.fixture(scope="module")
def leaking() -> HostDiagnosis:
    return diagnose(read_host_trace(leaking_capture(), "host0", "host0.xplane.pb"))


def judged(host: HostDiagnosis, *sites: ExpectedSite, least: int = 0) -> tuple[str, list[str]]:
    (memory,) = set_aside(host, Expectations(sites, least)).memories
    return memory.diagnosis.verdict, [one.expected for one in memory.diagnosis.findings]


def test_without_expectations_nothing_changes(leaking: HostDiagnosis) -> None:
    assert set_aside(leaking, NO_EXPECTATIONS) is leaking


def test_expected_growth_is_marked_and_makes_no_verdict(leaking: HostDiagnosis) -> None:
    (memory,) = set_aside(leaking, Expectations((ExpectedSite("Mat*", "on purpose"),))).memories
    (finding,) = memory.diagnosis.findings

    assert (memory.diagnosis.verdict, finding.expected, finding.severity) == (
        "no_leak",
        "on purpose",
        "info",
    )
    assert memory.diagnosis.reason == (
        "Only what is expected to grow does: on purpose. 1 finding set aside as expected."
    )
    assert memory.diagnosis.totals.growth_bytes_per_step is None
    assert memory.diagnosis.totals.steps_to_oom is not None
    assert finding.bytes_per_step == KEPT_BYTES


@pytest.mark.parametrize(
    "other",
    [
        ExpectedSite("Tmp"),
        ExpectedSite("matmul"),
        ExpectedSite("MatMul", memory="GPU_1*"),
        ExpectedSite("MatMul", most_bytes_per_step=KEPT_BYTES - 1),
    ],
    ids=["another op", "case matters", "another memory", "faster than expected"],
)
def test_what_is_not_expected_stays_a_leak(leaking: HostDiagnosis, other: ExpectedSite) -> None:
    assert judged(leaking, other) == ("leak", [""])


def test_growth_within_its_bound_is_expected(leaking: HostDiagnosis) -> None:
    site = ExpectedSite("MatMul", most_bytes_per_step=KEPT_BYTES)
    assert judged(leaking, site) == ("no_leak", ["expected to grow: MatMul"])


def test_a_frame_of_the_stack_names_a_site(leaking: HostDiagnosis) -> None:
    assert judged(leaking, ExpectedSite("train"))[0] == "no_leak"


def test_growth_below_the_threshold_is_no_leak(leaking: HostDiagnosis) -> None:
    assert judged(leaking, least=KEPT_BYTES) == ("leak", [""])
    assert judged(leaking, least=KEPT_BYTES + 1) == (
        "no_leak",
        ["below the threshold of 1 KiB a step"],
    )
