from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.program.join import join
from tensorboard_memleak.analysis.program.origin_site import origin_site
from tensorboard_memleak.analysis.program.usage import program_usage
from tensorboard_memleak.model.join import BufferOrigin, Usage
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.readers.hlo import read_program
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.hlo_builder import Hlo, f32
from tests.shared_data import needs_shared_data, shared
from tests.xspace_builder import XSpace

LAUNCH = "PjRtStreamExecutorLoadedExecutable::EnqueueExecution"
NS = 1000


def matmul(module_id: int = 5, name: str = "jit_matmul", out: int = 4096) -> Program:
    """Take x (1 KiB) and y (2 KiB), give two outputs of `out` bytes, use 8 KiB of temporaries."""
    hlo = Hlo(name, module_id)
    main = hlo.computation("main")
    x = main.parameter(0, "x", f32(16, 16), op_name="x")
    y = main.parameter(1, "y", f32(16, 32), op_name="y")
    first = main.add(
        "dot", "first", f32(32, 32), [x, y], op_name="jit(matmul)/dot", file="m.py", line=7
    )
    second = main.add("negate", "second", f32(32, 32), [first], op_name="jit(matmul)/neg")
    hlo.allocation(out, [(hlo.buffer(first, out), 0)], live_out=True)
    hlo.allocation(1024, [(hlo.buffer(x, 1024), 0)], parameter=0)
    hlo.allocation(2048, [(hlo.buffer(y, 2048), 0)], parameter=1)
    hlo.allocation(out, [(hlo.buffer(second, out), 0)], live_out=True)
    hlo.allocation(8192)
    return read_program(hlo.encode())


@dataclass
class Capture:
    """One thread of a GPU program; runs and allocations are a microsecond apart."""

    space: XSpace = field(default_factory=XSpace)
    clock_ps: int = 0
    address: int = 0
    in_use: int = 0

    def __post_init__(self) -> None:
        self.line = self.space.plane().line("python")

    def allocate(self, *sizes: int, memory: str = "GPU_0_bfc") -> None:
        for size in sizes:
            self.clock_ps += NS
            self.address += 0x10000
            self.in_use += size
            self.line.allocation(
                at_ps=self.clock_ps,
                address=self.address,
                requested=size,
                allocated=size,
                in_use=self.in_use,
                allocator=memory,
            )

    def run(self, module: str, *sizes: int) -> None:
        """Run a module that asks for buffers of these sizes."""
        span = (len(sizes) + 4) * NS
        self.clock_ps += NS
        start = self.clock_ps
        self.line.event(LAUNCH, at_ps=start, lasts_ps=span)
        self.allocate(*sizes)
        self.line.event(f"{module}:XLA GPU module", at_ps=self.clock_ps + NS, lasts_ps=NS)
        self.clock_ps = start + span

    def call(self, frames: list[str], *sizes: int) -> None:
        """Allocate inside of trace events, the outermost first."""
        self.clock_ps += NS
        start = self.clock_ps
        for depth, frame in enumerate(frames):
            self.line.event(frame, at_ps=start + depth, lasts_ps=100 * NS - 2 * depth)
        self.allocate(*sizes)
        self.clock_ps = start + 100 * NS

    def trace(self) -> HostTrace:
        return read_host_trace(self.space.encode(), "host", "host.xplane.pb")


def origins(capture: Capture, *programs: Program) -> list[BufferOrigin | None]:
    trace = capture.trace()
    joined = join(trace, trace.memories[0], programs)
    return [None if row < 0 else joined.origins[row] for row in joined.of_event.tolist()]


def told(origin: BufferOrigin | None) -> tuple[str, str, list[tuple[str, str]]] | None:
    if origin is None:
        return None
    sites = [one.site for one in origin.candidates]
    return origin.module, origin.basis, [(site.region, site.op) for site in sites]


def test_size_and_run_tell_the_buffer() -> None:
    capture = Capture()
    capture.run("jit_matmul", 8192)
    (origin,) = origins(capture, matmul())
    assert told(origin) == ("jit_matmul", "run", [("temporary", "temporary memory of jit_matmul")])


def test_equal_requests_of_one_run_come_in_the_order_of_the_allocations() -> None:
    capture = Capture()
    capture.run("jit_matmul", 4096, 4096, 8192)
    capture.run("jit_matmul", 4096, 4096, 8192)
    found = origins(capture, matmul())
    assert [told(one) for one in found[:2]] == [
        ("jit_matmul", "run", [("output", "jit(matmul)/dot")]),
        ("jit_matmul", "run", [("output", "jit(matmul)/neg")]),
    ]
    assert found[3:] == found[:3]
    assert found[0] is not None
    assert found[0].candidates[0].site.stack == ("m.py:7",)


def test_what_cannot_be_told_apart_is_a_short_list() -> None:
    capture = Capture()
    capture.run("jit_matmul", 4096)
    (origin,) = origins(capture, matmul())
    assert told(origin) == (
        "jit_matmul",
        "run",
        [("output", "jit(matmul)/dot"), ("output", "jit(matmul)/neg")],
    )


def test_versions_that_the_run_does_not_tell_apart_each_have_a_candidate() -> None:
    capture = Capture()
    capture.run("jit_matmul", 8192)
    (origin,) = origins(capture, *(matmul(number) for number in range(6)))
    assert origin is not None
    assert origin.candidate_count == 6
    assert [one.program for one in origin.candidates] == [0, 1, 2, 3]


def test_a_run_without_such_a_buffer_still_names_its_module() -> None:
    capture = Capture()
    capture.run("jit_matmul", 777)
    assert told(origins(capture, matmul())[0]) == ("jit_matmul", "run", [])
    assert told(origins(capture)[0]) == ("jit_matmul", "run", [])


def test_an_upload_for_a_jitted_function_is_one_of_its_parameters() -> None:
    capture = Capture()
    capture.call(["PjitFunction(matmul)", "DevicePut"], 2048, 4096)
    assert [told(one) for one in origins(capture, matmul())] == [
        ("jit_matmul", "function", [("parameter", "y")]),
        None,
    ]


def test_without_a_run_the_function_on_the_stack_tells() -> None:
    capture = Capture()
    capture.call(["PjitFunction(matmul)", "ExecuteHelper"], 8192, 2048)
    found = origins(capture, matmul())
    assert told(found[0]) == (
        "jit_matmul",
        "function",
        [("temporary", "temporary memory of jit_matmul")],
    )
    assert found[1] is None


def test_outside_of_everything_nothing_is_told() -> None:
    capture = Capture()
    capture.allocate(8192)
    assert origins(capture, matmul()) == [None]


def test_staging_memory_of_the_host_is_no_buffer_of_the_device() -> None:
    capture = Capture()
    capture.call(["PjitFunction(matmul)", "DevicePut"])
    capture.allocate(2048, memory="xla_gpu_host_bfc")
    assert origins(capture, matmul()) == [None]


def test_an_origin_is_a_site_that_names_all_candidates() -> None:
    capture = Capture()
    capture.run("jit_matmul", 4096)
    capture.run("jit_matmul", 8192)
    capture.call(["PjitFunction(matmul)", "DevicePut"], 2048)
    found = [origin_site(one, "python", ("a", "b")) for one in origins(capture, matmul()) if one]
    assert [(site.op, site.region, site.source) for site in found if site] == [
        ("jit(matmul)/dot or jit(matmul)/neg", "output", "hlo"),
        ("temporary memory of jit_matmul", "temporary", "hlo"),
        ("y", "parameter", "hlo"),
    ]
    first, second, third = found
    assert first is not None
    assert (first.stack, first.thread) == (("a", "b"), "python")
    assert first.unknown_why == "2 buffers of jit_matmul have this size"
    assert second is not None
    assert second.unknown_why == ""
    assert third is not None
    assert "not by a run" in third.unknown_why
    assert origin_site(BufferOrigin("jit_f", "run", (), 0), "t", ()) is None


def test_usage_counts_runs_and_the_outputs_that_are_alive() -> None:
    capture = Capture()
    for _ in range(3):
        capture.run("jit_matmul", 4096, 4096, 8192)
    trace = capture.trace()
    programs = (matmul(), matmul(6, "jit_other"))
    used, unused = program_usage(trace, diagnose(trace).memories, programs)
    assert (used.runs, used.alive_outputs, used.alive_output_bytes) == (3, 6, 6 * 4096)
    assert used.first_run_ps is not None
    assert used.last_run_ps is not None
    assert used.first_run_ps < used.last_run_ps
    assert unused == Usage(0, None, None, 0, 0)


def test_runs_of_a_version_that_cannot_be_told_are_unknown() -> None:
    capture = Capture()
    capture.run("jit_matmul", 4096, 4096)
    trace = capture.trace()
    usages = program_usage(trace, (), (matmul(1), matmul(2), matmul(3, "jit_other")))
    assert [usage.runs for usage in usages] == [None, None, 0]


@needs_shared_data
@pytest.mark.parametrize(
    ("capture", "allocations", "outputs", "temporaries"),
    [
        ("attention/plugins/profile/attention/tw003", 126, 81, 27),
        ("gemm/plugins/profile/gemm/tw003", 69, 42, 15),
        (
            "conv_legacy/plugins/profile/conv_legacy/chi-mi300x-013.ord.vultr.cpe.ice.amd.com",
            20,
            10,
            10,
        ),
    ],
)
def test_every_device_allocation_of_real_gpu_captures_is_joined(
    capture: str, allocations: int, outputs: int, temporaries: int
) -> None:
    data = shared(f"third_party/tracelens_mi300/{capture}.xplane.pb").read_bytes()
    trace = read_host_trace(data, "host", capture)
    programs = [
        read_program(data[ref.offset : ref.offset + ref.length], program_id=ref.program_id)
        for ref in trace.programs
    ]
    memory = next(one for one in trace.memories if one.memory_id == "GPU_0_bfc")
    joined = join(trace, memory, programs)
    rows = joined.of_event[memory.events.kind == 1].tolist()
    found = [joined.origins[row] for row in rows if row >= 0]
    assert (len(rows), len(found)) == (allocations, allocations)
    assert {len(origin.candidates) for origin in found} == {1}
    kinds = [origin.candidates[0].site.region for origin in found]
    assert (kinds.count("output"), kinds.count("temporary")) == (outputs, temporaries)
