"""How sure growth from snapshot to snapshot is."""

from __future__ import annotations

from typing import Final

_UNEVEN: Final = 0.2
"""Growth whose smallest part is less than this share of its largest may be a warm-up that ends."""


def confidence_of_growth(more: tuple[int, ...]) -> float:
    """Return how sure growth in every interval makes us that it goes on.

    0.6 for a single interval, 0.9 for two, 0.95 for more; 0.7 if the intervals are very uneven.
    Judgement, not measurement: nothing in a snapshot says how many steps lie between two.
    """
    if len(more) == 1:
        return 0.6
    if min(more) < _UNEVEN * max(more):
        return 0.7
    return 0.9 if len(more) == 2 else 0.95
