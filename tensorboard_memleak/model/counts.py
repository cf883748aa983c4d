"""Counts in words, for every ring: thousands apart, halves rounded up.

The other words for numbers are in `analysis.wording`.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

THIN_SPACE: Final = "\u202f"
"""Narrow, and no line breaks at it: a comma would be read as a decimal point by half the world."""
MINUS: Final = "\u2212"


def grouped(value: float, digits: int = 0) -> str:
    """Say a number with its thousands apart: 1 234 567; halves are rounded up.

    `float` formatting rounds halves to even, JavaScript's does not: the page must say the same.
    """
    exact = Decimal(abs(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    sign = MINUS if value < 0 and exact else ""
    return f"{sign}{exact:,}".replace(",", THIN_SPACE)


def count_text(count: float, noun: str, plural: str = "") -> str:
    """Say a count with its noun: 1 block, 12 blocks."""
    return f"{grouped(count)} {noun if count == 1 else plural or noun + 's'}"
