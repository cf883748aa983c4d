"""Groups rows that are equal in several columns, by one sort."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tensorboard_memleak.model.trace import Int64


def group_rows(columns: Sequence[Int64]) -> tuple[Int64, Int64]:
    """Return the group of each row, numbered by first appearance, and each group's first row."""
    order = np.lexsort(list(columns)[::-1])
    new = np.zeros(len(order), bool)
    for column in columns:
        new[1:] |= column[order][1:] != column[order][:-1]
    new[:1] = True
    found = np.empty(len(order), np.int64)
    found[order] = np.cumsum(new) - 1
    first = order[new]
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[found], np.sort(first)


def rows_of_groups(group: Int64, count: int) -> list[Int64]:
    """Return the rows of each group in order; a negative group is none."""
    order = np.argsort(group, kind="stable")
    edges = np.searchsorted(group[order], np.arange(count + 1))
    return [order[a:b] for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)]
