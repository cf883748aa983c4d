"""How simulated sites behave: each returns the lives of its blocks, in steps.

A life is (birth, release, requested bytes); time runs in steps since the program began, so that
12.25 is a quarter into step 12, and a release of infinity never comes. `end` is the program's last
moment. Everything random comes from the generator passed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
NEVER = np.inf


@dataclass(frozen=True)
class Lives:
    """The blocks of one site; `kept_bytes_per_step` is its true rate of loss."""

    birth: Floats
    release: Floats
    requested_bytes: Ints
    kept_bytes_per_step: float = 0.0

    def __len__(self) -> int:
        return len(self.birth)


@dataclass(frozen=True)
class Run:
    """What a behaviour may know: how long the program runs and which part of it is captured."""

    rng: np.random.Generator
    end: float
    window_start: float
    window_end: float

    @property
    def window(self) -> int:
        """Whole steps in the window."""
        return int(self.window_end - self.window_start)

    def steps(self) -> Floats:
        """The number of each step."""
        return np.arange(int(np.ceil(self.end)), dtype=np.float64)

    def size(self) -> int:
        """A size between four bytes and sixteen megabytes, small ones as likely as large ones."""
        return int(4 * 2 ** self.rng.integers(0, 23)) + int(self.rng.integers(0, 3)) * 4

    def sizes(self, count: int, varying: bool) -> Ints:
        """One size for all, or sizes that vary as those of ragged batches do."""
        size = self.size()
        if not varying:
            return np.full(count, size, np.int64)
        if self.rng.random() < 0.5:
            return self.rng.integers(size, 8 * size, count)
        return (size * self.rng.integers(1, 9, count)).astype(np.int64)


Behaviour = Callable[[Run], Lives]


def births(run: Run, a_step: int, chance: float = 1.0) -> Floats:
    """Births at about the same places of every step, with jitter, each with a chance."""
    step = np.repeat(run.steps(), a_step)
    place = np.tile(np.sort(run.rng.uniform(0.02, 0.7, a_step)), len(step) // a_step)
    birth = step + np.clip(place + run.rng.normal(0, 0.02, len(step)), 0.01, 0.75)
    return birth[run.rng.random(len(birth)) < chance]


def freed(run: Run, birth: Floats, lag: float = 0.0, jitter: float = 0.02) -> Floats:
    """Releases a little later, `lag` steps on top."""
    wait = 0.05 + np.abs(run.rng.normal(0, jitter, len(birth)))
    return birth + lag + np.minimum(wait, 0.2)


def churn(run: Run) -> Lives:
    """Temporaries: born and freed within the step."""
    birth = births(run, int(run.rng.integers(1, 12)), run.rng.choice([1.0, 1.0, 0.8]))
    return Lives(birth, freed(run, birth), run.sizes(len(birth), run.rng.random() < 0.3))


def pipelined(run: Run) -> Lives:
    """Freed one to three steps later, sometimes a step more: double buffers, prefetching."""
    birth = births(run, int(run.rng.integers(1, 4)))
    lag = int(run.rng.integers(1, 4)) + (run.rng.random(len(birth)) < 0.2)
    return Lives(birth, freed(run, birth) + lag, run.sizes(len(birth), run.rng.random() < 0.3))


def weights(run: Run) -> Lives:
    """Kept once, at the program's start or at the window's (a cold cache, optimizer slots)."""
    first = float(run.rng.choice([0.0, np.floor(run.window_start), np.ceil(run.window_start)]))
    birth = first + run.rng.uniform(0, 1.5, int(run.rng.integers(1, 8)))
    return Lives(birth, np.full(len(birth), NEVER), run.sizes(len(birth), varying=True))


def lazy(run: Run) -> Lives:
    """One block made somewhere in the window and kept, among temporaries of the same site."""
    birth = births(run, int(run.rng.integers(1, 3)))
    release = freed(run, birth)
    release[run.rng.integers(0, len(birth))] = NEVER
    return Lives(birth, release, run.sizes(len(birth), varying=False))


def queue(run: Run) -> Lives:
    """A bounded queue: full before the window or filling in its first half, then one for one."""
    birth = births(run, 1)
    depth = int(run.rng.integers(2, max(3, run.window // 2)))
    if run.rng.random() < 0.5:
        birth = birth[birth >= np.floor(run.window_start) + run.rng.integers(0, 3)]
    release = np.append(birth[depth:] + 0.01, np.full(min(depth, len(birth)), NEVER))
    return Lives(birth, release[: len(birth)], run.sizes(len(birth), run.rng.random() < 0.3))


def full_queue(run: Run) -> Lives:
    """A queue deeper than the window, full before it: every birth frees an older block."""
    birth = run.steps() + 0.3
    depth = int(min(run.window_start, run.window * 1.5))
    release = np.append(birth[depth:] + 0.01, np.full(depth, NEVER))[: len(birth)]
    return Lives(birth, release, run.sizes(len(birth), varying=run.rng.random() < 0.3))


def random_cache(run: Run) -> Lives:
    """A cache of fixed size that evicts at random."""
    birth = births(run, 1)
    birth = birth[birth >= np.floor(run.window_start)] if run.rng.random() < 0.5 else birth
    depth = int(run.rng.integers(2, max(3, run.window // 4)))
    release = np.full(len(birth), NEVER)
    held: list[int] = []
    for row in range(len(birth)):
        if len(held) == depth:
            release[held.pop(int(run.rng.integers(0, depth)))] = birth[row] + 0.01
        held.append(row)
    return Lives(birth, release, run.sizes(len(birth), varying=False))


def accumulated(run: Run, longest: int | None = None, shortest: int = 2) -> Lives:
    """Gathered and dropped every k steps, k at most half the window."""
    birth = births(run, int(run.rng.integers(1, 3)))
    top = max(shortest + 1, run.window // 2 if longest is None else longest)
    period = int(run.rng.integers(shortest, top))
    phase = int(run.rng.integers(0, period))
    drop = (np.floor((birth - phase) / period) + 1) * period + phase
    return Lives(birth, drop + 0.005, run.sizes(len(birth), run.rng.random() < 0.3))


def collected(run: Run) -> Lives:
    """Freed by a collector that runs at irregular times."""
    birth = births(run, int(run.rng.integers(1, 4)))
    mean = float(run.rng.uniform(1.5, max(2.0, run.window / 5)))
    runs = np.cumsum(run.rng.uniform(0.5, 1.5, int(run.end / mean * 3) + 4) * mean)
    after = np.searchsorted(runs, birth + 0.1)
    release = np.append(runs, NEVER)[np.minimum(after, len(runs))]
    return Lives(birth, release, run.sizes(len(birth), varying=False))


def evaluation(run: Run) -> Lives:
    """Large temporaries in every k-th step only."""
    every = int(run.rng.integers(3, 11))
    birth = births(run, int(run.rng.integers(3, 12)))
    birth = birth[np.floor(birth) % every == 0]
    return Lives(birth, freed(run, birth), 8 * run.sizes(len(birth), varying=False))


def swapped(run: Run) -> Lives:
    """One block replaced each step by another, whose size wanders without a trend."""
    birth = run.steps() + 0.4
    release = np.append(birth[1:] + 0.02, NEVER)
    return Lives(birth, release, run.sizes(len(birth), varying=run.rng.random() < 0.7))


def long_lived(run: Run) -> Lives:
    """Blocks whose lifetimes scatter: a few steps as a rule, at times many."""
    birth = births(run, 1)
    mean = float(run.rng.uniform(1.0, max(1.2, run.window / 10)))
    return Lives(birth, birth + run.rng.exponential(mean, len(birth)), run.sizes(len(birth), False))


def vocabulary(run: Run) -> Lives:
    """A cache by key: each of a few keys is kept when it first comes up, sooner or later."""
    birth = births(run, 1)
    key = run.rng.integers(0, max(2, run.window // 8), len(birth))
    release = freed(run, birth)
    for one in np.unique(key):
        release[np.flatnonzero(key == one)[0]] = NEVER
    return Lives(birth, release, run.sizes(len(birth), varying=False))


def heavy_tailed(run: Run) -> Lives:
    """Lifetimes without a typical length: most are short, a few as long as the window."""
    birth = births(run, int(run.rng.integers(1, 3)))
    life = 0.3 * (1 + run.rng.pareto(1.6, len(birth)))
    return Lives(birth, birth + life, run.sizes(len(birth), varying=False))


def two_generations(run: Run) -> Lives:
    """A collector of two generations: what is alive when the young one runs waits for the old."""
    birth = births(run, int(run.rng.integers(1, 3)))
    young = int(run.rng.integers(2, max(3, run.window // 8)))
    old = young * int(run.rng.integers(2, 5))
    soon = (np.floor(birth / young) + 1) * young
    late = (np.floor(birth / old) + 1) * old
    promoted = soon - birth < 1.0
    return Lives(birth, np.where(promoted, late, soon) + 0.01, run.sizes(len(birth), False))


def checkpoints(run: Run) -> Lives:
    """A copy made every k-th step, the one before it dropped."""
    every = int(run.rng.integers(2, max(3, run.window // 3)))
    birth = run.steps()[::every] + 0.8
    release = np.append(birth[1:] + 0.02, NEVER)
    return Lives(birth, release, run.sizes(len(birth), varying=False))


def sawtooth(run: Run) -> Lives:
    """One block that grows step by step and starts again: a sequence decoded token by token."""
    birth = run.steps() + 0.4
    length = int(run.rng.integers(2, max(3, run.window // 2)))
    size = ((np.arange(len(birth)) % length + 1) * run.size()).astype(np.int64)
    return Lives(birth, np.append(birth[1:] + 0.02, NEVER), size)


def late_release(run: Run) -> Lives:
    """Gathered for longer than the window: no release to see. Nobody could tell it from a leak."""
    return accumulated(run, longest=4 * run.window, shortest=run.window + 2)


def filling(run: Run) -> Lives:
    """A cache that goes on filling until after the window."""
    birth = run.steps() + 0.3
    return Lives(birth, np.full(len(birth), NEVER), run.sizes(len(birth), varying=False))


CLEAN: tuple[Behaviour, ...] = (
    churn,
    churn,
    churn,
    pipelined,
    weights,
    lazy,
    queue,
    full_queue,
    random_cache,
    accumulated,
    collected,
    evaluation,
    swapped,
    long_lived,
    vocabulary,
    heavy_tailed,
    two_generations,
    checkpoints,
    sawtooth,
)

UNDECIDABLE: tuple[Behaviour, ...] = (late_release, filling)
"""Clean programs that the window shows growing: a blind spot, scored in a row of its own."""
