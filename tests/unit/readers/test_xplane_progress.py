from __future__ import annotations

from itertools import pairwise

import pytest

from tensorboard_memleak.errors import Stopped
from tensorboard_memleak.readers import xplane_host
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.histories import leaking_capture
from tests.xspace_builder import XSpace


def heard(data: bytes) -> list[int]:
    positions: list[int] = []
    read_host_trace(data, "host0", "host0.xplane.pb", positions.append)
    return positions


def test_the_reader_tells_on_and_on_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xplane_host, "WINDOW_BYTES", 1 << 14)
    data = leaking_capture(steps=400)

    positions = heard(data)

    assert len(positions) > len(data) >> 15
    assert all(before <= after for before, after in pairwise(positions))
    assert positions[-1] == len(data)
    assert positions[0] < len(data) / 4


def test_a_device_plane_counts_as_well() -> None:
    space = XSpace()
    for number in range(3):
        space.plane(f"/device:GPU:{number}").line("Stream").event("kernel", at_ps=0, lasts_ps=5)
    data = space.encode()

    assert len(set(heard(data))) == 4
    assert heard(data)[-1] == len(data)


def test_a_capture_without_lines_is_read_as_well() -> None:
    space = XSpace()
    space.plane("/host:CPU")
    assert heard(space.encode()) == [len(space.encode())]


def test_the_reading_ends_where_the_listener_says_so() -> None:
    def stop(done: int) -> None:
        raise Stopped("enough")

    with pytest.raises(Stopped):
        read_host_trace(leaking_capture(), "host0", "host0.xplane.pb", stop)
