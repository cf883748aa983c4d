"""One-to-one matching: as many pairs as possible, the earlier choices first."""

from __future__ import annotations

from collections import deque


def match(choices: list[list[int]]) -> dict[int, int]:
    """Return left -> right, so that no right is taken twice and as many lefts as can be have one.

    `choices[left]` are the rights that may be taken, the best first. A left keeps its first free
    choice unless another left would otherwise have none (augmenting paths, breadth first).
    """
    right_of: dict[int, int] = {}
    left_of: dict[int, int] = {}
    for left in range(len(choices)):
        _augment(left, choices, right_of, left_of)
    return dict(sorted(right_of.items()))


def _augment(
    left: int, choices: list[list[int]], right_of: dict[int, int], left_of: dict[int, int]
) -> None:
    """Give `left` a right, moving others to another of their choices where that helps."""
    asked_by: dict[int, int] = {}
    pending = deque([left])
    while pending:
        asking = pending.popleft()
        for right in choices[asking]:
            if right in asked_by:
                continue
            asked_by[right] = asking
            if right in left_of:
                pending.append(left_of[right])
                continue
            free: int | None = right
            while free is not None:  # everybody on the way hands its own right to the one before
                taker = asked_by[free]
                left_of[free] = taker
                right_of[taker], free = free, right_of.get(taker)
            return
