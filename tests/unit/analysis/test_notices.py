from __future__ import annotations

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.analysis import HostDiagnosis
from tests.window_builder import Window


def loop(steps: int, marked: bool = True) -> Window:
    window = Window(steps, marked)
    for step in range(steps):
        window.block("Relu", 64, born=step + 0.1, freed=step + 0.2)
        window.block("Mul", 64, born=step + 0.3, freed=step + 0.4)
    return window


def codes(host: HostDiagnosis) -> list[str]:
    (memory,) = host.memories
    return [one.code for one in (*host.notices, *memory.diagnosis.notices)]


def test_a_sound_capture_has_nothing_to_say() -> None:
    assert codes(diagnose(loop(5).trace())) == []


def test_inferred_steps_are_said_with_how_to_mark_them() -> None:
    host = diagnose(loop(5, marked=False).trace())
    (notice,) = host.notices
    assert notice.code == "steps_inferred"
    assert "inferred from what recurs" in notice.message
    assert "tf.profiler.experimental.Trace('train', step_num=step, _r=1)" in notice.hint


def test_an_address_that_is_born_twice_tells_of_lost_events() -> None:
    window = loop(5)
    window.block("Again", 64, born=1.5, address=0x9000)
    window.block("Again", 64, born=2.5, freed=2.6, address=0x9000)
    (memory,) = diagnose(window.trace()).memories
    (notice,) = memory.diagnosis.notices
    assert notice.code == "lost_events"
    assert notice.message.startswith("1 address was allocated again without a deallocation")


def test_books_that_do_not_add_up_are_said_with_the_bytes() -> None:
    window = loop(5)
    window.block("Lost", 4096, born=1.5)
    window.drop(len(window.events) - 1)
    (memory,) = diagnose(window.trace()).memories
    (notice,) = memory.diagnosis.notices
    assert notice.code == "unaccounted_bytes"
    assert "it has 4 KiB more than they tell" in notice.message
    assert "1 allocation and 0 deallocations are missing" in notice.message
