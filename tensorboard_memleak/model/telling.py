"""How work tells how far it is, without knowing who listens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Told: TypeAlias = Callable[[int], None]
"""Takes how much is done, in the unit of the work; may raise, which ends the work."""


def to_nobody(done: int) -> None:
    """Listen to nothing: for work that nobody watches."""
