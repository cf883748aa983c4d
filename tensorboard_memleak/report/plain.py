"""Text that is safe and fits: names from a profile are hostile, terminals obey what they are sent.

Widths are terminal columns: East Asian wide characters take two, combining marks none.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from tensorboard_memleak.analysis.wording import THIN_SPACE

ELLIPSIS: Final = "…"


def neutral(text: str) -> str:
    """Return the text with everything that a terminal would act on spelled out.

    Control characters, escape sequences, line breaks, bidirectional overrides, invisible
    characters and lone surrogates become backslash escapes. The narrow space of our own numbers is
    harmless.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == THIN_SPACE else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def columns_of(text: str) -> int:
    """Return how many columns a text takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut_middle(text: str, columns: int) -> str:
    """Return the text in at most `columns`, its middle left out where it is longer."""
    if columns_of(text) <= columns:
        return text
    head = _fitting(text, columns // 2)
    tail = _fitting(text[::-1], columns - columns_of(head) - 1)[::-1]
    return f"{head}{ELLIPSIS}{tail}"


def _fitting(text: str, columns: int) -> str:
    taken = 0
    for index, char in enumerate(text):
        taken += _columns(char)
        if taken > columns:
            return text[:index]
    return text


def wrap(text: str, columns: int) -> list[str]:
    """Break a text at its spaces into lines; a word longer than a line is cut in the middle."""
    lines: list[str] = []
    line, taken = "", 0
    for word in filter(None, text.split(" ")):  # a narrow space holds a number together
        word = cut_middle(word, columns)
        size = columns_of(word)
        if line and taken + 1 + size > columns:
            lines.append(line)
            line, taken = "", 0
        line, taken = (f"{line} {word}", taken + 1 + size) if line else (word, size)
    return [*lines, line] if line else lines
