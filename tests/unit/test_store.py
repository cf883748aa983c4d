from __future__ import annotations

import gc
import threading
import time
import weakref
from contextlib import suppress

import pytest

from tensorboard_memleak.errors import Stopped
from tensorboard_memleak.progress import Progress, Standing
from tensorboard_memleak.store import Store


def test_a_key_is_computed_once() -> None:
    store: Store[str] = Store(100, len)
    made: list[int] = []

    def make(_: object) -> str:
        made.append(1)
        return "value"

    assert [store.get("key", make) for _ in range(3)] == ["value"] * 3
    assert made == [1]


def test_the_least_used_are_forgotten_beyond_the_capacity() -> None:
    store: Store[str] = Store(10, len)
    made: list[str] = []

    def get(key: str) -> None:
        def make(_: object) -> str:
            made.append(key)
            return "x" * 4

        store.get(key, make)

    for key in ("a", "b", "a", "c", "a", "b"):
        get(key)

    assert made == ["a", "b", "c", "b"]  # c pushed b out, the less used of the two


def test_a_value_beyond_the_capacity_is_kept_alone() -> None:
    store: Store[str] = Store(3, len)
    store.get("small", lambda _: "x")
    store.get("large", lambda _: "x" * 50)

    def fail(_: object) -> str:
        raise AssertionError

    assert store.get("large", fail) == "x" * 50


def test_an_error_is_told_and_not_kept() -> None:
    store: Store[str] = Store(100, len)

    def fail(_: object) -> str:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        store.get("key", fail)
    assert store.get("key", lambda _: "back") == "back"


def test_who_asks_meanwhile_waits_for_the_first() -> None:
    store: Store[str] = Store(100, len)
    begun, go_on = threading.Event(), threading.Event()
    made: list[int] = []
    answers: list[str] = []

    def make(_: object) -> str:
        made.append(1)
        begun.set()
        assert go_on.wait(10)
        return "value"

    threads = [
        threading.Thread(target=lambda: answers.append(store.get("key", make))) for _ in range(5)
    ]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(10)

    assert made == [1]
    assert answers == ["value"] * 5


class Slow:
    """A computation that waits, telling that it goes on, until it may end or must stop."""

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Semaphore(0), threading.Event()

    def __call__(self, progress: Progress) -> str:
        told = progress.begin("reading", 10)
        told(4)
        self.begun.release()
        while not self.go_on.wait(0.001):
            told(4)
        return "value"


class Asking(threading.Thread):
    """One who asks a store, and what became of it."""

    def __init__(self, store: Store[str], compute: Slow, waiter: str | None) -> None:
        super().__init__(daemon=True)
        self.answer: str | type[BaseException] = ""
        self._ask = lambda: store.get("key", compute, Progress("host0"), waiter)
        self.start()

    def run(self) -> None:
        try:
            self.answer = self._ask()
        except Stopped as stopped:
            self.answer = type(stopped)

    def ended(self) -> str | type[BaseException]:
        self.join(10)
        return self.answer


def waiting(store: Store[str]) -> int:
    work = store._under_way.get("key")
    return len(work.requests) if work else 0


def until_waiting(store: Store[str], count: int) -> None:
    deadline = time.monotonic() + 10
    while waiting(store) < count:
        assert time.monotonic() < deadline


def test_others_see_how_far_it_is_and_nothing_stays() -> None:
    store: Store[str] = Store(100, len)
    slow = Slow()
    assert store.standing("key") is None
    asking = Asking(store, slow, "me")
    assert slow.begun.acquire(timeout=10)

    assert store.standing("key") == Standing("host0", "reading", 4, 10)
    assert store.standing("other") is None

    slow.go_on.set()
    assert asking.ended() == "value"
    assert store.standing("key") is None


def test_the_only_one_who_waits_may_end_it_and_ask_again() -> None:
    store: Store[str] = Store(100, len)
    slow = Slow()
    asking = Asking(store, slow, "me")
    assert slow.begun.acquire(timeout=10)

    assert store.withdraw("key", "me") == "stopped"
    assert asking.ended() is Stopped
    assert store.withdraw("key", "me") == "nothing_under_way"

    slow.go_on.set()
    assert Asking(store, slow, "me").ended() == "value"


@pytest.mark.parametrize("other", ["you", None])
def test_nobody_ends_what_another_waits_for(other: str | None) -> None:
    store: Store[str] = Store(100, len)
    slow = Slow()
    mine = Asking(store, slow, "me")
    assert slow.begun.acquire(timeout=10)
    assert store.withdraw("key", "you") == "others_wait"
    theirs = Asking(store, slow, other)
    until_waiting(store, 2)

    assert store.withdraw("key", "me") == "others_wait"

    slow.go_on.set()
    assert theirs.ended() == "value"
    assert mine.ended() == "value"


def test_the_last_of_several_to_give_up_ends_it() -> None:
    store: Store[str] = Store(100, len)
    slow = Slow()
    mine = Asking(store, slow, "me")
    assert slow.begun.acquire(timeout=10)
    theirs = Asking(store, slow, "you")
    until_waiting(store, 2)

    assert store.withdraw("key", "me") == "others_wait"
    assert store.withdraw("key", "you") == "stopped"
    assert mine.ended() is Stopped
    assert theirs.ended() is Stopped


def test_who_comes_after_the_stop_computes_in_turn() -> None:
    store: Store[str] = Store(100, len)
    begun, go_on, again = threading.Event(), threading.Event(), Slow()
    again.go_on.set()

    def deaf(progress: Progress) -> str:
        begun.set()
        assert go_on.wait(10)
        progress.begin("analysing", 1)
        return "never"

    first = Asking(store, deaf, "me")  # type: ignore[arg-type]  # any computation does
    assert begun.wait(10)
    assert store.withdraw("key", "me") == "stopped"
    late = Asking(store, again, "you")
    until_waiting(store, 2)
    go_on.set()

    assert first.ended() is Stopped
    assert late.ended() == "value"


class Held:
    """Something large that a reading has made so far."""


def test_what_was_read_until_the_stop_is_let_go_at_once() -> None:
    store: Store[str] = Store(100, len)
    made: list[weakref.ref[Held]] = []

    def read(progress: Progress) -> str:
        half_done = Held()
        made.append(weakref.ref(half_done))
        progress.stop()
        progress.begin("reading", 1)
        return str(half_done)

    def withdrawn(progress: Progress) -> str:
        assert store.withdraw("key", "me") == "stopped"
        return read(progress)

    gc.disable()
    try:
        with suppress(Stopped):
            store.get("key", withdrawn, Progress("host0"), "me")
        assert made[0]() is None
    finally:
        gc.enable()
