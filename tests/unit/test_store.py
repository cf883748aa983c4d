from __future__ import annotations

import threading

import pytest

from tensorboard_memleak.store import Store


def test_a_key_is_computed_once() -> None:
    store: Store[str] = Store(100, len)
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "value"

    assert [store.get("key", make) for _ in range(3)] == ["value"] * 3
    assert made == [1]


def test_the_least_used_are_forgotten_beyond_the_capacity() -> None:
    store: Store[str] = Store(10, len)
    made: list[str] = []

    def get(key: str) -> None:
        def make() -> str:
            made.append(key)
            return "x" * 4

        store.get(key, make)

    for key in ("a", "b", "a", "c", "a", "b"):
        get(key)

    assert made == ["a", "b", "c", "b"]  # c pushed b out, the less used of the two


def test_a_value_beyond_the_capacity_is_kept_alone() -> None:
    store: Store[str] = Store(3, len)
    store.get("small", lambda: "x")
    store.get("large", lambda: "x" * 50)

    def fail() -> str:
        raise AssertionError

    assert store.get("large", fail) == "x" * 50


def test_an_error_is_told_and_not_kept() -> None:
    store: Store[str] = Store(100, len)

    def fail() -> str:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        store.get("key", fail)
    assert store.get("key", lambda: "back") == "back"


def test_who_asks_meanwhile_waits_for_the_first() -> None:
    store: Store[str] = Store(100, len)
    begun, go_on = threading.Event(), threading.Event()
    made: list[int] = []
    answers: list[str] = []

    def make() -> str:
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
