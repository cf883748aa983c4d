"""The compiler's buffer assignment: logical buffers and the allocations they share."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Allocations, Buffers
from tensorboard_memleak.model.shapes import Shape
from tensorboard_memleak.model.trace import UNKNOWN
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.hlo_module import ModuleTables
from tensorboard_memleak.readers.hlo_shapes import Shapes
from tensorboard_memleak.readers.proto import hlo_pb2

MOST_BYTES: Final = 1 << 46
"""Sizes and offsets beyond 64 TiB are damage: no device has them, and their sums could overflow."""

_NO_ASSIGNMENT: Final = (
    "The module has no buffer assignment: what it does with memory is unknown.",
    "A module that was never compiled for a device has none. Record a profile while the program "
    "runs, with HLO protos enabled (JAX: ProfileOptions.enable_hlo_proto).",
)


def read_allocations(assignment: hlo_pb2.BufferAssignment, faults: Faults) -> Allocations:
    """Read the allocations, in the proto's order."""
    protos = assignment.buffer_allocations
    if not protos:
        faults.tell("no_buffer_assignment", *_NO_ASSIGNMENT)
    faulty = sum(not 0 <= proto.size <= MOST_BYTES for proto in protos)
    faults.add("allocations of an impossible size, counted as 0 bytes", faulty)
    return Allocations(
        index=np.array([p.index for p in protos], np.int64),
        size_bytes=np.array([_believable(p.size) for p in protos], np.int64),
        memory_space=np.array([p.color for p in protos], np.int64),
        kind=np.array([_kind(p) for p in protos], np.uint8),
        is_output=np.array([p.maybe_live_out for p in protos], np.bool_),
        is_aliased=np.array([_is_aliased(p) for p in protos], np.bool_),
        is_tuple=np.array([p.is_tuple for p in protos], np.bool_),
        parameter_number=np.array([_parameter_number(p) for p in protos], np.int64),
        parameter_index=tuple(tuple(p.parameter_shape_index) for p in protos),
    )


def _kind(proto: hlo_pb2.BufferAllocation) -> AllocationKind:
    """Return what an allocation is for, by the precedence of `AllocationKind`."""
    if proto.is_entry_computation_parameter:
        return AllocationKind.PARAMETER
    if proto.maybe_live_out:
        return AllocationKind.OUTPUT
    if proto.is_thread_local:
        return AllocationKind.THREAD_LOCAL
    return AllocationKind.CONSTANT if proto.is_constant else AllocationKind.TEMPORARY


def _is_aliased(proto: hlo_pb2.BufferAllocation) -> bool:
    """Whether a parameter's memory is given to an output: older compilers only mark it live-out."""
    handed_on = proto.is_entry_computation_parameter and proto.maybe_live_out
    return proto.is_parameter_aliased_with_output or handed_on


def _parameter_number(proto: hlo_pb2.BufferAllocation) -> int:
    return proto.parameter_number if proto.is_entry_computation_parameter else UNKNOWN


def _believable(size: int) -> int:
    return size if 0 <= size <= MOST_BYTES else 0


def read_buffers(hlo: hlo_pb2.Hlo, module: ModuleTables, shapes: Shapes, faults: Faults) -> Buffers:
    """Read the logical buffers, each with its definition and its place in an allocation."""
    assignment = hlo.buffer_assignment
    by_id: dict[int, hlo_pb2.LogicalBuffer] = {}
    for proto in assignment.logical_buffers:
        by_id.setdefault(proto.id, proto)
    buffers = list(by_id.values())
    faults.add("buffers with an id of another", len(assignment.logical_buffers) - len(buffers))
    faulty = sum(not 0 <= proto.size <= MOST_BYTES for proto in buffers)
    faults.add("buffers of an impossible size, counted as 0 bytes", faulty)
    places = _places(assignment, faults)
    faults.add("assigned buffers that do not exist", len(places.keys() - by_id.keys()))
    homes = [places.get(number, (NO_ROW, UNKNOWN)) for number in by_id]
    instructions = _definitions(buffers, hlo.module, module.row_of_id, faults)
    indices = tuple(tuple(proto.defined_at.shape_index) for proto in buffers)
    shape_of = module.instructions.shape.tolist()
    known = shapes.all()
    parts = [
        None if row == NO_ROW else known[shape_of[row]].part(index)
        for row, index in zip(instructions, indices, strict=True)
    ]
    nowhere = parts.count(None) - instructions.count(NO_ROW)
    faults.add("buffers defined at a part that their shape does not have", nowhere)
    return Buffers(
        id=np.array(list(by_id), np.int64),
        size_bytes=np.array([_believable(proto.size) for proto in buffers], np.int64),
        unpadded_bytes=np.array([_unpadded(part) for part in parts], np.int64),
        memory_space=np.array([proto.color for proto in buffers], np.int64),
        instruction=np.array(instructions, np.int32),
        shape_index=indices,
        shape=np.array(
            [NO_ROW if part is None else shapes.add_shape(part) for part in parts], np.int32
        ),
        allocation=np.array([home[0] for home in homes], np.int32),
        offset_bytes=np.array([home[1] for home in homes], np.int64),
    )


def _unpadded(shape: Shape | None) -> int:
    size = None if shape is None else shape.unpadded_bytes
    return UNKNOWN if size is None else min(size, MOST_BYTES)


def _definitions(
    buffers: list[hlo_pb2.LogicalBuffer],
    module: hlo_pb2.Module,
    row_of_id: dict[int, int],
    faults: Faults,
) -> list[int]:
    """Return the row of the instruction that makes each buffer; older protos give only its name."""
    row_of_name: dict[bytes, int] = {}
    if any(proto.defined_at.instruction_name for proto in buffers):
        instructions = (i for computation in module.computations for i in computation.instructions)
        row_of_name = {instruction.name: row for row, instruction in enumerate(instructions)}
    rows = [
        row_of_name.get(proto.defined_at.instruction_name, NO_ROW)
        if proto.defined_at.instruction_name
        else row_of_id.get(proto.defined_at.instruction_id, NO_ROW)
        for proto in buffers
    ]
    faults.add("buffers defined by an instruction that does not exist", rows.count(NO_ROW))
    return rows


def _places(assignment: hlo_pb2.BufferAssignment, faults: Faults) -> dict[int, tuple[int, int]]:
    """Return the allocation row and the offset of each buffer id."""
    places: dict[int, tuple[int, int]] = {}
    outside = twice = 0
    for row, allocation in enumerate(assignment.buffer_allocations):
        for assigned in allocation.assigned:
            end = assigned.offset + assigned.size
            outside += assigned.offset < 0 or assigned.size < 0 or end > allocation.size
            twice += assigned.logical_buffer_id in places
            offset = max(-MOST_BYTES, min(MOST_BYTES, assigned.offset))
            places.setdefault(assigned.logical_buffer_id, (row, offset))
    faults.add("buffers that reach outside their allocation", outside)
    faults.add("buffers assigned more than once", twice)
    return places
