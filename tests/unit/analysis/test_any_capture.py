"""Whatever a capture holds, sane or not, it gets a diagnosis."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.fit import fit_at
from tensorboard_memleak.analysis.live import live_at
from tensorboard_memleak.analysis.site_table import site_table
from tensorboard_memleak.analysis.timeline import growth_line, timeline
from tensorboard_memleak.model.trace import (
    UNKNOWN,
    HostTrace,
    Memory,
    MemoryEvents,
    Spans,
    Stacks,
    Thread,
)

STRINGS = ("", "Relu", "MatMul_1", "MatMul_2", "a/b_3/c", "$f.py:3 g", "batch 7", "batch 8", "☃")


def any_trace(seed: int) -> HostTrace:
    rng = np.random.default_rng(seed)
    return HostTrace(
        host="host0",
        origin_ns=0,
        start_ps=0,
        end_ps=1000,
        strings=STRINGS,
        stacks=Stacks(np.array([0, 0, 1, 2, 0], np.int32), np.array([0, 5, 6, 1, 7], np.int32)),
        threads=(Thread(-5, "python"), Thread(9, "")),
        memories=tuple(Memory(f"GPU_{n}", any_events(rng)) for n in range(rng.integers(1, 3))),
        step_marks=any_spans(rng, int(rng.integers(0, 9))),
        module_runs=any_spans(rng, int(rng.integers(0, 9)) * int(rng.integers(0, 2))),
        programs=(),
        frameworks=(),
        notices=(),
    )


def any_events(rng: np.random.Generator) -> MemoryEvents:
    count = int(rng.choice([0, 1, 2, 5, 40, 150]))

    def bytes_or_unknown(share: float) -> np.ndarray:
        value = rng.integers(0, 1 << 40, count)
        return np.where(rng.random(count) < share, UNKNOWN, value).astype(np.int64)

    def indices(most: int) -> np.ndarray:
        return rng.integers(0, most, count).astype(np.int32)

    return MemoryEvents(
        time_ps=np.sort(rng.integers(0, 1000, count)).astype(np.int64),
        kind=rng.integers(1, 3, count).astype(np.uint8),
        address=rng.choice(np.array([0, 256, 512, 2**64 - 256], np.uint64), count),
        requested_bytes=bytes_or_unknown(0.3),
        allocation_bytes=bytes_or_unknown(0.3),
        bytes_in_use=bytes_or_unknown(rng.choice([0.0, 0.3, 1.0])),
        bytes_reserved=bytes_or_unknown(0.5),
        bytes_available=bytes_or_unknown(0.3),
        peak_bytes_in_use=bytes_or_unknown(0.3),
        fragmentation=np.where(rng.random(count) < 0.3, np.nan, rng.random(count)),
        op=indices(len(STRINGS)),
        region=indices(3),
        shape=indices(3),
        dtype=indices(2),
        step_id=bytes_or_unknown(1.0),
        thread=indices(3) - 1,
        stack=indices(5),
    )


def any_spans(rng: np.random.Generator, count: int) -> Spans:
    start = np.sort(rng.integers(0, 1000, count)).astype(np.int64)
    number = rng.integers(-1, 5, count)
    return Spans(
        name=rng.integers(1, 4, count).astype(np.int32),
        start_ps=start,
        end_ps=start + rng.integers(0, 300, count),
        number=np.where(number < 0, UNKNOWN, number),
        level=np.ones(count, np.int32),
        thread=rng.integers(0, 2, count).astype(np.int32),
    )


@pytest.mark.parametrize("first_seed", range(0, 300, 50))
def test_any_capture_gets_a_diagnosis(first_seed: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(first_seed, first_seed + 50):
            trace = any_trace(seed)
            host = diagnose(trace)
            assert len(host.memories) == len(trace.memories)
            for one in host.memories:
                diagnosis = one.diagnosis
                assert diagnosis.verdict in ("leak", "no_leak", "inconclusive", "no_events")
                assert diagnosis.reason.endswith(".")
                assert (diagnosis.verdict == "no_events") == (len(one.memory.events) == 0)
                assert (diagnosis.confidence is None) == (
                    diagnosis.verdict in ("inconclusive", "no_events")
                )
                live_at(one, 500)
                fit_at(one, 500)
                site_table(one)
                timeline(one.memory.events, 100, 900, 10)
                growth_line(one)
