from __future__ import annotations

import pytest

from tensorboard_memleak.errors import Stopped
from tensorboard_memleak.progress import Progress, Standing


def test_a_phase_is_told_with_how_much_of_it_is_done() -> None:
    progress = Progress("host0")
    assert progress.standing == Standing("host0", "waiting", 0, 0)

    told = progress.begin("reading", 200)
    told(50)
    assert progress.standing == Standing("host0", "reading", 50, 200)

    progress.begin("analysing", 2)
    assert progress.standing == Standing("host0", "analysing", 0, 2)


def test_what_is_done_never_goes_back_nor_beyond_all() -> None:
    progress = Progress("host0")
    told = progress.begin("reading", 200)
    seen = []
    for done in (10, 60, 30, 250):
        told(done)
        seen.append(progress.standing.done)

    assert seen == [10, 60, 60, 200]


def test_work_that_was_asked_to_stop_ends_when_it_next_tells() -> None:
    progress = Progress("host0")
    told = progress.begin("reading", 200)
    progress.stop()

    with pytest.raises(Stopped, match="host0"):
        told(50)
    with pytest.raises(Stopped):
        progress.begin("analysing", 1)
    assert progress.standing == Standing("host0", "reading", 0, 200)


def test_a_listener_hears_every_standing_and_the_end() -> None:
    heard: list[Standing | None] = []
    progress = Progress("host0", heard.append)
    progress.begin("programs", 2)(1)
    progress.end()

    assert heard == [
        Standing("host0", "programs", 0, 2),
        Standing("host0", "programs", 1, 2),
        None,
    ]
