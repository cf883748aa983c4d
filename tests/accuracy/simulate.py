"""Allocator histories with known truth, as traces ready to diagnose.

A simulated program runs steps of uneven length; its sites behave as `simulate_sites` says, on
several threads, through an allocator that rounds sizes and reuses addresses. A capture then cuts
out a window anywhere, loses some events, and forgets everything outside. The same seed gives the
same history.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import (
    UNKNOWN,
    HostTrace,
    Memory,
    MemoryEvents,
    Spans,
    Thread,
)
from tests.accuracy import simulate_dress as dress
from tests.accuracy import simulate_sites as sites
from tests.accuracy.simulate_leaks import LEAKS

STEP_PS = 10_000_000_000
DROP_RATES = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0005, 0.002, 0.01)
CAPACITY_BYTES = 1 << 40
BASELINE_BYTES = 1 << 20


@dataclass(frozen=True)
class Truth:
    """What is true of a history. `rate_to_churn` compares what leaks with all that is allocated."""

    seed: int
    steps: int
    leaking: dict[str, str]
    behaviours: dict[str, str]
    rate_to_churn: float
    drop_rate: float


@dataclass(frozen=True)
class Simulated:
    """One history: what a capture of it shows, and what is true."""

    trace: HostTrace
    truth: Truth


def simulate(seed: int, steps: int, leaks: int, undecidable: bool = False) -> Simulated:
    """Return a history whose window holds about `steps` steps and `leaks` leaking sites."""
    rng = np.random.default_rng([seed, steps, leaks, undecidable])
    start = float(rng.integers(0, 25)) + float(rng.choice([0.0, rng.uniform(0, 1)]))
    end = start + steps + float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    run = sites.Run(rng, end, start, end)
    chosen = [sites.CLEAN[i] for i in rng.integers(0, len(sites.CLEAN), rng.integers(2, 10))]
    guilty = [LEAKS[i] for i in rng.integers(0, len(LEAKS), leaks)]
    if undecidable:
        chosen.append(sites.UNDECIDABLE[int(rng.integers(0, len(sites.UNDECIDABLE)))])
    behaviours = [sites.churn, *chosen, *guilty]
    lives = [behave(run) for behave in behaviours]
    names = [f"op_{chr(97 + index)}" for index in range(len(lives))]
    innocent = len(behaviours) - len(guilty)
    drop_rate = float(rng.choice(DROP_RATES))
    clock = _clock(rng, end)
    events, naming = _capture(rng, run, lives, clock, drop_rate, names)
    lost = sum(one.kept_bytes_per_step for one in lives[innocent:])
    total = sum(float(one.requested_bytes.sum()) for one in lives) / end
    truth = Truth(
        seed=seed,
        steps=steps,
        leaking={names[i]: behaviours[i].__name__ for i in range(innocent, len(names))},
        behaviours=dict(zip(names, (one.__name__ for one in behaviours), strict=True)),
        rate_to_churn=lost / total if total else 0.0,
        drop_rate=drop_rate,
    )
    return Simulated(_trace(rng, run, clock, events, naming), truth)


def _clock(rng: np.random.Generator, end: float) -> NDArray[np.int64]:
    """When each step begins; steps vary in length, some by much."""
    length = STEP_PS * rng.lognormal(0, 0.15, int(np.ceil(end)) + 2)
    return np.append(0, np.cumsum(length)).astype(np.int64)


def _time_ps(clock: NDArray[np.int64], moment: sites.Floats) -> NDArray[np.int64]:
    step = np.clip(np.floor(moment).astype(np.int64), 0, len(clock) - 2)
    return (clock[step] + (moment - step) * (clock[step + 1] - clock[step])).astype(np.int64)


@dataclass(frozen=True)
class _History:
    """All events of a program in order: which block, when in steps, and the counter after it."""

    block: NDArray[np.int64]
    is_free: NDArray[np.bool_]
    moment: sites.Floats
    in_use: NDArray[np.int64]

    def shown(self, chosen: NDArray[np.bool_]) -> _History:
        """The events that a capture has."""
        return _History(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))


def _replay(
    birth: sites.Floats, release: sites.Floats, allocated: NDArray[np.int64], end: float
) -> _History:
    """Put births and releases until the end in order; at one moment a release comes first."""
    born = np.flatnonzero(birth < end)
    freed = np.flatnonzero((birth < end) & (release < end))
    block = np.concatenate([born, freed])
    is_free = np.arange(len(block)) >= len(born)
    moment = np.concatenate([birth[born], release[freed]])
    order = np.lexsort((~is_free, moment))
    block, is_free, moment = block[order], is_free[order], moment[order]
    in_use = BASELINE_BYTES + np.cumsum(np.where(is_free, -1, 1) * allocated[block])
    return _History(block, is_free, moment, in_use)


def _capture(
    rng: np.random.Generator,
    run: sites.Run,
    lives: list[sites.Lives],
    clock: NDArray[np.int64],
    drop_rate: float,
    names: list[str],
) -> tuple[MemoryEvents, dress.Names]:
    """Run all lives through an allocator and return the events that the window shows."""
    requested = np.concatenate([one.requested_bytes for one in lives])
    site = np.repeat(np.arange(len(lives)), [len(one) for one in lives])
    allocated = -(-requested // 256) * 256
    allocated *= np.where(rng.random(len(site)) < 0.03, 2, 1)  # a chunk too small to split
    birth = np.concatenate([one.birth for one in lives])
    release = np.concatenate([one.release for one in lives])
    whole = _replay(birth, release, allocated, run.end)
    address = _addresses(whole, allocated)
    kept = rng.random(len(whole.moment)) >= drop_rate
    seen = whole.shown(kept & (whole.moment >= run.window_start))
    naming = dress.names(
        str(rng.choice(dress.NAMINGS)), names, site[seen.block], seen.moment.astype(np.int64)
    )
    count = len(seen.block)
    nothing = np.zeros(count, np.int64)
    worker = 1 + site % 3 % 2
    events = MemoryEvents(
        time_ps=_time_ps(clock, seen.moment),
        kind=np.where(seen.is_free, 2, 1).astype(np.uint8),
        address=address[seen.block],
        requested_bytes=requested[seen.block],
        allocation_bytes=allocated[seen.block],
        bytes_in_use=seen.in_use,
        bytes_reserved=nothing,
        bytes_available=CAPACITY_BYTES - seen.in_use,
        peak_bytes_in_use=np.maximum.accumulate(seen.in_use) if count else seen.in_use,
        fragmentation=np.zeros(count),
        op=np.where(seen.is_free, 0, naming.op).astype(np.int32),
        region=nothing.astype(np.int32),
        shape=nothing.astype(np.int32),
        dtype=nothing.astype(np.int32),
        step_id=np.full(count, UNKNOWN, np.int64),
        thread=worker[seen.block].astype(np.int32),
        stack=np.where(seen.is_free, 0, naming.stack).astype(np.int32),
    )
    return events, naming


def _addresses(whole: _History, allocated: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Give every block an address; a freed one is taken again by the next block of its size."""
    size_of, top = allocated.tolist(), 0x7F00_0000_0000
    address = [0] * len(size_of)
    free: defaultdict[int, list[int]] = defaultdict(list)
    for block, frees in zip(whole.block.tolist(), whole.is_free.tolist(), strict=True):
        size = size_of[block]
        if frees:
            free[size].append(address[block])
        elif free[size]:
            address[block] = free[size].pop()
        else:
            address[block], top = top, top + size
    return np.array(address, np.uint64)


def _trace(
    rng: np.random.Generator,
    run: sites.Run,
    clock: NDArray[np.int64],
    events: MemoryEvents,
    naming: dress.Names,
) -> HostTrace:
    first, last = int(np.ceil(run.window_start)), int(np.floor(run.end))
    number = np.arange(first, last, dtype=np.int64)
    marking = str(rng.choice(dress.MARKINGS))
    marks = dress.marks(marking, clock[number], clock[number + 1], number, name=len(naming.strings))
    none64, none32 = np.zeros(0, np.int64), np.zeros(0, np.int32)
    edges = _time_ps(clock, np.array([run.window_start, run.end]))
    return HostTrace(
        host="host0",
        origin_ns=0,
        start_ps=int(edges[0]),
        end_ps=int(edges[1]),
        strings=(*naming.strings, "train"),
        stacks=naming.stacks,
        threads=(Thread(1, "python"), Thread(2, "worker"), Thread(-3, "callback")),
        memories=(Memory("GPU_0_bfc", events),),
        step_marks=marks,
        module_runs=Spans(none32, none64, none64, none64, none32, none32),
        programs=(),
        frameworks=(),
        notices=(),
    )
