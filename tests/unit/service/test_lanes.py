"""What ran meanwhile, thread by thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.lanes import MOST_LANES, MOST_OF_A_KIND, lanes
from tensorboard_memleak.settings import Settings
from tests.histories import write_session
from tests.unit.readers.test_xplane_thread_events import STEP_PS, US, annotated
from tests.xspace_builder import XSpace


def lanes_of(logdir: Path, space: XSpace, **asked: int) -> dict[str, Any]:
    write_session(logdir, "s", space.encode())
    finder = LeakFinder(Settings((Root(str(logdir)),)))
    return cast("dict[str, Any]", lanes(finder, "s", "host0", **asked))


def heads(told: dict[str, Any]) -> list[tuple[str, int, str, int]]:
    return [(one["kind"], one["level"], one["thread"], one["spans"]) for one in told["lanes"]]


def test_annotations_lie_below_the_steps_of_their_thread(tmp_path: Path) -> None:
    told = lanes_of(tmp_path, annotated(3))

    assert heads(told) == [
        ("steps", 0, "python", 3),
        ("events", 0, "python", 6),
        ("events", 1, "python", 9),
    ]
    assert told["total"] == 3
    assert told["lanes"][1]["columns"]["name"][:2] == ["load batch", "forward"]
    assert told["lanes"][1]["columns"]["start_ns"][:2] == [2_000, 30_000]
    assert told["lanes"][1]["columns"]["number"] == [None] * 6


def test_threads_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Python names each of its threads alike."""
    space = annotated()
    line = space.planes[0].line("python", line_id=9, timestamp_ns=1_000)
    line.event("evaluate", 10 * US, 50 * US)
    line.allocation(20 * US, address=0x900, requested=64, allocated=64, in_use=64)

    told = lanes_of(tmp_path, space)

    assert [(kind, thread) for kind, _, thread, _ in heads(told)] == [
        ("steps", "python"),
        ("events", "python"),
        ("events", "python"),
        ("events", "python (2)"),
    ]


def test_only_what_touches_the_range_is_told(tmp_path: Path) -> None:
    told = lanes_of(tmp_path, annotated(3), start_ns=125_000, end_ns=175_000)

    assert heads(told)[1] == ("events", 0, "python", 1)
    assert told["lanes"][1]["columns"]["name"] == ["forward"]


def test_under_a_pixel_the_longest_gives_the_name(tmp_path: Path) -> None:
    told = lanes_of(tmp_path, annotated(3), pixels=3)

    outer = told["lanes"][1]
    assert (outer["merged"], outer["spans"]) == (True, 6)
    assert outer["columns"]["name"] == ["forward"] * 3
    assert outer["columns"]["count"] == [2] * 3


def test_runs_on_many_threads_leave_room_for_the_rest(tmp_path: Path) -> None:
    space = annotated()
    for device in range(20):
        line = space.planes[0].line(f"execute {device}", line_id=100 + device, timestamp_ns=1_000)
        line.event("jit_f:XLA GPU module", STEP_PS, 10 * US)

    told = lanes_of(tmp_path, space)

    kinds = [one["kind"] for one in told["lanes"]]
    assert len(kinds) <= MOST_LANES
    assert kinds.count("modules") == MOST_OF_A_KIND
    assert kinds.count("events") == 2
    assert told["total"] == 23
