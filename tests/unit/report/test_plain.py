from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.wording import THIN_SPACE
from tensorboard_memleak.report.plain import columns_of, cut_middle, neutral, wrap


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\rb\nc\td\x00", r"a\x0db\x0ac\x09d\x00"),
        ("\u202egnp.exe", r"\u202egnp.exe"),
        ("zero\u200bwidth\ufeff", r"zero\u200bwidth\ufeff"),
        ("\x9b2J", r"\x9b2J"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("модель/слой 1 张量", "модель/слой 1 张量"),
    ],
)
def test_what_a_terminal_would_act_on_is_spelled_out(hostile: str, shown: str) -> None:
    assert neutral(hostile) == shown


@pytest.mark.parametrize(
    ("text", "columns"), [("abc", 3), ("张量", 4), ("e\u0301", 1), ("\uff46", 2), ("", 0)]
)
def test_columns_are_those_of_a_terminal(text: str, columns: int) -> None:
    assert columns_of(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "cut"),
    [
        ("abcdefgh", 8, "abcdefgh"),
        ("abcdefghi", 8, "abcd…ghi"),
        ("张量张量张量", 7, "张…张量"),
        ("ab", 1, "…"),
    ],
)
def test_long_names_lose_their_middle(text: str, columns: int, cut: str) -> None:
    assert cut_middle(text, columns) == cut


def test_lines_break_at_spaces_and_long_words_are_cut() -> None:
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("see abcdefghijkl now", 6) == ["see", "abc…kl", "now"]
    assert wrap("  ", 10) == []


@given(st.text(st.characters(codec="utf-16", exclude_categories=()), max_size=60))
def test_nothing_unprintable_is_left(text: str) -> None:
    assert neutral(text).replace(THIN_SPACE, "").isprintable()


def test_a_number_is_not_broken_where_its_thousands_part() -> None:
    number = f"1{THIN_SPACE}234"
    assert neutral(number) == number
    assert wrap(f"12 {number} blocks", 8) == ["12 " + number, "blocks"]


@given(st.text(max_size=80), st.integers(1, 40))
def test_cut_text_fits(text: str, columns: int) -> None:
    cut = cut_middle(text, columns)
    assert columns_of(cut) <= columns
    assert cut == text or "…" in cut


@given(st.text(st.sampled_from("ab 张\u0301"), max_size=80), st.integers(2, 30))
def test_wrapped_lines_fit_and_keep_the_order(text: str, columns: int) -> None:
    lines = wrap(text, columns)
    assert all(columns_of(line) <= columns for line in lines)
    words = [cut_middle(word, columns) for word in text.split()]
    assert " ".join(lines).split(" ") == (words or [""])
