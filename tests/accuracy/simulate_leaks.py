"""How simulated sites leak: some of their blocks are never released."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.accuracy.simulate_sites import NEVER, Behaviour, Floats, Lives, Run, births, freed


def _with_kept(run: Run, birth: Floats, kept: NDArray[np.bool_], varying: bool) -> Lives:
    release = freed(run, birth)
    release[kept] = NEVER
    size = run.sizes(len(birth), varying)
    inside = kept & (birth >= run.window_start) & (birth < run.window_end)
    return Lives(birth, release, size, float(size[inside].sum()) / max(run.window, 1))


def leak_each_step(run: Run) -> Lives:
    """Some blocks of every step stay."""
    birth = births(run, int(run.rng.integers(1, 3)))
    return _with_kept(run, birth, np.ones(len(birth), bool), run.rng.random() < 0.3)


def leak_in_crowd(run: Run) -> Lives:
    """One of the many blocks of every step stays."""
    a_step = int(run.rng.integers(4, 30))
    birth = births(run, a_step)
    return _with_kept(run, birth, np.arange(len(birth)) % a_step == 0, varying=False)


def leak_every_kth(run: Run) -> Lives:
    """A block of every k-th step stays; at least eight of those steps are in the window."""
    every = int(run.rng.integers(1, max(2, run.window // 8 + 1)))
    birth = births(run, 1)
    return _with_kept(run, birth, np.floor(birth) % every == 0, varying=run.rng.random() < 0.2)


def leak_at_random(run: Run) -> Lives:
    """A block stays in some steps, by chance."""
    birth = births(run, 1)
    kept = run.rng.random(len(birth)) < run.rng.uniform(0.6, 0.95)
    return _with_kept(run, birth, kept, varying=False)


def leak_late(run: Run) -> Lives:
    """Nothing stays before some step of the window's first half, one a step after it."""
    birth = births(run, 1)
    start = run.window_start + run.rng.uniform(0, 0.5) * run.window
    return _with_kept(run, birth, birth >= start, varying=False)


def leak_slow_release(run: Run) -> Lives:
    """One block stays, another of the same site is freed a step or two later."""
    birth = births(run, 2)
    lives = _with_kept(run, birth, np.arange(len(birth)) % 2 == 0, varying=False)
    late = lives.release + int(run.rng.integers(1, 3))
    return Lives(birth, late, lives.requested_bytes, lives.kept_bytes_per_step)


def leak_by_size(run: Run) -> Lives:
    """One block replaced each step by one that is longer by the same amount."""
    birth = run.steps() + 0.4
    unit = run.size()
    size = ((np.arange(len(birth)) + 1) * unit).astype(np.int64)
    return Lives(birth, np.append(birth[1:] + 0.02, NEVER), size, float(unit))


def leak_with_removals(run: Run) -> Lives:
    """Every step adds blocks, and now and then an old one is removed."""
    birth = births(run, int(run.rng.integers(2, 4)))
    release = birth + run.rng.exponential(0.2 * run.window, len(birth))
    release[run.rng.random(len(birth)) < 0.7] = NEVER
    inside = (birth >= run.window_start) & (release == NEVER)
    size = run.sizes(len(birth), varying=False)
    return Lives(birth, release, size, float(size[inside].sum()) / max(run.window, 1))


def leak_by_size_at_times(run: Run) -> Lives:
    """One block replaced each step, by a longer one every second step."""
    birth = run.steps() + 0.4
    unit = run.size()
    size = ((np.arange(len(birth)) // 2 + 1) * unit).astype(np.int64)
    return Lives(birth, np.append(birth[1:] + 0.02, NEVER), size, unit / 2)


LEAKS: tuple[Behaviour, ...] = (
    leak_each_step,
    leak_each_step,
    leak_in_crowd,
    leak_every_kth,
    leak_at_random,
    leak_late,
    leak_slow_release,
    leak_by_size,
    leak_by_size_at_times,
    leak_with_removals,
)
