"""Damaged modules: whatever the bytes are, they are read, or told to be unreadable."""

from __future__ import annotations

import json
import random
from contextlib import suppress

import numpy as np
import pytest

from tensorboard_memleak.analysis.program.layout import drawn_buffers
from tensorboard_memleak.analysis.program.lifetimes import lifetimes, memory_spaces
from tensorboard_memleak.analysis.program.overview import overview
from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.readers.hlo import read_program
from tensorboard_memleak.service.module_buffers import BufferTable
from tests.hlo_builder import Hlo, array, f32, tuple_of
from tests.xspace_builder import number_field

ODD = (0, 1, 2, 7, 0x7F, 0x80, 0xFF)


def everything() -> bytes:
    """A module with one of each thing that refers to another."""
    hlo = Hlo("jit_step", 9)
    inner = hlo.frame("model.py", 3, "step", parent=hlo.frame("train.py", 8, "main"))
    main, body = hlo.computation("main"), hlo.computation("body")
    fused = hlo.computation("fused", scheduled=False)
    fused.add("negate", "n", f32(8, 8), [fused.parameter(0, "q", f32(8, 8))])
    body.add("tuple", "t", tuple_of(f32(8, 8)), [body.parameter(0, "s", tuple_of(f32(8, 8)))])
    weight = main.parameter(0, "w", f32(8, 8), op_name="state['w']")
    batch = main.parameter(1, "x", array(16, 8, 8, tile=(8, 128)), op_name="x")
    made = main.add(
        "fusion", "made", f32(8, 8), [weight], calls=[fused], op_name="a/jvp(b)", frame=inner
    )
    packed = main.add("tuple", "packed", tuple_of(f32(8, 8), f32(8, 8)), [made, batch])
    loop = main.add("while", "loop", tuple_of(f32(8, 8), f32(8, 8)), [packed], calls=[body])
    taken = main.add("get-tuple-element", "taken", f32(8, 8), [loop], extra=number_field(13, 1))
    main.add("tuple", "root", tuple_of(f32(8, 8), f32(8, 8)), [taken, made])
    ids = [hlo.buffer(one, 256) for one in (weight, batch, made, taken)]
    ids += [hlo.buffer(loop, 256, index=(1,)), hlo.buffer(loop, 64, index=(), space=1)]
    hlo.allocation(256, [(ids[0], 0)], parameter=0, live_out=True)
    hlo.allocation(256, [(ids[1], 0)], parameter=1)
    hlo.allocation(256, [(ids[3], 0)], live_out=True)
    hlo.allocation(1024, [(ids[2], 0), (ids[4], 256)], sizes={ids[2]: 256, ids[4]: 256})
    hlo.allocation(64, [(ids[5], 0)], space=1)
    hlo.trace(("alloc", ids[2]), ("share", ids[4], ids[2]), ("free", ids[2]), ("free", ids[4]))
    hlo.trace(("alloc", ids[5]), ("free", ids[5]))
    hlo.alias(output=(0,), parameter=0)
    hlo.donor(parameter=1)
    return hlo.encode()


def use(data: bytes) -> None:
    """Do everything with a module that the page and the report do."""
    program = read_program(data, path="damaged.hlo.pb")
    overview([program, program, program])
    for space in memory_spaces(program)[:3]:
        lives = lifetimes(program, space)
        assert lives.heap_bytes.min(initial=0) >= 0
        rows, _ = drawn_buffers(program, lives, 3)
        table = BufferTable(program, lives)
        json.dumps([table.columns(rows), table.strings()], allow_nan=False)


def test_the_undamaged_module_is_read() -> None:
    use(everything())


@pytest.mark.parametrize("seed", range(8))
def test_flipped_bytes_never_crash(seed: int) -> None:
    chance, data = random.Random(seed), everything()
    for _ in range(60):
        damaged = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            place = chance.randrange(len(damaged))
            damaged[place] = chance.choice(ODD) if chance.random() < 0.5 else chance.randrange(256)
        with np.errstate(all="raise"), suppress(UnreadableFile):
            use(bytes(damaged))


def test_a_module_that_is_cut_short_is_unreadable_or_read() -> None:
    data = everything()
    read = 0
    for end in range(0, len(data), 7):
        try:
            use(data[:end])
        except UnreadableFile:
            continue
        read += 1
    assert read < len(data) // 7  # most cuts fall into the middle of a field
