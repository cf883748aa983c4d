"""Bytes of a memory space by what its allocations are for."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.lifetimes import SpaceBytes
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Int64


def space_bytes(program: Program, memory_space: int, lasting: Bool) -> SpaceBytes:
    """Add up the allocations of one memory space; `lasting` marks those of whole-program life.

    Thread-local allocations stand apart, outside the totals: they are scalars inside reductions
    and fusions, on the stack or in registers, never a piece of the heap.
    """
    allocations = program.allocations
    thread_local = allocations.kind == AllocationKind.THREAD_LOCAL
    here = (allocations.memory_space == memory_space) & ~thread_local
    is_parameter = allocations.kind == AllocationKind.PARAMETER
    temporary = allocations.kind == AllocationKind.TEMPORARY

    def total(of: Bool, size_bytes: Int64 = allocations.size_bytes) -> int:
        return int(size_bytes[here & of].sum())

    return SpaceBytes(
        total=total(np.ones_like(here)),
        parameter=total(is_parameter),
        output=total(allocations.is_output),
        aliased=total(is_parameter & allocations.is_output),
        constant=total(allocations.kind == AllocationKind.CONSTANT),
        temporary=total(temporary),
        whole_program=total(lasting),
        whole_program_unpadded=total(lasting, unpadded_sizes(program)),
        untraced=total(lasting & temporary),
    )


def kind_bytes(program: Program, kind: AllocationKind) -> int:
    """Add up the allocations of one kind in all memory spaces."""
    allocations = program.allocations
    return int(allocations.size_bytes[allocations.kind == kind].sum())


def main_buffers(program: Program) -> Int64:
    """Return the buffer that stands for each allocation: its largest, the first of equals.

    `NO_ROW` where nothing is assigned to an allocation.
    """
    buffers = program.buffers
    main = np.full(len(program.allocations), NO_ROW, np.int64)
    rows = np.flatnonzero(buffers.allocation != NO_ROW)
    # Written smallest first and, among equals, last first: the largest and first one remains.
    order = rows[np.lexsort((-rows, buffers.size_bytes[rows]))]
    main[buffers.allocation[order]] = order
    return main


def unpadded_sizes(program: Program) -> Int64:
    """Return allocation sizes less the padding of the main buffer of each."""
    buffers = program.buffers
    padding = np.where(
        buffers.unpadded_bytes == UNKNOWN, 0, buffers.size_bytes - buffers.unpadded_bytes
    )
    main = main_buffers(program)
    sizes: Int64 = program.allocations.size_bytes - np.append(padding, 0)[main]
    return sizes
