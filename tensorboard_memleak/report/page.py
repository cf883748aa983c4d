"""Lines of a terminal page: wrapped to its width, indented, everything in them made harmless."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tensorboard_memleak.report.plain import columns_of, cut_middle, neutral, wrap
from tensorboard_memleak.report.style import Style

NARROWEST: Final = 48
LONGEST_TEXT: Final = 600
"""Columns of a sentence; what a profile puts into it may be thousands of characters long."""
LONGEST_NAME: Final = 72


class Page:
    """Collects lines. Text enters through its methods alone, and they neutralise it."""

    def __init__(self, width: int, style: Style) -> None:
        self.width = max(width, NARROWEST)
        self.style = style
        self._lines: list[str] = []

    def blank(self) -> None:
        """Leave one line free, never two."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def line(self, text: str, indent: int = 0, paint: Callable[[str], str] = str) -> None:
        """Add one line, cut in the middle where it is too long."""
        self._add(cut_middle(neutral(text), self.width - indent), indent, paint)

    def text(
        self,
        text: str,
        indent: int = 0,
        label: str = "",
        paint: Callable[[str], str] = str,
        paint_label: Callable[[str], str] = str,
    ) -> None:
        """Add wrapped text; a label stands before its first line and pushes the others in."""
        room = self.width - indent - columns_of(label)
        lines = wrap(cut_middle(neutral(text), LONGEST_TEXT), room)
        for number, line in enumerate(lines):
            before = paint_label(label) if number == 0 else " " * columns_of(label)
            self._lines.append(f"{' ' * indent}{before}{paint(line)}")

    def facts(self, facts: list[str], indent: int = 0) -> None:
        """Add short facts side by side, as many on a line as fit; empty ones are left out."""
        line = ""
        for fact in (neutral(fact) for fact in facts if fact):
            joined = f"{line} · {fact}" if line else fact
            if line and columns_of(joined) > self.width - indent:
                self._add(line, indent)
                joined = fact
            line = joined
        if line:
            self._add(cut_middle(line, self.width - indent), indent)

    def finished(self) -> str:
        """Return the page."""
        return "\n".join(self._lines).rstrip() + "\n"

    def _add(self, text: str, indent: int, paint: Callable[[str], str] = str) -> None:
        self._lines.append(f"{' ' * indent}{paint(text)}")


def name(text: str) -> str:
    """Return a name short enough to stand among others."""
    return cut_middle(neutral(text), LONGEST_NAME)
