from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tensorboard_memleak.analysis.program.arguments import argument_of
from tensorboard_memleak.analysis.program.donation import missing_donations
from tensorboard_memleak.analysis.program.donation_advice import donation_findings
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Computation, Hlo, Instruction, array, f32, tuple_of

KIB = 1024


@dataclass
class Step:
    """A jitted function of named arguments; every array has 16 KiB unless it says otherwise."""

    name: str = "jit_step"
    function: str = "step"
    arguments: list[Instruction] = field(default_factory=list)
    outputs: list[Instruction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hlo = Hlo(self.name)
        self.frame = self.hlo.frame("train.py", 5, self.function) if self.function else 0
        self.main = self.hlo.computation("main")

    def takes(self, label: str, shape: bytes | None = None, size: int = 16 * KIB) -> Instruction:
        number = len(self.arguments)
        shape = shape or f32(64, 64)
        argument = self.main.parameter(number, f"p{number}", shape, op_name=label)
        self.arguments.append(argument)
        self.hlo.allocation(size, [(self.hlo.buffer(argument, size), 0)], parameter=number)
        return argument

    def does(
        self, opcode: str, *operands: Instruction, shape: bytes | None = None, **more: object
    ) -> Instruction:
        name = f"v{len(self.main.instructions)}"
        return self.main.add(
            opcode,
            name,
            shape or f32(64, 64),
            operands,
            frame=self.frame,
            **more,  # type: ignore[arg-type]
        )

    def fusion(self, *operands: Instruction, ops: tuple[str, ...]) -> Instruction:
        """A fusion that chains `ops`, each on the last value and the next operand."""
        inner = self.hlo.computation(f"fused{len(self.hlo.computations)}", scheduled=False)
        values = [inner.parameter(i, f"q{i}", f32(64, 64)) for i in range(len(operands))]
        value = values[0]
        for place, opcode in enumerate(ops):
            value = inner.add(
                opcode, f"i{place}", f32(64, 64), [value, *values[1:][place : place + 1]]
            )
        return self.does("fusion", *operands, calls=[inner])

    def returns(self, *outputs: Instruction) -> Step:
        shapes = [f32(64, 64)] * len(outputs)
        self.main.add("tuple", "root", tuple_of(*shapes), outputs)
        return self

    def missing(self) -> list[tuple[str, tuple[int, ...], int]]:
        found = missing_donations(read_program(self.hlo.encode()))
        return [(one.leaf.label, one.output_index, one.size_bytes) for one in found]

    def findings(self, peak_bytes: int = 100 * KIB) -> list[Finding]:
        return donation_findings(read_program(self.hlo.encode()), peak_bytes)


def sgd(step: Step, label: str = "params['w']") -> tuple[Instruction, Instruction]:
    """Take weights and return them with the gradient applied."""
    weight, batch = step.takes(label), step.takes("batch")
    gradient = step.does("dot", batch, weight)
    return weight, step.does("subtract", weight, gradient)


def test_a_weight_that_comes_back_updated_could_be_donated_and_the_batch_could_not() -> None:
    step = Step()
    _, new = sgd(step)
    assert step.returns(new).missing() == [("params['w']", (0,), 16 * KIB)]


def test_what_is_aliased_already_is_not_advised() -> None:
    step = Step()
    _, new = sgd(step)
    step.returns(new).hlo.alias(output=(0,), parameter=0)
    assert step.missing() == []
    assert step.findings() == []


def test_what_is_read_after_the_update_cannot_be_donated() -> None:
    step = Step()
    weight, new = sgd(step)
    loss = step.does("dot", weight, new)
    assert step.returns(new, loss).missing() == []


@pytest.mark.parametrize("opcode", ["dot", "transpose", "reverse", "gather", "custom-call"])
def test_an_operation_that_moves_elements_cannot_write_over_what_it_reads(opcode: str) -> None:
    step = Step()
    step.returns(step.does(opcode, step.takes("x"), step.takes("y")))
    assert step.missing() == []


def test_fusions_are_looked_into() -> None:
    step = Step()
    weight, gradient = step.takes("w"), step.takes("g")
    step.returns(step.fusion(weight, gradient, ops=("multiply", "negate")))
    assert [label for label, *_ in step.missing()] == ["w"]
    moved = Step()
    weight, gradient = moved.takes("w"), moved.takes("g")
    moved.returns(moved.fusion(weight, gradient, ops=("multiply", "transpose")))
    assert moved.missing() == []


def test_an_update_of_a_slice_writes_into_its_first_operand_only() -> None:
    step = Step()
    cache, row = step.takes("cache"), step.takes("row")
    assert step.returns(step.does("dynamic-update-slice", cache, row)).missing() == [
        ("cache", (0,), 16 * KIB)
    ]
    other = Step()
    cache, row = other.takes("cache"), other.takes("row")
    assert [
        m[0] for m in other.returns(other.does("dynamic-update-slice", row, cache)).missing()
    ] == ["row"]


def loop(step: Step, state: list[Instruction]) -> Instruction:
    body: Computation = step.hlo.computation("body")
    body.parameter(0, "state", tuple_of(*[f32(64, 64)] * len(state)))
    shape = tuple_of(*[f32(64, 64)] * len(state))
    packed = step.main.add("tuple", "init", shape, state)
    return step.main.add("while", "loop", shape, [packed], calls=[body])


def part_of(step: Step, value: Instruction, index: int) -> Instruction:
    from tests.xspace_builder import number_field

    return step.does("get-tuple-element", value, extra=number_field(13, index))


def test_a_loop_carries_a_value_in_place_only_where_it_went_in() -> None:
    step = Step()
    weight, other = step.takes("w"), step.takes("x")
    copied = step.does("copy", weight)
    done = loop(step, [copied, other])
    assert step.returns(part_of(step, done, 0)).missing() == [("w", (0,), 16 * KIB)]
    crossed = Step()
    weight, zeros = crossed.takes("w"), crossed.does("constant")
    done = loop(crossed, [weight, zeros])
    assert crossed.returns(part_of(crossed, done, 1)).missing() == []


def test_an_update_that_is_transposed_on_its_way_out_counts_and_a_product_does_not() -> None:
    step = Step()
    weight, gradient = step.takes("w"), step.takes("g")
    moved = step.fusion(weight, gradient, ops=("subtract", "transpose"))
    assert [m[0] for m in step.returns(step.does("transpose", moved)).missing()] == ["w"]
    product = Step()
    value = product.does("dot", product.takes("x"), product.takes("w"))
    assert product.returns(product.does("tanh", value)).missing() == []


def test_tuples_and_barriers_are_seen_through_part_by_part() -> None:
    step = Step()
    weight, other = step.takes("w"), step.takes("x")
    packed = step.main.add("tuple", "packed", tuple_of(f32(64, 64), f32(64, 64)), [weight, other])
    barrier = step.main.add(
        "optimization-barrier", "b", tuple_of(f32(64, 64), f32(64, 64)), [packed]
    )
    kept, used = part_of(step, barrier, 0), part_of(step, barrier, 1)
    new = step.does("multiply", kept, step.does("dot", used, used))
    late = step.does("dot", used, new)
    assert step.returns(new, late).missing() == [("w", (0,), 16 * KIB)]


def test_arrays_of_a_tuple_argument_are_told_apart() -> None:
    step = Step()
    pair = tuple_of(f32(64, 64), f32(64, 64))
    state = step.main.parameter(0, "state", pair, op_name="state")
    step.hlo.allocation(16 * KIB, parameter=0, parameter_index=(1,))
    first, second = part_of(step, state, 0), part_of(step, state, 1)
    new = step.does("add", second, first)
    late = step.does("dot", first, new)
    assert step.returns(new, late).missing()[0] == ("state[1]", (0,), 16 * KIB)


def test_an_argument_returned_unchanged_is_no_update() -> None:
    step = Step()
    weight = step.takes("w")
    assert step.returns(step.does("copy", weight)).missing() == []


@pytest.mark.parametrize(
    "shape",
    [f32(64, 63), array(4, 64, 64), f32(64, 64, space=5), array(11, 64, 64, tile=(8, 128))],
    ids=["dimensions", "type", "memory space", "layout"],
)
def test_the_shapes_must_be_equal_in_everything(shape: bytes) -> None:
    step = Step()
    weight = step.takes("w", shape)
    assert step.returns(step.does("negate", weight)).missing() == []


def test_the_other_arrays_of_a_donated_argument_are_matched_by_shape() -> None:
    step = Step()
    _, new = sgd(step, "state.w")
    replaced = step.takes("state.last_batch")
    assert replaced
    fresh = step.does("dot", step.arguments[1], step.arguments[1])
    assert [label for label, *_ in step.returns(new, fresh).missing()] == [
        "state.w",
        "state.last_batch",
    ]


def test_every_output_is_taken_once() -> None:
    step = Step()
    weight, momentum = step.takes("w"), step.takes("m")
    both = step.does("add", weight, momentum)
    assert step.returns(both).missing() == [("w", (0,), 16 * KIB)]


def test_the_advice_names_arguments_bytes_and_the_line_to_write() -> None:
    step = Step()
    _, new = sgd(step, "params['w']")
    moved = step.does("add", step.takes("opt[0]"), new)
    scaled = step.does("multiply", step.takes("opt[1]"), moved)
    (finding,) = step.returns(new, moved, scaled).findings()
    assert (finding.kind, finding.severity, finding.confidence) == (
        "missing_donation",
        "medium",
        0.95,
    )
    assert finding.bytes == 48 * KIB
    assert finding.title == "step could write its outputs over opt and params: 48 KiB a device"
    assert 'jax.jit(step, donate_argnames=("opt", "params"))' in finding.advice
    assert "donate_argnums=(0, 2)" in finding.advice
    assert "must not use the old value" in finding.advice
    assert [(part.site.op, part.bytes, part.blocks) for part in finding.parts] == [
        ("opt", 32 * KIB, 2),
        ("params", 16 * KIB, 1),
    ]


def test_small_change_is_not_worth_advice() -> None:
    step = Step()
    _, new = sgd(step)
    assert step.returns(new).findings(peak_bytes=2000 * KIB) == []


def test_functions_of_the_framework_are_left_alone() -> None:
    step = Step("jit_add", function="main")
    step.returns(step.does("add", step.takes("x"), step.takes("y")))
    assert len(step.missing()) == 1
    assert step.findings() == []


def test_one_array_in_and_one_out_is_said_with_less_confidence() -> None:
    step = Step()
    (finding,) = step.returns(step.does("negate", step.takes("x"))).findings()
    assert (finding.severity, finding.confidence) == ("low", 0.6)


def test_arguments_without_name_are_named_by_number() -> None:
    step = Step("SyncTensorsGraph.12", function="")
    _, new = sgd(step, "Arg_0.1")
    (finding,) = step.returns(new).findings()
    assert finding.site.op == "parameter 0"
    assert "donate_argnames" not in finding.advice


def test_a_donation_that_no_output_takes_is_told() -> None:
    step = Step()
    weight = step.takes("w")
    step.returns(step.does("dot", weight, weight)).hlo.donor(parameter=0)
    (finding,) = step.findings()
    assert finding.title == "step is given w and has no output to put there"
    assert (finding.kind, finding.bytes, finding.confidence) == ("missing_donation", 16 * KIB, 1.0)
    assert finding.pattern == "donated in vain"


@pytest.mark.parametrize(
    ("op_name", "argument"),
    [
        ("p[0][1]", "p"),
        ("state.opt_state[0].nu['params']", "state"),
        ("x", "x"),
        ("args[2]['w']", "args[2]"),
        ("kwargs['batch'][0]", "batch"),
        ("jit(train_step)/jit(main)/sub", ""),
        ("Arg_0.1", ""),
        ("", ""),
    ],
)
def test_the_argument_of_a_parameter(op_name: str, argument: str) -> None:
    assert argument_of(op_name) == argument
