from __future__ import annotations

from collections.abc import Sequence

import pytest

from tensorboard_memleak.analysis.snapshot_order import in_time_order
from tensorboard_memleak.analysis.snapshots import compare_snapshots
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.snapshot import Snapshot, SnapshotComparison
from tensorboard_memleak.readers.pprof import read_snapshot
from tests.pprof_builder import Pprof
from tests.shared_data import needs_shared_data, shared, truth

MAIN = "/app/train.py:90 main"
KEEPS = ["/app/train.py:12 log_metrics", MAIN]
MAKES = ["/app/train.py:30 init", MAIN]
LIBRARY = "/venv/lib/python3.11/site-packages/jax/_src/pjit.py:139 call"


def snapshot(profile: Pprof, name: str, modified_ns: int | None = None) -> Snapshot:
    return read_snapshot(profile.encode(), name=name, modified_ns=modified_ns)


def compared(*profiles: Pprof) -> SnapshotComparison:
    return compare_snapshots([snapshot(one, f"step_{i}.prof") for i, one in enumerate(profiles)])


def kinds(findings: Sequence[Finding]) -> list[tuple[str, float | None, int, int]]:
    return [(one.kind, one.confidence, one.blocks, one.bytes) for one in findings]


def kept(count: int, each: int = 1000) -> Pprof:
    return Pprof().add("buffer", MAKES, 4, 5000).add("buffer", KEEPS, count, each)


def test_an_array_kept_between_all_snapshots_is_growth() -> None:
    (finding,) = compared(kept(0), kept(6), kept(12)).findings
    assert kinds([finding]) == [("snapshot_growth", 0.9, 12, 12_000)]
    assert finding.title == (
        "log_metrics (train.py:12) holds 12 more arrays, 11.7 KiB, over 3 snapshots"
    )
    assert finding.site.stack == tuple(KEEPS)
    assert (finding.severity, finding.site.source) == ("high", "stack")
    assert "0 → 6 → 12" in finding.detail


def test_more_snapshots_make_it_surer_and_uneven_growth_less_sure() -> None:
    assert kinds(compared(*(kept(n) for n in (0, 3, 6, 9))).findings)[0][1] == 0.95
    assert kinds(compared(*(kept(n) for n in (0, 90, 91))).findings)[0][1] == 0.7


def test_two_snapshots_are_not_enough_to_be_sure() -> None:
    (finding,) = compared(kept(0), kept(12)).findings
    assert (finding.confidence, finding.severity) == (0.6, "medium")
    assert "third snapshot" in finding.detail
    assert compared(kept(0), kept(1)).findings == ()


@pytest.mark.parametrize("counts", [(4, 4, 4), (0, 8, 8), (8, 0, 8), (3, 9, 4), (12, 6, 0)])
def test_what_levels_off_or_falls_is_no_growth(counts: tuple[int, ...]) -> None:
    assert compared(*(kept(count) for count in counts)).findings == ()


def test_arrays_of_changing_size_count_together() -> None:
    def lengths(*sizes: int) -> Pprof:
        profile = Pprof()
        for size in sizes:
            profile.add("buffer", KEEPS, 1, size)
        return profile

    assert kinds(compared(lengths(10), lengths(10, 30, 20), lengths(10, 30, 20, 70)).findings) == [
        ("snapshot_growth", 0.9, 3, 120)
    ]


def test_one_array_that_is_replaced_by_a_longer_one_grows_by_size() -> None:
    (finding,) = compared(kept(1, 1000), kept(1, 2000), kept(1, 3000)).findings
    assert kinds([finding]) == [("snapshot_growth", 0.9, 0, 2000)]
    assert "holds an array that grows by 1.95 KiB" in finding.title
    assert compared(kept(1, 1000), kept(1, 2000)).findings == ()


def test_an_array_that_is_replaced_by_an_equal_one_from_elsewhere_only_moved() -> None:
    before = Pprof().add("buffer", MAKES, 3, 5000)
    after = Pprof().add("buffer", KEEPS, 3, 5000)
    assert compared(before, after).findings == ()


def test_the_first_call_and_later_ones_are_one_site() -> None:
    first = Pprof().add("buffer", [LIBRARY, *KEEPS], 1, 1000)
    later = Pprof().add("buffer", [LIBRARY, *KEEPS], 1, 1000).add("buffer", KEEPS, 5, 1000)
    last = Pprof().add("buffer", [LIBRARY, *KEEPS], 1, 1000).add("buffer", KEEPS, 9, 1000)
    comparison = compared(first, later, last)
    assert [site.counts for site in comparison.sites] == [(1, 6, 10)]
    assert kinds(comparison.findings) == [("snapshot_growth", 0.9, 9, 9000)]


def test_devices_are_added_up() -> None:
    def on_two(count: int) -> Pprof:
        profile = Pprof().add("buffer", KEEPS, count, 10, device="gpu:0")
        return profile.add("buffer", KEEPS, count, 10, device="gpu:1")

    comparison = compared(on_two(0), on_two(1), on_two(2))
    assert comparison.sites[0].device == "2 devices"
    assert kinds(comparison.findings) == [("snapshot_growth", 0.9, 4, 40)]


def compiled(*counts: int) -> Pprof:
    profile = Pprof()
    for place, count in enumerate(counts):
        profile.add("executable", [f"{LIBRARY}{place}", *KEEPS], count, 100)
    return profile


def test_executables_that_grow_are_a_function_compiled_again() -> None:
    (finding,) = compared(compiled(1, 1), compiled(4, 1), compiled(7, 1)).findings
    assert kinds([finding]) == [("recompilation", 0.9, 6, 600)]
    assert finding.title == "log_metrics (train.py:12) compiled 6 more executables"


def test_operations_of_one_line_compiled_once_are_no_recompilation() -> None:
    assert compared(compiled(), compiled(1, 1, 1, 1, 1, 1)).findings == ()
    assert compared(compiled(0), compiled(6)).findings[0].confidence == 0.6


def test_a_single_snapshot_tells_many_executables_and_that_growth_needs_another() -> None:
    comparison = compared(compiled(45))
    assert kinds(comparison.findings) == [("recompilation", None, 45, 4500)]
    assert comparison.findings[0].severity == "info"
    assert [notice.code for notice in comparison.notices] == ["single_snapshot"]
    assert compared(compiled(9)).findings == ()


def test_profiles_of_different_programs_are_not_compared() -> None:
    other = Pprof().add("buffer", [LIBRARY, "/home/b/other.py:7 run"], 50, 1000)
    comparison = compared(kept(1), other)
    assert comparison.findings == ()
    assert [notice.code for notice in comparison.notices] == ["unrelated_snapshots"]
    empty = Pprof()
    assert [n.code for n in compared(empty, kept(3), empty).notices] == []


def test_nothing_is_compared_to_nothing() -> None:
    assert compare_snapshots([]).sites == ()


@pytest.mark.parametrize(
    ("names", "by"),
    [
        (["before.prof", "mid.prof", "after.prof"], "names"),
        (["mem_start.prof", "mem_end.prof"], "names"),
        (["before.prof", "after_10.prof", "after_200.prof"], "names"),
        (["step_9.prof", "step_10.prof", "step_200.prof"], "numbers"),
        (["z.prof", "a.prof", "m.prof"], "time"),
    ],
)
def test_order_in_time(names: list[str], by: str) -> None:
    snapshots = [snapshot(Pprof(), name, place) for place, name in enumerate(names)]
    ordered, ordered_by = in_time_order(snapshots[::-1])
    assert ([one.name for one in ordered], ordered_by) == (names, by)


def test_without_times_the_alphabet_decides() -> None:
    snapshots = [snapshot(Pprof(), name) for name in ("b.prof", "a.prof")]
    ordered, ordered_by = in_time_order(snapshots)
    assert ([one.name for one in ordered], ordered_by) == (["a.prof", "b.prof"], "alphabet")


@needs_shared_data
@pytest.mark.parametrize("middle", [True, False], ids=["three", "two"])
@pytest.mark.parametrize(
    "case",
    [
        *("jax_append", "jax_append_scalar", "jax_healthy"),
        *("jax_shapes", "jax_donate", "jax_donate_bad"),
    ],
)
def test_recorded_cases(case: str, middle: bool) -> None:
    folder = shared(f"captures/{case}/plugins/profile/2026_01_02_00_00_00")
    paths = [path for path in sorted(folder.glob("*.prof")) if middle or path.stem != "mid"]
    comparison = compare_snapshots([read_snapshot(p.read_bytes(), name=p.name) for p in paths])
    grown = [one for one in comparison.findings if one.kind == "snapshot_growth"]
    expected = truth()[case].get("snapshot_growth")
    assert len(grown) == (1 if expected else 0)
    if expected:
        assert grown[0].title.startswith(f"{expected['func']} (")
        assert grown[0].blocks == 12
    compiled_again = [one for one in comparison.findings if one.kind == "recompilation"]
    assert bool(compiled_again) == ("recompiled" in truth()[case])
