"""The tree of frames that a flame graph draws: what survives, what is live, what lasts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from tensorboard_memleak.analysis.flame import (
    MOST_NODES,
    FlameTree,
    Grouping,
    Measure,
    flame_tree,
)
from tensorboard_memleak.analysis.live import alive_at, live_at
from tensorboard_memleak.analysis.program.block_modules import BlockModules, block_modules
from tensorboard_memleak.catalog import HostFiles
from tensorboard_memleak.errors import LeakFinderError, NotFound
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import UNKNOWN, Bool, HostTrace
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.moments import moment_of
from tensorboard_memleak.service.wire import JSON, Payload

Subject = Literal["survivors", "live", "allocated", "byte_seconds"]
SUBJECTS: Final[tuple[Subject, ...]] = ("survivors", "live", "allocated", "byte_seconds")
GROUPINGS: Final[tuple[Grouping, ...]] = ("stack", "op", "module")

_NO_RUNS: Final = "The profile tells of no run of a compiled program (HLO module)."
_TENSORFLOW: Final = (
    " TensorFlow runs operations one by one or in graphs of its own, unless a function is compiled "
    "with jit_compile=True."
)
_NONE_INSIDE: Final = (
    "Compiled programs (HLO modules) are in the profile, but none of these blocks was allocated "
    "while one ran on the same thread, nor has the size of one of their buffers."
)


def flame(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    of: Subject = "survivors",
    by: Grouping = "stack",
    at_ns: int | None = None,
    most_nodes: int = MOST_NODES,
    frame: Sequence[str] = (),
) -> Payload:
    """Return the tree of the blocks that `of` means.

    `survivors` were born in the window and never freed in it, `live` are so just after `at_ns` (at
    the peak unless told); `allocated` and `byte_seconds` are all births of the window, ranked by
    bytes or by bytes times seconds alive. `frame` is the way to a frame whose parts are wanted.
    """
    files = finder.host_files(session, host)
    analysed = finder.analysis(files)
    trace, analysis = analysed.trace, analysed.memory(memory)
    at_ps = moment_of(analysis, trace, at_ns) if of == "live" else None
    chosen = _chosen(analysis, of, at_ps)
    measure: Measure = "byte_seconds" if of == "byte_seconds" else "bytes"
    programs = _programs(finder, files) if by == "module" else []
    modules = block_modules(trace, analysis, programs) if by == "module" else None
    tree = flame_tree(trace, analysis, chosen, by, measure, most_nodes, modules, frame)
    if tree is None:
        raise NotFound("There is no such frame here.", "Show all, and choose one.")
    return {
        "of": of,
        "by": by,
        "ranked_by": measure,
        "at_ns": None if at_ps is None else wire.moment_ns(at_ps, trace),
        "baseline_bytes": _baseline(analysis, of, trace.end_ps if at_ps is None else at_ps),
        "note": _why_no_module(trace, modules, chosen, programs),
        "nodes": len(tree),
        "left_out": tree.left_out,
        **_columns(tree),
    }


def _programs(finder: LeakFinder, files: HostFiles) -> list[Program]:
    """Return what could be read of the programs; runs alone tell of modules too."""
    try:
        return [one.diagnosis.program for one in finder.programs(files).programs]
    except LeakFinderError:
        return []  # the report tells of it where it shows the programs


def _why_no_module(
    trace: HostTrace, modules: BlockModules | None, chosen: Bool, programs: list[Program]
) -> str | None:
    """Say why no block has a module; nothing where one has, or where there is no block."""
    if modules is None or not chosen.any() or (modules.of_block[chosen] != UNKNOWN).any():
        return None
    if len(trace.module_runs) or programs:
        return _NONE_INSIDE
    return _NO_RUNS + (_TENSORFLOW if "tensorflow" in trace.frameworks else "")


def _chosen(analysis: MemoryAnalysis, of: Subject, at_ps: int | None) -> Bool:
    blocks = analysis.blocks
    if at_ps is not None:
        return alive_at(blocks, at_ps)
    if of == "survivors":
        return np.asarray(blocks.end == BlockEnd.SURVIVED)
    return np.ones(len(blocks), bool)


def _baseline(analysis: MemoryAnalysis, of: Subject, at_ps: int) -> int | None:
    """Return what is in use beside the tree: born before the window, of unknown origin."""
    return live_at(analysis, at_ps).before_bytes if of in ("live", "survivors") else None


def _columns(tree: FlameTree) -> Payload:
    """Write the nodes; texts are sent once and indexed, for frames repeat from branch to branch."""
    place: dict[str, int] = {}
    frame: list[JSON] = [place.setdefault(text, len(place)) for text in tree.frame]
    return {
        "frames": list(place),
        "columns": {
            "parent": wire.known(tree.parent),
            "frame": frame,
            "site": wire.known(tree.site),
            "blocks": tree.blocks.tolist(),
            "bytes": tree.bytes.tolist(),
            "byte_seconds": np.round(tree.byte_seconds, 6).tolist(),
        },
    }
