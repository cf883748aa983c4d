from __future__ import annotations

from pathlib import Path

from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.compare import compare_memories
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.settings import Settings
from tests.histories import STEP_PS, leaking_capture, write_session
from tests.xspace_builder import XSpace

MEMORY = "GPU_0_bfc"


def compared(logdir: Path, before: bytes, after: bytes) -> Payload:
    write_session(logdir, "before", before)
    write_session(logdir, "after", after)
    finder = LeakFinder(Settings((Root(str(logdir)),)))
    return compare_memories(finder, "after", "host0", MEMORY, "before")


def capture_without_marks() -> bytes:
    """One block a millisecond, freed at once, and nothing that tells of steps."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=1_000)
    for place in range(12):
        block = {"address": 0x100, "requested": 256, "allocated": 256}
        line.allocation(place * STEP_PS, **block, in_use=256, op="Add")
        line.deallocation(place * STEP_PS + 1_000_000, **block, in_use=0)
    return space.encode()


def test_a_leak_whose_op_is_not_run_any_more_is_not_called_fixed_without_a_warning(
    tmp_path: Path,
) -> None:
    found = compared(tmp_path, leaking_capture(), leaking_capture(kept_op="Add", leaks=False))

    assert found["outcome"] == "fixed"
    assert found["reason"] == (
        "1 KiB a step leaked before, nothing does now. Its sites allocate nothing now: see that "
        "their code still ran."
    )


def test_an_open_verdict_leaves_the_outcome_open_and_says_why(tmp_path: Path) -> None:
    found = compared(tmp_path, leaking_capture(), leaking_capture(2))

    assert (found["outcome"], found["confidence"]) == ("unclear", None)
    after = found["after"]
    assert isinstance(after, dict)
    assert after["bytes_per_step"] is None
    assert found["reason"] == (f"Now it is not certain whether something leaks: {after['reason']}")


def test_the_same_rate_is_told_with_how_sure_it_is(tmp_path: Path) -> None:
    found = compared(tmp_path, leaking_capture(), leaking_capture(20))

    assert found["outcome"] == "same"
    assert found["reason"] == (
        "1 KiB a step leaked before, 1 KiB do now. That is no more apart than either is uncertain."
    )


def test_steps_of_another_kind_are_noted(tmp_path: Path) -> None:
    found = compared(tmp_path, leaking_capture(), capture_without_marks())

    after = found["after"]
    assert isinstance(after, dict)
    steps = after["steps"]
    assert isinstance(steps, dict)
    assert steps["source"] != "markers"
    assert found["notes"] == [
        f"Steps come from markers before and {steps['source']} now: one may hold more work than "
        "the other."
    ]


def test_a_site_that_is_on_one_side_only_has_no_numbers_on_the_other(tmp_path: Path) -> None:
    found = compared(tmp_path, leaking_capture(), leaking_capture(kept_op="Add", leaks=False))

    columns = found["columns"]
    assert isinstance(columns, dict)
    assert columns["op"] == ["MatMul", "Add", "Tmp"]
    assert columns["change"] == ["absent", None, None]
    assert columns["before_sites"] == [[0], [], [1]]
    assert columns["after_sites"] == [[], [0], [1]]
    assert columns["after_live_bytes"] == [None, 0, 0]
    assert columns["before_bytes_per_step"] == [1024, None, 0]
    assert columns["after_allocated_bytes_per_step"] == [None, 1024, 512]
