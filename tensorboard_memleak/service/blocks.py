"""Blocks on the wire, one row a life of an address."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tensorboard_memleak.analysis.steps import step_numbers
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.wire import JSON, Payload

_END_NAMES = {BlockEnd.FREED: "freed", BlockEnd.SURVIVED: "survived", BlockEnd.LOST: "lost"}
PRE_WINDOW = "pre-window"


def block_columns(analysis: MemoryAnalysis, trace: HostTrace, rows: Int64) -> Payload:
    """Write some blocks; what belongs to a birth outside the window is `null` or empty."""
    blocks, events = analysis.blocks, analysis.memory.events
    birth = blocks.birth_event[rows]
    born = birth != UNKNOWN
    at = np.maximum(birth, 0)
    freed = blocks.free_event[rows] != UNKNOWN
    return {
        "block": rows.tolist(),
        "address": wire.addresses(blocks.address[rows]),
        "born_ns": _where(born, wire.since_start_ns(blocks.born_ps[rows], trace)),
        "freed_ns": _where(freed, wire.since_start_ns(blocks.freed_ps[rows], trace)),
        "born_step": _step_names(analysis, analysis.block_steps.birth[rows]),
        "age_steps": wire.known(age_steps(analysis, rows)),
        "requested_bytes": wire.known(blocks.requested_bytes[rows]),
        "allocation_bytes": wire.known(blocks.allocation_bytes[rows]),
        "thread": _where(born, wire.thread_names(events.thread[at], trace), ""),
        "shape": _where(born, wire.texts(events.shape[at], trace), ""),
        "dtype": _where(born, wire.texts(events.dtype[at], trace), ""),
        "site": analysis.sites.of_block[rows].tolist(),
        "end": end_names(analysis, rows),
    }


def end_names(analysis: MemoryAnalysis, rows: Int64) -> list[str]:
    """Say how each block's life ends; one that was born before the window says that."""
    ends = analysis.blocks.end[rows].tolist()
    before = (analysis.blocks.birth_event[rows] == UNKNOWN).tolist()
    return [
        PRE_WINDOW if early else _END_NAMES[BlockEnd(end)]
        for end, early in zip(ends, before, strict=True)
    ]


def age_steps(analysis: MemoryAnalysis, rows: Int64) -> Int64:
    """Return through how many steps each block lived: to its release, or the end of the window."""
    steps = analysis.block_steps
    birth = steps.birth[rows].astype(np.int64)
    kept = analysis.blocks.end[rows] == BlockEnd.SURVIVED
    until = np.where(kept, len(analysis.steps), steps.free[rows])
    return np.where((birth == UNKNOWN) | (until == UNKNOWN), UNKNOWN, until - birth)


def _step_names(
    analysis: MemoryAnalysis, step: np.ndarray[tuple[int], np.dtype[np.int32]]
) -> list[JSON]:
    names: list[JSON] = [*step_numbers(analysis.steps)]
    return [None if one == UNKNOWN else names[one] for one in step.tolist()]


def _where(
    told: np.ndarray[tuple[int], np.dtype[np.bool_]],
    values: Sequence[JSON],
    otherwise: str | None = None,
) -> list[JSON]:
    return [
        value if is_told else otherwise
        for value, is_told in zip(values, told.tolist(), strict=True)
    ]
