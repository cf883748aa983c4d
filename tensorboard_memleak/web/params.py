"""The parameters of a request, checked: what is malformed is a `BadRequest` that names it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeVar

from tensorboard_memleak.errors import BadRequest

_LARGEST = 2**53
_MOST_DIGITS = 20

_Word = TypeVar("_Word", bound=str)


class Params:
    """Typed access to query parameters."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def text(self, name: str) -> str:
        """Return a parameter that must be there."""
        value = self._values.get(name, "")
        if not value:
            raise BadRequest(f"The parameter {name} is missing.", f"Add {name}=… to the address.")
        return value

    def optional_text(self, name: str) -> str | None:
        """Return a parameter, `None` where it is absent or empty."""
        return self._values.get(name) or None

    def texts(self, name: str) -> list[str]:
        """Return a parameter that is a JSON list of texts, empty where it is absent."""
        value = self._values.get(name)
        if not value:
            return []
        try:
            found = json.loads(value)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            raise BadRequest(
                f"The parameter {name} must be a JSON list of texts.",
                f"Correct {name} in the address.",
            )
        return found

    def choice(self, name: str, options: Sequence[_Word], default: _Word) -> _Word:
        """Return one of a few words, a default where it is absent or empty."""
        value = self.optional_text(name)
        if value is None:
            return default
        for option in options:
            if option == value:
                return option
        raise BadRequest(
            f"The parameter {name} must be one of {', '.join(options)}.",
            f"Correct {name} in the address.",
        )

    def whole(self, name: str, lowest: int = 0, highest: int = _LARGEST) -> int | None:
        """Return a whole number within bounds, `None` where it is absent or empty."""
        value = self._values.get(name)
        if not value:
            return None
        # Plain digits only: Python would also take "1_0" and the digits of other scripts.
        plain = value.isascii() and value.isdigit() and len(value) <= _MOST_DIGITS
        number = int(value) if plain else lowest - 1
        if not lowest <= number <= highest:
            raise BadRequest(
                f"The parameter {name} must be a whole number from {lowest} to {highest}.",
                f"Correct {name} in the address.",
            )
        return number

    def whole_or(self, name: str, default: int, lowest: int, highest: int) -> int:
        """Return a whole number within bounds, a default where it is absent."""
        number = self.whole(name, lowest, highest)
        return default if number is None else number
