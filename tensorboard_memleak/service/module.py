"""One program: its memory against program order, its allocations, its buffers, what is live."""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from tensorboard_memleak.analysis.program.layout import drawn_buffers, stacked_allocations
from tensorboard_memleak.analysis.program.lifetimes import lifetimes, memory_spaces
from tensorboard_memleak.analysis.program.live import live_buffers
from tensorboard_memleak.analysis.program.overview import ProgramOverview
from tensorboard_memleak.analysis.program.sites import kind_text
from tensorboard_memleak.analysis.program.thinning import thinned_points
from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import AllocationKind, Program
from tensorboard_memleak.report.findings import finding_payload
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.module_buffers import BufferTable
from tensorboard_memleak.service.programs import peak_bytes, program_id_on_wire
from tensorboard_memleak.service.wire import JSON, Payload

MOST_POINTS: Final = 2000
MOST_BUFFERS: Final = 5000
MOST_ALLOCATIONS: Final = 2000
MOST_LIVE: Final = 500
_SPACE_NAMES: Final = {0: "device memory", 5: "host memory"}


def module(
    finder: LeakFinder,
    session: str,
    host: str,
    program_id: int,
    memory_space: int = 0,
    name: str | None = None,
    point: int | None = None,
) -> Payload:
    """Return one memory space of one program; `point` chooses what is listed as live."""
    found = finder.programs(finder.host_files(session, host)).program(program_id, name)
    program = found.diagnosis.program
    lives = found.diagnosis.lives if memory_space == 0 else lifetimes(program, memory_space)
    chosen = lives.peak_point if point is None else point
    if point is not None and not 0 <= point < len(lives):
        raise BadRequest(
            f"Program {program.name} has no point {point}.",
            f"Its points are 0 to {len(lives) - 1}." if len(lives) else "It has no points at all.",
        )
    table = BufferTable(program, lives)
    drawn, left_out = drawn_buffers(program, lives, MOST_BUFFERS)
    shown = table.columns(drawn)
    live = _live(table, program, lives, chosen)
    return {
        **_head(found),
        "memory_space": memory_space,
        "memory_spaces": [_space(program, space) for space in memory_spaces(program)],
        "allocated": _allocated(lives),
        "peak": {
            "point": None if lives.peak_point == NO_POINT else lives.peak_point,
            "bytes": peak_bytes(found) if memory_space == 0 else lives.peak_bytes,
            "unpadded_bytes": lives.peak_unpadded_bytes,
        },
        "points": _points(table, lives),
        "allocations": _allocations(program, lives),
        "buffers": {"total": len(drawn) + left_out, "left_out": left_out, "columns": shown},
        "live": live,
        "strings": table.strings(),
    }


def _head(found: ProgramOverview) -> Payload:
    program, usage = found.diagnosis.program, found.usage
    number = program_id_on_wire(program.program_id)
    return {
        "name": program.name,
        "program_id": number,
        "xprof_name": f"{program.name}({number})",
        "instructions": len(program.instructions),
        "computations": len(program.computations),
        "logical_buffers": len(program.buffers),
        "generated_code_bytes": program.generated_code_bytes,
        "compilations": found.compilations,
        "runs": usage.runs if usage else None,
        "alive_outputs": usage.alive_outputs if usage else None,
        "alive_output_bytes": usage.alive_output_bytes if usage else None,
        "findings": cast("JSON", [finding_payload(one) for one in found.diagnosis.findings]),
        "warnings": wire.notices(program.notices),
    }


def _space(program: Program, space: int) -> JSON:
    here = program.allocations.memory_space == space
    return {
        "memory_space": space,
        "name": _SPACE_NAMES.get(space, f"memory space {space}"),
        "bytes": int(program.allocations.size_bytes[here].sum()),
    }


def _allocated(lives: Lifetimes) -> JSON:
    found = lives.allocated
    return {
        "total_bytes": found.total,
        "parameter_bytes": found.parameter,
        "output_bytes": found.output,
        "aliased_bytes": found.aliased,
        "constant_bytes": found.constant,
        "temporary_bytes": found.temporary,
        "whole_program_bytes": found.whole_program,
        "untraced_bytes": found.untraced,
        "fragmentation_bytes": max(0, found.total - lives.peak_bytes),
    }


def _points(table: BufferTable, lives: Lifetimes) -> JSON:
    points = thinned_points(lives.heap_bytes, MOST_POINTS)
    return {
        "total": len(lives),
        "merged": len(points) < len(lives),
        "columns": {
            "point": points.tolist(),
            "heap_bytes": lives.heap_bytes[points].tolist(),
            "unpadded_heap_bytes": lives.unpadded_heap_bytes[points].tolist(),
            "instruction": table.instruction_names(lives.instruction[points]),
        },
    }


def _allocations(program: Program, lives: Lifetimes) -> JSON:
    allocations = program.allocations
    rows, base_bytes = stacked_allocations(program, lives)
    total = len(rows)
    if total > MOST_ALLOCATIONS:
        largest = np.sort(
            np.argsort(-allocations.size_bytes[rows], kind="stable")[:MOST_ALLOCATIONS]
        )
        rows, base_bytes = rows[largest], base_bytes[largest]
    return {
        "total": total,
        "left_out": total - len(rows),
        "columns": {
            "allocation": allocations.index[rows].tolist(),
            "base_bytes": base_bytes.tolist(),
            "size_bytes": allocations.size_bytes[rows].tolist(),
            "kind": [kind_text(AllocationKind(kind)) for kind in allocations.kind[rows].tolist()],
            "is_output": allocations.is_output[rows].tolist(),
            "is_aliased": allocations.is_aliased[rows].tolist(),
            "lives_whole_program": lives.lasting[rows].tolist(),
            "parameter": wire.known(allocations.parameter_number[rows]),
        },
    }


def _live(table: BufferTable, program: Program, lives: Lifetimes, point: int) -> JSON:
    """Write what holds memory at a point, the largest first; the rest is added up."""
    rows = live_buffers(program, lives, point)
    sizes = program.buffers.size_bytes
    ranked = rows[np.argsort(-sizes[rows], kind="stable")]
    shown, rest = ranked[:MOST_LIVE], ranked[MOST_LIVE:]
    return {
        "point": None if point == NO_POINT else point,
        "total": len(rows),
        "bytes": int(sizes[rows].sum()),
        "left_out": len(rest),
        "left_out_bytes": int(sizes[rest].sum()),
        "columns": table.columns(shown),
    }
