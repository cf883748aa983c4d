"""How often each program ran in the window, and what of its outputs was alive at the end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.grouping import group_rows, rows_of_groups
from tensorboard_memleak.analysis.program.join import join
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.join import BufferOrigin, Usage
from tensorboard_memleak.model.program import AllocationKind, Program
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64

_ID_BITS: Final = 1 << 64
_NO_RUNS: Final = np.zeros(0, np.int64)


def program_usage(
    trace: HostTrace, memories: Sequence[MemoryAnalysis], programs: Sequence[Program]
) -> tuple[Usage, ...]:
    """Return the usage of each program.

    Runs are a lower bound on the CPU, whose tracer drops events. An output counts as alive if its
    block survives the window; one that may come from several programs counts for none.
    """
    if not programs:
        return ()
    blocks, size_bytes = _alive_outputs(trace, memories, programs)
    starts, uncertain = _run_starts(trace, programs)
    untold = not len(trace.module_runs)
    return tuple(
        Usage(
            runs=None if untold or (place in uncertain and not len(runs)) else len(runs),
            first_run_ps=int(runs.min()) if len(runs) else None,
            last_run_ps=int(runs.max()) if len(runs) else None,
            alive_outputs=int(blocks[place]),
            alive_output_bytes=int(size_bytes[place]),
        )
        for place, runs in enumerate(starts)
    )


def _run_starts(trace: HostTrace, programs: Sequence[Program]) -> tuple[list[Int64], set[int]]:
    """Return when each program started, and the programs whose runs may be another version's."""
    by_id = {program.program_id: place for place, program in enumerate(programs)}
    by_name: dict[str, list[int]] = defaultdict(list)
    for index, program in enumerate(programs):
        by_name[program.name.partition("(")[0]].append(index)
    runs = trace.module_runs
    starts = [_NO_RUNS] * len(programs)
    uncertain: set[int] = set()
    pair, first = group_rows([runs.name.astype(np.int64), runs.number])
    for rows in rows_of_groups(pair, len(first)):
        name, number = int(runs.name[rows[0]]), int(runs.number[rows[0]])
        place: int | None = by_id.get(number % _ID_BITS) if number != UNKNOWN else None
        same_name = by_name.get(trace.strings[name], [])
        if place is None and len(same_name) == 1:
            place = same_name[0]
        if place is None:
            uncertain.update(same_name)
            continue
        starts[place] = np.concatenate([starts[place], runs.start_ps[rows]])
    return starts, uncertain


def _alive_outputs(
    trace: HostTrace, memories: Sequence[MemoryAnalysis], programs: Sequence[Program]
) -> tuple[Int64, Int64]:
    """Return the number and the bytes of each program's outputs that survive the window."""
    blocks, size_bytes = np.zeros((2, len(programs)), np.int64)
    for analysis in memories:
        joined = join(trace, analysis.memory, programs)
        makers = np.array([_maker(origin) for origin in joined.origins] + [UNKNOWN], np.int64)
        rows = np.flatnonzero(
            (analysis.blocks.end == BlockEnd.SURVIVED) & (analysis.blocks.birth_event != UNKNOWN)
        )
        maker = makers[joined.of_event[analysis.blocks.birth_event[rows]]]
        known = maker != UNKNOWN
        np.add.at(blocks, maker[known], 1)
        sizes = np.maximum(analysis.blocks.allocation_bytes[rows], 0)
        np.add.at(size_bytes, maker[known], sizes[known])
    return blocks, size_bytes


def _maker(origin: BufferOrigin) -> int:
    """Return the program of which a block is certainly an output, else `UNKNOWN`."""
    makers = {candidate.program for candidate in origin.candidates}
    are_outputs = all(one.kind == AllocationKind.OUTPUT for one in origin.candidates)
    complete = origin.candidate_count == len(origin.candidates)
    return makers.pop() if len(makers) == 1 and are_outputs and complete else UNKNOWN
