from __future__ import annotations

from pathlib import Path

from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.flame import flame
from tensorboard_memleak.settings import Settings
from tests.histories import write_session
from tests.xspace_builder import XSpace

MEMORY = "GPU_0_bfc"


def finder_of(logdir: Path, baseline: int | None) -> LeakFinder:
    """One block of 256 bytes that stays, beside what was there before."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=1_000)
    told = {} if baseline is None else {"in_use": baseline + 256}
    line.allocation(1_000_000, address=0x100, requested=200, allocated=256, op="Add", **told)
    write_session(logdir, "s", space.encode())
    return LeakFinder(Settings((Root(str(logdir)),)))


def ran(logdir: Path, at_ps: int) -> LeakFinder:
    """One block on a thread that runs the module `jit_f` for a nanosecond at a time."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=1_000)
    line.event("jit_f:XLA GPU module", at_ps=at_ps, lasts_ps=1_000)
    line.allocation(1_000_000, address=0x100, requested=200, allocated=256, op="Add")
    write_session(logdir, "s", space.encode())
    return LeakFinder(Settings((Root(str(logdir)),)))


def test_by_module_what_ran_names_the_block(tmp_path: Path) -> None:
    tree = flame(ran(tmp_path, 999_500), "s", "host0", MEMORY, by="module")

    assert tree["frames"] == ["", "jit_f", "Add"]
    assert tree["note"] is None


def test_why_no_block_has_a_module_is_said(tmp_path: Path) -> None:
    other = flame(ran(tmp_path / "other", 5_000), "s", "host0", MEMORY, by="module")
    never = flame(finder_of(tmp_path / "never", 0), "s", "host0", MEMORY, by="module")

    assert other["frames"] == never["frames"] == ["", "no compiled module", "Add"]
    assert "none of these blocks was allocated while one ran" in str(other["note"])
    assert str(never["note"]).startswith("The profile tells of no run of a compiled program")


def test_nothing_is_said_of_modules_where_they_were_not_asked_for(tmp_path: Path) -> None:
    assert flame(finder_of(tmp_path, 0), "s", "host0", MEMORY)["note"] is None


def test_what_was_there_before_the_window_stands_beside_the_tree(tmp_path: Path) -> None:
    tree = flame(finder_of(tmp_path, 4096), "s", "host0", MEMORY)

    assert tree["baseline_bytes"] == 4096
    columns = tree["columns"]
    assert isinstance(columns, dict)
    assert columns["bytes"] == [256, 256, 256]
    assert tree["frames"] == ["", "thread python", "Add"]


def test_without_the_counter_what_was_there_before_is_unknown(tmp_path: Path) -> None:
    assert flame(finder_of(tmp_path, None), "s", "host0", MEMORY)["baseline_bytes"] is None


def test_a_baseline_means_nothing_beside_what_was_allocated(tmp_path: Path) -> None:
    tree = flame(finder_of(tmp_path, 4096), "s", "host0", MEMORY, of="allocated")

    assert tree["baseline_bytes"] is None
