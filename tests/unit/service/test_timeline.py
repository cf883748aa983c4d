from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.blockmap import blockmap
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.report import report
from tensorboard_memleak.service.timeline import memory_over_time
from tensorboard_memleak.settings import Settings
from tests.histories import write_session
from tests.xspace_builder import XSpace

MEMORY = "GPU_0_bfc"
WAIT_PS = 5_000_000_000


def capture_that_starts_late() -> bytes:
    """Three allocations, the second the peak, five milliseconds after the time that lines share."""
    space = XSpace()
    line = space.plane().line("python", timestamp_ns=1_000)
    space.planes[0].line("idle", timestamp_ns=0)
    line.allocation(WAIT_PS, address=0x100, requested=256, allocated=256, in_use=256)
    line.allocation(WAIT_PS + 2_000_000, address=0x200, requested=512, allocated=512, in_use=768)
    line.deallocation(WAIT_PS + 3_000_000, address=0x200, requested=512, allocated=512, in_use=256)
    return space.encode()


def test_the_peak_is_where_the_heap_is_highest_and_where_the_report_says(tmp_path: Path) -> None:
    write_session(tmp_path, "s", capture_that_starts_late())
    finder = LeakFinder(Settings((Root(str(tmp_path)),)))

    drawn = memory_over_time(finder, "s", "host0", MEMORY)
    (memory,) = report(finder)["sessions"][0]["hosts"][0]["memories"]

    columns = drawn["columns"]
    assert isinstance(columns, dict)
    assert columns["time_ns"] == [0, 2_000, 3_000]
    assert columns["heap_bytes"] == [256, 768, 256]
    assert drawn["peak"] == {"time_ns": 2_000, "bytes": 768}
    assert memory["totals"]["peak_ns"] == 2_000


def capture_that_waits() -> bytes:
    """Memory events from 5 to 6 ms in a window of 20 ms."""
    space = XSpace()
    line = space.plane().line("python", timestamp_ns=0)
    line.event("begin", 0, 1_000)
    line.allocation(WAIT_PS, address=0x100, requested=256, allocated=256, in_use=256)
    line.deallocation(6_000_000_000, address=0x100, requested=256, allocated=256, in_use=0)
    line.event("end", 20_000_000_000 - 1_000, 1_000)
    return space.encode()


@pytest.mark.parametrize(
    ("start_ns", "end_ns", "told"),
    [
        (None, None, (5_000_000, 6_001_000)),
        (1_000_000, None, (1_000_000, 6_001_000)),
        (None, 10_000_000, (5_000_000, 10_000_000)),
        (None, 2_000_000, (0, 2_000_000)),
        (8_000_000, None, (8_000_000, 20_000_000)),
        (1_000_000, 30_000_000, (1_000_000, 20_000_000)),
    ],
)
def test_a_missing_end_is_the_busy_parts_in_every_picture_of_a_memory(
    tmp_path: Path, start_ns: int | None, end_ns: int | None, told: tuple[int, int]
) -> None:
    write_session(tmp_path, "s", capture_that_waits())
    finder = LeakFinder(Settings((Root(str(tmp_path)),)))

    for picture in (memory_over_time, blockmap):
        drawn = picture(finder, "s", "host0", MEMORY, start_ns, end_ns)
        assert (drawn["start_ns"], drawn["end_ns"]) == told
