"""Runtime meets program: which HLO buffer a block of memory is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.program import AllocationKind
from tensorboard_memleak.model.trace import Int32

Basis = Literal["run", "function"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One allocation of a program that a block may be.

    `site` names what lies in it: framework op, shape, source stack; its `region` is the kind.
    """

    program: int
    allocation: int
    kind: AllocationKind
    site: Site


@dataclass(frozen=True, slots=True)
class BufferOrigin:
    """What a block is, as far as its size and the module that ran tell.

    `module` is that of the run around the allocation (basis `run`), or of the jitted function on
    its stack (`function`). `candidates` all have the requested size, the likeliest first, at most
    `MOST_CANDIDATES` of `candidate_count`; there are none where the module has no such buffer, as
    with memory that a kernel asks for while it runs.
    """

    module: str
    basis: Basis
    candidates: tuple[Candidate, ...]
    candidate_count: int


@dataclass(frozen=True, slots=True)
class Joined:
    """The origins of one memory's allocations.

    `of_event[i]` is the row of `origins` of event i (-1: a deallocation, or nothing is known).
    """

    origins: tuple[BufferOrigin, ...]
    of_event: Int32


@dataclass(frozen=True, slots=True)
class Usage:
    """What the window shows of one program.

    `runs` adds up all devices and is a lower bound on the CPU. It and the times are `None` where
    nothing tells this version from another of its name, or where the profile holds no runs.
    """

    runs: int | None
    first_run_ps: int | None
    last_run_ps: int | None
    alive_outputs: int
    alive_output_bytes: int
