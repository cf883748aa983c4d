"""Which HLO buffers the blocks of a site or finding are."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.join import join
from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.join import BufferOrigin, Candidate
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import UNKNOWN, Int64
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.programs import program_id_on_wire
from tensorboard_memleak.service.sites import find
from tensorboard_memleak.service.wire import JSON, Payload

MOST_ORIGINS: Final = 50


def origins(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    site_index: int | None = None,
    finding_id: str | None = None,
) -> Payload:
    """Return the buffers that the blocks of a site or finding are, most blocks first."""
    files = finder.host_files(session, host)
    analysed = finder.analysis(files)
    analysis = analysed.memory(memory)
    programs = [one.diagnosis.program for one in finder.programs(files).programs]
    rows = _rows(analysis, site_index, finding_id)
    birth = analysis.blocks.birth_event[rows]
    joined = join(analysed.trace, analysis.memory, programs)
    of_block = joined.of_event[birth[birth != UNKNOWN]]
    counts = Counter(of_block[of_block != UNKNOWN].tolist())
    told = counts.most_common(MOST_ORIGINS)
    return {
        "programs": len(programs),
        "blocks": len(rows),
        "joined": sum(counts.values()),
        "left_out": len(counts) - len(told),
        "origins": [_origin(joined.origins[row], count, programs) for row, count in told],
    }


def _rows(analysis: MemoryAnalysis, site_index: int | None, finding_id: str | None) -> Int64:
    if finding_id is not None:
        return find(analysis, finding_id).evidence.blocks
    if site_index is None or not 0 <= site_index < len(analysis.sites.sites):
        raise NotFound(
            f"There is no site {site_index} in {analysis.memory.memory_id}.", "Load the page again."
        )
    return np.flatnonzero(analysis.sites.of_block == site_index)


def _origin(origin: BufferOrigin, blocks: int, programs: list[Program]) -> JSON:
    return {
        "module": origin.module,
        "basis": origin.basis,
        "blocks": blocks,
        "candidate_count": origin.candidate_count,
        "candidates": [_candidate(one, programs[one.program]) for one in origin.candidates],
    }


def _candidate(candidate: Candidate, program: Program) -> JSON:
    return {
        "module": program.name,
        "program_id": program_id_on_wire(program.program_id),
        "kind": candidate.site.region,
        "allocation": int(program.allocations.index[candidate.allocation]),
        "size_bytes": int(program.allocations.size_bytes[candidate.allocation]),
        "site": wire.site(candidate.site),
    }
