from __future__ import annotations

from tensorboard_memleak.readers.strings import Strings


def test_each_text_is_kept_once_and_nothing_is_index_zero() -> None:
    strings = Strings()
    assert [strings.intern(text) for text in ("a", "b", "a", "")] == [1, 2, 1, 0]
    assert strings.all() == ("", "a", "b")
    assert strings.text(2) == "b"


def test_spellings_of_not_told_are_index_zero() -> None:
    strings = Strings()
    assert strings.intern_annotation("(null)") == 0
    assert strings.intern_annotation("Relu") == 1
    assert strings.intern_annotation("Relu", frozenset({"Relu"})) == 0
