from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.program.lifetimes import lifetimes
from tensorboard_memleak.analysis.program.long_buffers import long_buffer_findings, peak_without
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import Hlo, f32

MIB = 1 << 20
FORWARD = "jit(step)/jvp(model)/layer{}/dot_general"
BACKWARD = "jit(step)/transpose(jvp(model))/layer{}/dot_general"


class Training:
    """A step whose forward pass makes buffers a, b, ... and whose backward pass frees them."""

    def __init__(self) -> None:
        self.hlo = Hlo("jit_step")
        self.main = self.hlo.computation("main")
        self.events: list[tuple[str, int]] = []
        self.buffers: list[int] = []

    def make(self, op_name: str, size: int) -> int:
        made = self.main.add("dot", f"v{len(self.buffers)}", f32(size // 4), op_name=op_name)
        self.buffers.append(self.hlo.buffer(made, size))
        self.events.append(("alloc", self.buffers[-1]))
        return self.buffers[-1]

    def free(self, buffer: int) -> None:
        self.events.append(("free", buffer))

    def findings(self) -> list[Finding]:
        self.hlo.allocation(10_000 * MIB, [(number, 0) for number in self.buffers])
        self.hlo.trace(*self.events)
        program = read_program(self.hlo.encode())
        return long_buffer_findings(program, lifetimes(program))


def train(layers: int, forward: str = FORWARD, backward: str = BACKWARD) -> Training:
    step = Training()
    kept = [step.make(forward.format(i), 4 * MIB) for i in range(layers)]
    for i, buffer in reversed(list(enumerate(kept))):
        gradient = step.make(backward.format(i), MIB)
        step.free(buffer)
        step.free(gradient)
    return step


def test_activations_that_wait_for_the_backward_pass_are_recognised() -> None:
    (finding,) = train(6).findings()
    assert finding.kind == "program_long_buffer"
    assert finding.title == "step: 24 MiB of activations kept for the backward pass at the peak"
    assert (finding.bytes, finding.blocks, finding.severity) == (24 * MIB, 6, "medium")
    assert "24 MiB lower than 25 MiB" in finding.detail
    assert "jax.checkpoint" in finding.advice
    # The one that is made first and freed last costs most.
    assert finding.parts[0].site.op == FORWARD.format(0)
    assert [part.bytes for part in finding.parts] == [4 * MIB] * 6


def test_the_names_of_tensorflow_tell_only_the_backward_pass() -> None:
    findings = train(6, "model/dense{}/MatMul", "gradient_tape/model/dense{}/MatMul").findings()
    assert [f.title.partition(": ")[2] for f in findings] == [
        "12 MiB of temporaries that live long at the peak"
    ]


def test_a_stack_of_activations_that_begins_as_zeros_is_named_by_what_fills_it() -> None:
    step = Training()
    zeros = step.make("", 64 * MIB)
    filled = step.main.add("fusion", "filled", f32(16 * MIB), op_name=FORWARD.format(9))
    sharer = step.hlo.buffer(filled, 64 * MIB)
    step.events.append(("share", sharer, zeros))  # type: ignore[arg-type]
    step.free(zeros)
    for i in range(4):
        step.free(step.make(FORWARD.format(i), MIB))
    for i in range(4):
        step.free(step.make(BACKWARD.format(i), MIB))
    step.free(sharer)
    (finding,) = step.findings()
    assert "activations" in finding.title
    assert finding.parts[0].site.op == FORWARD.format(9)


def test_temporaries_that_live_through_most_of_the_program_are_told() -> None:
    step = Training()
    table = step.make("jit(step)/table", 100 * MIB)
    for i in range(10):
        step.free(step.make(f"jit(step)/work{i}", 10 * MIB))
    step.free(table)
    (finding,) = step.findings()
    assert finding.title == "step: 100 MiB of temporaries that live long at the peak"
    assert finding.parts[0].detail == (
        "Lives from point 0 to 21 of 22; without it the peak would be 100 MiB lower."
    )


def test_short_lives_and_short_programs_say_nothing() -> None:
    step = Training()
    for i in range(10):
        step.free(step.make(f"jit(step)/work{i}", 10 * MIB))
    assert step.findings() == []
    assert train(2).findings() == []


def test_the_peak_without_a_buffer_may_lie_elsewhere() -> None:
    step = Training()
    first = step.make("a", 10 * MIB)
    step.free(first)
    second = step.make("b", 8 * MIB)
    step.free(second)
    step.hlo.allocation(100 * MIB, [(first, 0), (second, 0)])
    step.hlo.trace(*step.events)
    program = read_program(step.hlo.encode())
    lives = lifetimes(program)
    assert peak_without(program, lives, np.array([True, False])) == 8 * MIB
    assert peak_without(program, lives, np.array([True, True])) == 0
