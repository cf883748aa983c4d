from __future__ import annotations

from dataclasses import replace

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.program.buffer_names import name_by_buffers
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.readers.hlo import read_program
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.hlo_builder import Hlo, f32
from tests.xspace_builder import XSpace

LAUNCH = "PjRtStreamExecutorLoadedExecutable::EnqueueExecution"
STEP_PS = 1_000_000
OUT_BYTES, TEMP_BYTES = 4096, 8192
STEPS = 20


def program() -> Program:
    """One output of 4 KiB from line 7 of model.py, and 8 KiB of temporaries."""
    hlo = Hlo("jit_step", 5)
    main = hlo.computation("main")
    x = main.parameter(0, "x", f32(16, 16), op_name="x")
    out = main.add("dot", "out", f32(32, 32), [x], op_name="jit(step)/dot", file="model.py", line=7)
    hlo.allocation(OUT_BYTES, [(hlo.buffer(out, OUT_BYTES), 0)], live_out=True)
    hlo.allocation(1024, [(hlo.buffer(x, 1024), 0)], parameter=0)
    hlo.allocation(TEMP_BYTES)
    return read_program(hlo.encode())


@pytest.fixture(scope="module")
def trace() -> HostTrace:
    """A GPU's view of a loop that keeps the output of each step: no op is told anywhere."""
    space = XSpace()
    line = space.plane().line("python")
    in_use = 0
    for step in range(STEPS):
        start = step * STEP_PS
        line.event("train", at_ps=start, lasts_ps=STEP_PS - 1000, step_num=step, _r=1)
        line.event(LAUNCH, at_ps=start + 1000, lasts_ps=8000)
        line.event("jit_step:XLA GPU module", at_ps=start + 7000, lasts_ps=1000)
        for place, (address, size) in enumerate(
            [(0x100000 + step * 0x2000, OUT_BYTES), (0x8000, TEMP_BYTES)]
        ):
            in_use += size
            line.allocation(
                at_ps=start + 2000 + place * 1000,
                address=address,
                requested=size,
                allocated=size,
                in_use=in_use,
            )
        in_use -= TEMP_BYTES
        line.deallocation(
            at_ps=start + 20_000,
            address=0x8000,
            requested=TEMP_BYTES,
            allocated=TEMP_BYTES,
            in_use=in_use,
        )
    return read_host_trace(space.encode(), "host", "host.xplane.pb")


@pytest.fixture(scope="module")
def unnamed(trace: HostTrace) -> HostDiagnosis:
    return diagnose(trace)


def test_a_leaking_output_is_named_with_its_op_and_line(
    trace: HostTrace, unnamed: HostDiagnosis
) -> None:
    (memory,) = name_by_buffers(trace, unnamed, [program()]).memories
    (leak,) = [one for one in memory.diagnosis.findings if one.kind == "growth"]

    assert (leak.site.op, leak.site.source, leak.site.region) == ("jit(step)/dot", "hlo", "output")
    assert leak.site.shape.startswith("f32[32,32]")
    assert any("model.py" in frame and "7" in frame for frame in leak.site.stack)
    assert leak.title.startswith("jit(step)/dot f32[32,32]")
    assert memory.diagnosis.reason.startswith("jit(step)/dot")
    assert memory.diagnosis.verdict == "leak"


def test_numbers_stay_what_they_were(trace: HostTrace, unnamed: HostDiagnosis) -> None:
    named = name_by_buffers(trace, unnamed, [program()])
    for before, after in zip(unnamed.memories, named.memories, strict=True):
        assert after.diagnosis.totals == before.diagnosis.totals
        for old, new in zip(before.diagnosis.findings, after.diagnosis.findings, strict=True):
            assert (
                replace(new, site=old.site, title=old.title, parts=old.parts, evidence=old.evidence)
                == old
            )


def test_without_programs_nothing_changes(trace: HostTrace, unnamed: HostDiagnosis) -> None:
    assert name_by_buffers(trace, unnamed, []) is unnamed
