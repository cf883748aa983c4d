from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.program.differences import differences
from tensorboard_memleak.analysis.program.overview import overview
from tensorboard_memleak.analysis.program.recompilation import recompilation
from tensorboard_memleak.analysis.program.versions import group_versions
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.join import Usage
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Hlo, array, f32
from tests.xspace_builder import bytes_field


def version(
    number: int,
    rows: int = 8,
    *,
    element: int = 11,
    constant: int = 0,
    extra_ops: int = 0,
    name: str = "jit_step",
    function: str = "step",
    line: int = 5,
) -> Program:
    """One version of a function of the person's own, with 4 KiB of constants."""
    hlo = Hlo(name, number)
    frame = hlo.frame("train.py", line, function)
    main = hlo.computation("main")
    value = main.parameter(0, "x", array(element, rows, 16), op_name="x")
    table = main.add("constant", "c", f32(1024), extra=bytes_field(8, bytes([1 + constant])))
    hlo.allocation(4096, [(hlo.buffer(table, 4096), 0)], constant=True)
    for place in range(1 + extra_ops):
        value = main.add("add", f"v{place}", array(element, rows, 16), [value], frame=frame)
    return read_program(hlo.encode())


def used(runs: int | None, first_run_ps: int | None = None) -> Usage:
    return Usage(runs, first_run_ps, first_run_ps, 0, 0)


def test_new_shapes_are_named() -> None:
    finding = recompilation([version(i, rows=8 + i) for i in range(6)], [used(1)] * 6)
    assert finding is not None
    assert (finding.kind, finding.severity, finding.confidence) == ("recompilation", "medium", 0.9)
    assert finding.title == "step was compiled 6 times"
    assert "differ in argument shapes, result shapes." in finding.detail
    assert "x is f32[8, 16], f32[9, 16], f32[10, 16] and 3 more." in finding.detail
    assert (finding.blocks, finding.bytes) == (6, 6 * 4096)
    assert "Together they hold 24 KiB of code and constants." in finding.detail
    assert "bucket" in finding.advice


def test_types_constants_and_nothing_are_told_apart() -> None:
    types = differences([version(1), version(2, element=16)])
    assert types.words == "argument types, result shapes"
    values = differences([version(1), version(2, constant=1)])
    assert values.words == "constants (values fixed when it was traced)"
    finding = recompilation([version(i, constant=i) for i in range(3)])
    assert finding is not None
    assert "static or closed-over" in finding.advice
    same = recompilation([version(i) for i in range(3)])
    assert same is not None
    assert same.detail.startswith("The versions are equal.")
    assert "new each time" in same.advice


def test_a_graph_that_grows_is_recognised() -> None:
    finding = recompilation([version(i, extra_ops=3 * i) for i in range(5)])
    assert finding is not None
    assert "more instructions than the one before: 3 to 15." in finding.detail
    assert "mark_step" in finding.advice
    assert finding.confidence == 0.9


def test_few_versions_and_reused_ones_are_no_alarm() -> None:
    assert recompilation([version(1), version(2, rows=9)]) is None
    reused = recompilation([version(i, rows=i + 1) for i in range(6)], [used(50)] * 6)
    assert reused is not None
    assert (reused.severity, reused.confidence) == ("low", 0.6)


def test_operations_of_the_framework_need_many_versions() -> None:
    operations = [version(i, rows=i + 1, name="jit_add", function="main") for i in range(12)]
    assert recompilation(operations[:7]) is None
    finding = recompilation(operations)
    assert finding is not None
    assert finding.severity == "info"


def test_steps_with_new_versions_are_counted() -> None:
    start = np.arange(10, dtype=np.int64) * 100
    steps = Steps(start, start + 80, np.arange(10), "markers")
    usages = [used(1, 100 * i + 10) for i in range(8)] + [used(1, 890), used(None)]
    finding = recompilation([version(i, rows=i + 1) for i in range(10)], usages, steps)
    assert finding is not None
    assert finding.severity == "high"
    assert "8 steps ran a version for the first time." in finding.detail


def groups(*programs: Program) -> list[list[int]]:
    return group_versions(programs)


def test_versions_have_one_name_and_stand_in_order_of_their_ids() -> None:
    assert groups(version(9), version(4), version(1, name="jit_other")) == [[1, 0], [2]]


def test_lambdas_of_one_function_are_told_apart_by_their_line() -> None:
    def lambda_at(line: int, number: int) -> Program:
        return version(number, name="jit__lambda", function="f.<locals>.<lambda>", line=line)

    assert groups(lambda_at(3, 1), lambda_at(9, 2), lambda_at(3, 4)) == [[0, 2], [1]]


def test_counters_in_names_count_only_outside_of_jax() -> None:
    assert groups(version(1, name="jit_layer1"), version(2, name="jit_layer2")) == [[0], [1]]
    lazy = [version(i, name=f"SyncTensorsGraph.{i * 7}") for i in range(3)]
    assert groups(*lazy) == [[0, 1, 2]]


def test_findings_of_versions_are_told_once() -> None:
    programs = [version(i, rows=8 + i) for i in range(5)]
    found = overview(programs)
    assert [one.compilations for one in found] == [5] * 5
    kinds = [[f.kind for f in one.diagnosis.findings] for one in found]
    assert kinds == [[], [], [], [], ["recompilation"]]
    assert found[4].diagnosis.findings[0].id == "p4-1"
    assert found[4].usage is None


def big(number: int, weights: int) -> Program:
    """A version that returns its weights updated."""
    hlo = Hlo("jit_step", number)
    frame = hlo.frame("train.py", 5, "step")
    main = hlo.computation("main")
    w = main.parameter(0, "w", f32(weights), op_name="w")
    x = main.parameter(1, "x", f32(1), op_name="x")
    main.add("add", "new", f32(weights), [w, x], frame=frame)
    hlo.allocation(4 * weights, [(hlo.buffer(w, 4 * weights), 0)], parameter=0)
    return read_program(hlo.encode())


def test_what_several_versions_share_is_told_of_the_largest() -> None:
    found = overview([big(1, 100_000), big(2, 300_000)])
    assert [len(one.diagnosis.findings) for one in found] == [0, 1]
    finding = found[1].diagnosis.findings[0]
    assert (finding.kind, finding.bytes) == ("missing_donation", 1_200_000)
    assert finding.detail.endswith("The same is true of 1 other version of the function.")
