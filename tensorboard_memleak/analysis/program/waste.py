"""Bytes that hold nothing of use at the peak: padding; and constants that could be arguments."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.functions import function_name
from tensorboard_memleak.analysis.program.live import live_buffers
from tensorboard_memleak.analysis.program.sites import buffer_site
from tensorboard_memleak.analysis.program.totals import main_buffers
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.lifetimes import Lifetimes
from tensorboard_memleak.model.program import NO_ROW, AllocationKind, Program
from tensorboard_memleak.model.trace import UNKNOWN, Int64

_LEAST_BYTES: Final = 1 << 20
_LEAST_SHARE: Final = 0.05
"""Waste is told from this size and from this share of the peak on."""
_MOST_PARTS: Final = 5


def waste_findings(program: Program, lives: Lifetimes) -> list[Finding]:
    """Return what padding and constants cost, where that is much."""
    found = (_padding(program, lives), _constants(program, lives))
    return [finding for finding in found if finding is not None]


def _is_much(size_bytes: int, peak_bytes: int) -> bool:
    return size_bytes >= max(_LEAST_BYTES, _LEAST_SHARE * peak_bytes)


def _padding(program: Program, lives: Lifetimes) -> Finding | None:
    """Padding at the peak: bytes of live buffers less the bytes of their elements."""
    wasted = lives.peak_bytes - lives.peak_unpadded_bytes
    if not _is_much(wasted, lives.peak_bytes):
        return None
    buffers = program.buffers
    rows = live_buffers(program, lives, lives.peak_point)
    known = rows[buffers.unpadded_bytes[rows] != UNKNOWN]
    padding = buffers.size_bytes[known] - buffers.unpadded_bytes[known]
    worst = known[np.argsort(-padding, kind="stable")]
    return _told(
        program,
        worst[: max(1, int((padding > 0).sum()))],
        f"{function_name(program)}: {bytes_text(wasted)} of the peak is padding",
        f"The elements take {bytes_text(lives.peak_unpadded_bytes)} of the peak of "
        f"{bytes_text(lives.peak_bytes)}; the rest fills up tiles and alignment.",
        "Make the two minor dimensions multiples of the tile (8 x 128 on TPU, more for narrow "
        "types), or move a small dimension away from the end.",
        wasted,
    )


def _constants(program: Program, lives: Lifetimes) -> Finding | None:
    held = lives.allocated.constant
    if not _is_much(held, lives.peak_bytes):
        return None
    allocations = program.allocations
    here = allocations.memory_space == lives.memory_space
    rows = main_buffers(program)[(allocations.kind == AllocationKind.CONSTANT) & here]
    rows = rows[rows != NO_ROW]
    worst = rows[np.argsort(-program.buffers.size_bytes[rows], kind="stable")]
    return _told(
        program,
        worst,
        f"{function_name(program)} has {bytes_text(held)} of constants built in",
        f"{count_text(len(rows), 'constant')} live as long as the program is loaded, once for "
        "each compiled version of it, whether it runs or not.",
        "Arrays that the function closes over become constants. Pass them as arguments instead.",
        held,
    )


def _told(
    program: Program, rows: Int64, title: str, detail: str, advice: str, size_bytes: int
) -> Finding | None:
    if not len(rows):
        return None
    sites = [buffer_site(program, row) for row in rows[:_MOST_PARTS].tolist()]
    listed = "; ".join(site_text(site) for site in sites)
    return static_finding(
        kind="program_long_buffer",
        severity="low",
        confidence=1.0,
        title=title,
        detail=f"{detail} The largest: {listed}.",
        advice=advice,
        site=sites[0],
        blocks=len(rows),
        size_bytes=size_bytes,
    )
