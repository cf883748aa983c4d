"""Runs of compiled modules, and where the modules lie."""

from __future__ import annotations

import pytest

from tensorboard_memleak.model.trace import UNKNOWN
from tests.unit.readers.trace_view import read, spans
from tests.xspace_builder import Text, UInt, XSpace, hlo_plane


def modules(*names: str) -> XSpace:
    space = XSpace()
    hlo_plane(space, {name: name.encode() for name in names})
    return space


def test_a_gpu_run_is_the_launch_that_holds_the_modules_span() -> None:
    space = modules("jit_step(7)")
    line = space.plane().line("py_xla_execute/1")
    line.event("PjRtStreamExecutorLoadedExecutable::EnqueueExecution", 100, 900)
    line.event("Build buffer allocations", 150, 50)
    line.allocation(160, address=1)
    line.event("jit_step:XLA GPU module", 300, 400)
    trace = read(space)
    assert spans(trace, trace.module_runs) == [("jit_step", 100, 1000, 7)]


def test_one_launch_is_one_run_however_often_it_names_its_module() -> None:
    space = modules("jit_step(7)")
    line = space.plane().line("python")
    for start in (0, 2000):
        line.event("X::EnqueueExecution", start + 100, 900)
        line.event("GpuExecutable::ExecuteThunks", start + 200, 600, module_name="jit_step")
        line.event("jit_step:XLA GPU module", start + 300, 400)
    trace = read(space)
    assert spans(trace, trace.module_runs) == [
        ("jit_step", 100, 1000, 7),
        ("jit_step", 2100, 3000, 7),
    ]


def test_a_modules_span_outside_any_launch_is_the_run_itself() -> None:
    space = modules()
    line = space.plane().line("python")
    line.event("X::EnqueueExecution", 0, 10)
    line.event("cluster_0:XLA GPU module", 50, 10)
    trace = read(space)
    assert spans(trace, trace.module_runs) == [("cluster_0", 50, 60, UNKNOWN)]


def test_a_launch_on_another_thread_holds_nothing_here() -> None:
    space = modules()
    plane = space.plane()
    plane.line("a").event("X::EnqueueExecution", 0, 1000)
    plane.line("b").event("X::EnqueueExecution", 490, 30).event("f:XLA GPU module", 500, 10)
    trace = read(space)
    assert spans(trace, trace.module_runs) == [("f", 490, 520, UNKNOWN)]


def test_kernels_tell_which_of_several_modules_of_one_name_ran() -> None:
    space = modules("jit_dot(5)", "jit_dot(34)")
    plane = space.plane()
    python = plane.line("python", timestamp_ns=1)
    for start in (1000, 3000, 5000, 7000):
        python.event("jit_dot:XLA GPU module", start, 500)
    kernels = plane.line("Host Threads/9", timestamp_ns=0)
    for start, program in ((2100, 34), (2200, 34), (4100, 5), (6100, 5)):
        kernels.event("hipModuleLaunchKernel", start, 10, hlo_module="jit_dot", program_id=program)
    trace = read(space)
    assert [number for *_, number in spans(trace, trace.module_runs)] == [34, 5, 5, UNKNOWN]


def test_cpu_thunks_of_one_run_id_are_one_run() -> None:
    space = modules("jit_fwd(8)")
    plane = space.plane()
    for thread, start in (("worker/1", 100), ("worker/2", 150)):
        line = plane.line(thread)
        for run, base in ((-607946079, 0), (77, 1000)):
            for index in range(3):
                line.event(
                    f"fusion.{index}",
                    base + start + index * 10,
                    10,
                    hlo_module="jit_fwd",
                    program_id=8,
                    run_id=run,
                    device_ordinal=0,
                )
    trace = read(space)
    assert spans(trace, trace.module_runs) == [
        ("jit_fwd", 100, 180, 8),
        ("jit_fwd", 1100, 1180, 8),
    ]


def test_device_lines_tell_runs_with_ids_of_64_bits() -> None:
    space = modules("jit_f(12190760917235803885)")
    for device in range(2):
        line = space.plane(f"/device:TPU:{device}").line("XLA Modules", line_id=2)
        line.event("jit_f(12190760917235803885)", 1000 + device, 500)
        line.event("not a module", 3000 + device, 500)
    trace = read(space)
    as_int64 = 12190760917235803885 - 2**64
    assert spans(trace, trace.module_runs) == [
        ("jit_f", 1000, 1500, as_int64),
        ("jit_f", 1001, 1501, as_int64),
        ("not a module", 3000, 3500, UNKNOWN),
        ("not a module", 3001, 3501, UNKNOWN),
    ]
    assert trace.programs[0].program_id == as_int64
    assert [trace.threads[t].name for t in trace.module_runs.thread[:2]] == [
        "/device:TPU:0 XLA Modules",
        "/device:TPU:1 XLA Modules",
    ]


def test_a_program_that_chunks_repeat_is_one_program() -> None:
    space = modules("jit_step(7)")
    space.plane().line("python").event("jit_step:XLA GPU module", 300, 400)
    trace = read(space.encode() + modules("jit_step(7)", "jit_eval(9)").encode())
    assert [program.name for program in trace.programs] == ["jit_step(7)", "jit_eval(9)"]
    assert trace.module_runs.number.tolist() == [7]


def test_a_program_says_where_its_bytes_lie_in_the_file() -> None:
    space = modules("jit_step(8)", "jit_eval(9)")
    data = space.encode()
    programs = read(data).programs
    assert [(program.name, program.program_id) for program in programs] == [
        ("jit_step(8)", 8),
        ("jit_eval(9)", 9),
    ]
    for program in programs:
        assert program.path == "/logs/host0.xplane.pb"
        lies = data[program.offset : program.offset + program.length]
        assert lies == program.name.encode()


@pytest.mark.parametrize("stat", ["Hlo Proto", "HLO Proto", "hlo_proto"])
def test_programs_of_every_writer_are_found(stat: str) -> None:
    space = XSpace()
    plane = space.plane("/host:metadata")
    plane.shared_stat("jit_step(18446744073709551615)", stat, b"proto")
    found = [(program.name, program.program_id) for program in read(space).programs]
    expected = [] if stat == "hlo_proto" else [("jit_step(18446744073709551615)", -1)]
    assert found == expected


def test_a_programs_id_is_its_stat_then_its_name_then_its_key() -> None:
    space = XSpace()
    plane = space.plane("/host:metadata")
    plane.shared_stat("named(5)", "program_id", UInt(6)).shared_stat("named(5)", "Hlo Proto", b"a")
    plane.shared_stat("named(7)", "Hlo Proto", b"b")
    plane.events["nameless"] = -42
    plane.shared_stat("nameless", "Hlo Proto", b"c")
    plane.shared_stat("not a program", "Hlo Proto", Text("text"))
    assert [program.program_id for program in read(space).programs] == [6, 7, -42]
