"""The large capture of the bench balances like the real one that it repeats."""

from __future__ import annotations

from bench.big_capture import build
from tensorboard_memleak.analysis.diagnose import diagnose
from tests.unit.readers.trace_view import column, read
from tests.xspace_builder import XSpace


def a_leaky_capture(steps: int) -> bytes:
    """Each step keeps 256 bytes and frees 512 that it made."""
    space = XSpace()
    line = space.plane().line("python", timestamp_ns=5)
    in_use = 4096
    for step in range(steps):
        base = step * 1_000_000
        line.event("train", base, 900_000, step_num=step, _r=1)
        in_use += 512
        line.allocation(
            base + 10, address=0x9000, requested=500, allocated=512, in_use=in_use, op="MatMul"
        )
        in_use += 256
        line.allocation(
            base + 20,
            address=0x1000 + step * 256,
            requested=200,
            allocated=256,
            in_use=in_use,
            available=10**9 - in_use,
            peak=in_use,
            op="Relu",
        )
        in_use -= 512
        line.deallocation(base + 30, address=0x9000, requested=500, allocated=512, in_use=in_use)
    return space.encode()


def test_one_repetition_is_the_source() -> None:
    source = a_leaky_capture(steps=4)
    assert column(read(build(source, range(1))), "address") == column(read(source), "address")


def test_repetitions_go_on_where_the_last_one_ended() -> None:
    trace = read(build(a_leaky_capture(steps=4), range(6)))
    assert trace.step_marks.number.tolist() == list(range(24))
    assert (trace.step_marks.start_ps[1:] >= trace.step_marks.end_ps[:-1]).all()
    kept = [row for row, op in enumerate(column(trace, "op")) if op == "Relu"]
    in_use = [column(trace, "bytes_in_use")[row] for row in kept]
    assert in_use == [4096 + 512 + 256 * step for step in range(1, 25)]
    available = [column(trace, "bytes_available")[row] for row in kept]
    assert available == [10**9 - used for used in in_use]


def test_chunks_one_behind_another_are_the_whole() -> None:
    source = a_leaky_capture(steps=4)
    parts = read(build(source, range(2)) + build(source, range(2, 5)))
    whole = read(build(source, range(5)))
    for name in ("time_ps", "address", "bytes_in_use"):
        assert column(parts, name) == column(whole, name)


def test_what_leaks_a_step_in_the_source_leaks_a_step_in_the_whole() -> None:
    (memory,) = diagnose(read(build(a_leaky_capture(steps=4), range(6)))).memories
    totals = memory.diagnosis.totals
    assert memory.diagnosis.verdict == "leak"
    assert (totals.survivor_blocks, totals.unaccounted_bytes) == (24, 0)
    assert totals.growth_bytes_per_step == 256
