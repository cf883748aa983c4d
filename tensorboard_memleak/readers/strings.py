"""Text met while reading, each distinct one once."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.model.trace import NO_STRING

UNTOLD: Final = frozenset({"", "(null)"})
"""How producers spell an absent annotation: older jaxlib writes the text of a null pointer."""


class Strings:
    """An interner whose index 0 is "not told"."""

    def __init__(self) -> None:
        self._index: dict[str, int] = {"": NO_STRING}

    def intern(self, text: str) -> int:
        """Return the index of `text`."""
        return self._index.setdefault(text, len(self._index))

    def intern_annotation(self, text: str, untold: frozenset[str] = UNTOLD) -> int:
        """Return the index of `text`, or 0 where it is one of the spellings of "not told"."""
        return NO_STRING if text in untold else self.intern(text)

    def text(self, index: int) -> str:
        """Return the text at `index`."""
        return self.all()[index]

    def all(self) -> tuple[str, ...]:
        """Return every text in order of its index."""
        return tuple(self._index)
