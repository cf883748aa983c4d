"""A serialized HloProto -> `model.program.Program`."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.program import Alias, Program
from tensorboard_memleak.readers.hlo_buffers import read_allocations, read_buffers
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.hlo_module import read_module
from tensorboard_memleak.readers.hlo_shapes import Shapes
from tensorboard_memleak.readers.hlo_stacks import read_stacks
from tensorboard_memleak.readers.hlo_traces import read_traces
from tensorboard_memleak.readers.packed import unpacked
from tensorboard_memleak.readers.proto import hlo_pb2
from tensorboard_memleak.readers.strings import Strings

_ID_BITS: Final = 1 << 64
"""Ids are unsigned; a signed column of the profile shows large ones as negative."""


def read_program(data: bytes, *, name: str = "", program_id: int = 0, path: str = "") -> Program:
    """Read one module; `name` and `program_id` are those of the profile, else the proto's own.

    A damaged part is left out and told in `notices`. Raises `UnreadableFile` where the bytes are
    not an HLO proto at all.
    """
    hlo = _parse(unpacked(data, path or name), name or path)
    module = hlo.module
    name = name or module.name.decode("utf-8", "replace")
    faults = Faults()
    strings, shapes = Strings(), Shapes()
    sources = read_stacks(module.stack_frame_index, strings, faults)
    tables = read_module(module, strings, shapes, sources, faults)
    allocations = read_allocations(hlo.buffer_assignment, faults)
    buffers = read_buffers(hlo, tables, shapes, faults)
    row_of_buffer = {number: row for row, number in enumerate(buffers.id.tolist())}
    traces = read_traces(hlo.buffer_assignment, module, row_of_buffer, faults)
    code_bytes = sum(
        instruction.metadata.size_of_generated_code_in_bytes
        for computation in module.computations
        for instruction in computation.instructions
    )
    return Program(
        name=name,
        program_id=(program_id or module.id) % _ID_BITS,
        path=path,
        strings=strings.all(),
        shapes=shapes.all(),
        stacks=sources.stacks,
        computations=tables.computations,
        instructions=tables.instructions,
        entry=tables.entry,
        allocations=allocations,
        buffers=buffers,
        traces=traces,
        aliases=_aliases(module),
        donors=_donors(module),
        generated_code_bytes=code_bytes if code_bytes > 0 else None,
        notices=faults.notices(name),
    )


def _parse(data: bytes, label: str) -> hlo_pb2.Hlo:
    """Parse an HloProto, or the bare HloModuleProto that some tools write instead."""
    hlo = hlo_pb2.Hlo()
    try:
        hlo.ParseFromString(data)
    except DecodeError:
        hlo = hlo_pb2.Hlo()
    if not hlo.module.computations:
        try:
            module = hlo_pb2.Module.FromString(data)
        except DecodeError:
            module = hlo_pb2.Module()
        if module.computations:
            hlo = hlo_pb2.Hlo(module=module)
    if not hlo.module.computations:
        raise UnreadableFile(
            f"{label or 'The module'} does not hold an HLO module.",
            "The file is empty, cut short or of another kind. Record the profile again.",
        )
    return hlo


def _aliases(module: hlo_pb2.Module) -> tuple[Alias, ...]:
    return tuple(
        Alias(
            tuple(entry.output_shape_index),
            entry.parameter_number,
            tuple(entry.parameter_shape_index),
        )
        for entry in module.input_output_alias.entries
    )


def _donors(module: hlo_pb2.Module) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple(
        (entry.parameter_number, tuple(entry.parameter_shape_index))
        for entry in module.buffer_donor.entries
    )
