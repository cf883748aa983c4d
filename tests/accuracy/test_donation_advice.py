"""Donation advice on real programs: exactly what could be donated, and nothing else."""

from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.program.donation import missing_donations
from tensorboard_memleak.analysis.program.overview import overview
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.readers.hlo import read_program
from tensorboard_memleak.readers.proto import hlo_pb2
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.captures import unpack
from tests.shared_data import needs_shared_data, shared

TRAIN_STEP = (
    "third_party/jax_toolbox_maxtext_dump/"
    "module_0016.jit_train_step.sm_9.0_gpu_after_optimizations.hlo.pb"
)


def programs_of(capture: bytes) -> list[Program]:
    trace = read_host_trace(capture, "host", "host.xplane.pb")
    return [
        read_program(capture[ref.offset : ref.offset + ref.length], program_id=ref.program_id)
        for ref in trace.programs
    ]


def advice(programs: list[Program]) -> list[tuple[str, Finding]]:
    return [
        (one.diagnosis.program.name, finding)
        for one in overview(programs)
        for finding in one.diagnosis.findings
        if finding.kind == "missing_donation"
    ]


def test_the_bundled_pair(tmp_path_factory: pytest.TempPathFactory) -> None:
    told = {}
    for name in ("jax_donation", "jax_donation_fixed"):
        folder = tmp_path_factory.mktemp(name)
        unpack(name, "run", folder)
        (path,) = folder.rglob("*.xplane.pb")
        told[name] = advice(programs_of(path.read_bytes()))
    assert told["jax_donation_fixed"] == []
    ((module, finding),) = told["jax_donation"]
    assert (module, finding.site.op, finding.bytes) == (
        "jit_train_step",
        "parameters",
        4 * (256 * 512 + 512 + 512 * 16),
    )
    assert 'donate_argnames=("parameters",)' in finding.advice


@needs_shared_data
@pytest.mark.parametrize("capture", ["jax_donate", "jax_donate_bad"])
def test_nothing_is_advised_where_nothing_can_be_gained(capture: str) -> None:
    path = shared(f"captures/{capture}/plugins/profile/2026_01_02_00_00_00/host0.xplane.pb")
    assert advice(programs_of(path.read_bytes())) == []


@needs_shared_data
def test_no_false_advice_on_a_real_train_step() -> None:
    assert advice([read_program(shared(TRAIN_STEP).read_bytes())]) == []


@needs_shared_data
def test_without_its_aliases_exactly_those_are_advised() -> None:
    hlo = hlo_pb2.Hlo.FromString(shared(TRAIN_STEP).read_bytes())
    declared = {
        (entry.parameter_number, tuple(entry.output_shape_index))
        for entry in hlo.module.input_output_alias.entries
    }
    hlo.module.input_output_alias.Clear()
    found = missing_donations(read_program(hlo.SerializeToString()))
    assert {(one.leaf.number, one.output_index) for one in found} == declared
    assert sum(one.size_bytes for one in found) == 2_007_644_172
