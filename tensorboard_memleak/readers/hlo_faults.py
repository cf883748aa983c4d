"""What was wrong inside a program's proto: counted while reading, told once a kind."""

from __future__ import annotations

from collections import Counter

from tensorboard_memleak.model.counts import grouped
from tensorboard_memleak.model.trace import Notice

_HINT = "The figures leave out what is broken. Record the profile again, or dump the module anew."


class Faults:
    """Counts broken parts by what is wrong with them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._notices: list[Notice] = []

    def add(self, what: str, count: int = 1) -> None:
        """Count parts of which `what` is true, as in "buffers with a negative size"."""
        if count:
            self._counts[what] += count

    def tell(self, code: str, message: str, hint: str = "") -> None:
        """Tell something that is absent rather than broken."""
        self._notices.append(Notice(code, message, hint))

    def notices(self, name: str) -> tuple[Notice, ...]:
        """Return what is to be told about the module `name`."""
        broken = (
            Notice("damaged_program", f"{name}: {what}: {grouped(count)}.", _HINT)
            for what, count in self._counts.items()
        )
        return (*self._notices, *broken)
