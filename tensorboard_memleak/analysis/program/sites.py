"""Buffers and instructions of a program as sites, the words that findings speak of."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.trace import NO_STRING, Int64

_DEEPEST: Final = 4

UNNAMED: Final = "the compiler keeps no framework op for this value"


def instruction_site(program: Program, row: int, shape: str = "", region: str = "") -> Site:
    """Return the site of an instruction: its framework op, else its HLO name."""
    if row == NO_ROW:
        return Site("", shape, "", region, "", (), "unknown", "the buffer has no instruction")
    rows, strings = program.instructions, program.strings
    own_name, own_shape = strings[rows.name[row]], program.shapes[rows.shape[row]]
    row = told_by(program, row)
    op_name = strings[rows.op_name[row]]
    stack = tuple(strings[frame] for frame in program.stacks.path(int(rows.stack[row])))
    if not stack and strings[rows.source_file[row]]:
        stack = (f"{strings[rows.source_file[row]]}:{rows.source_line[row]}",)
    return Site(
        op=op_name or own_name,
        shape=shape or own_shape.text,
        dtype="" if shape else own_shape.element_type,
        region=region,
        thread="",
        stack=stack,
        source="hlo",
        unknown_why="" if op_name else UNNAMED,
    )


def told_by(program: Program, row: int) -> int:
    """Return the instruction that tells where an instruction comes from.

    A fusion often has no framework op of its own; the root of what it computes has.
    """
    rows = program.instructions
    for _ in range(_DEEPEST):
        called = rows.called_by(row)
        if rows.op_name[row] != NO_STRING or not called:
            break
        root = int(program.computations.root[called[0]])
        if root == NO_ROW:
            break
        row = root
    return row


def buffer_site(program: Program, buffer: int) -> Site:
    """Return the site of a buffer; the region says what its allocation is for."""
    buffers = program.buffers
    row = int(buffers.shape[buffer])
    kind = buffer_kind(program, buffer)
    text = program.shapes[row].text if row != NO_ROW else ""
    return instruction_site(program, int(buffers.instruction[buffer]), text, kind_text(kind))


def buffer_kind(program: Program, buffer: int) -> AllocationKind:
    """Return what the allocation of a buffer is for; one without allocation is a temporary."""
    allocation = int(program.buffers.allocation[buffer])
    if allocation == NO_ROW:
        return AllocationKind.TEMPORARY
    return AllocationKind(int(program.allocations.kind[allocation]))


def allocation_site(program: Program, allocation: int, main_buffer: int) -> Site:
    """Return the site of an allocation; that of temporaries is shared by many values."""
    kind = AllocationKind(int(program.allocations.kind[allocation]))
    if main_buffer != NO_ROW and kind != AllocationKind.TEMPORARY:
        return buffer_site(program, main_buffer)
    return Site(
        op=f"{kind_text(kind)} memory of {program.name.partition('(')[0]}",
        shape="",
        dtype="",
        region=kind_text(kind),
        thread="",
        stack=(),
        source="hlo",
    )


def named_buffers(program: Program, lives: Lifetimes) -> Int64:
    """Return for each buffer the one to name its memory by.

    That is itself if its instruction has a framework op, else the first to share its memory whose
    instruction has one: a stack of activations begins as zeros that nobody named.
    """
    buffers = program.buffers
    op_name = np.append(program.instructions.op_name, NO_STRING)[buffers.instruction]
    names = np.arange(len(buffers))
    sharers = np.flatnonzero((op_name != NO_STRING) & (lives.born != NO_POINT))
    first_last = sharers[np.argsort(-lives.born[sharers], kind="stable")]
    by_holder = names.copy()
    by_holder[lives.holder[first_last]] = first_last
    named: Int64 = np.where(op_name != NO_STRING, names, by_holder)
    return named


def kind_text(kind: AllocationKind) -> str:
    """Return how a person calls a kind of allocation."""
    return kind.name.lower().replace("_", "-")
