"""A capture that shows only kernels' work space cannot clear the tensors, which do not show."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.expected import set_aside
from tensorboard_memleak.model.expectations import Expectations, ExpectedSite
from tensorboard_memleak.model.trace import HostTrace
from tests.window_builder import Window


def clean_trace(*memory_ids: str) -> HostTrace:
    window = Window(steps=12)
    for step in range(12):
        window.block("Mul", 1024, born=step + 0.3, freed=step + 0.5)
    return named(window.trace(), *memory_ids)


def named(trace: HostTrace, *memory_ids: str) -> HostTrace:
    (memory,) = trace.memories
    return replace(trace, memories=tuple(replace(memory, memory_id=one) for one in memory_ids))


@pytest.mark.parametrize(
    ("memory_ids", "verdicts"),
    [
        (["mklcpu"], {"mklcpu": "inconclusive"}),
        (["bfc_cpu"], {"bfc_cpu": "no_leak"}),
        (["mklcpu", "bfc_cpu"], {"mklcpu": "no_leak", "bfc_cpu": "no_leak"}),
    ],
)
def test_work_space_alone_clears_nothing(memory_ids: list[str], verdicts: dict[str, str]) -> None:
    said = {
        one.memory.memory_id: one.diagnosis for one in diagnose(clean_trace(*memory_ids)).memories
    }

    assert {name: one.verdict for name, one in said.items()} == verdicts
    open_ones = [one for one in said.values() if one.verdict == "inconclusive"]
    assert all("a leak of tensors cannot show" in one.reason for one in open_ones)
    assert all(one.confidence is None for one in open_ones)


def test_work_space_that_leaks_is_a_leak_and_clears_nothing_once_it_is_expected() -> None:
    window = Window(steps=20)
    for step in range(20):
        window.block("Conv2D", 65536, born=step + 0.2)
    host = diagnose(named(window.trace(), "mklcpu"))
    assert [one.diagnosis.verdict for one in host.memories] == ["leak"]

    expectations = Expectations(sites=(ExpectedSite(site="Conv2D"),))
    aside = set_aside(host, expectations)
    assert [one.diagnosis.verdict for one in aside.memories] == ["inconclusive"]
