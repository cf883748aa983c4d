"""Which points of a long series a chart needs, so that no extreme is lost.

Per pixel column the first, the last, the lowest and the highest point are kept (known as M4). A
step chart of those four draws the same pixels as one of all points; an average would hide exactly
the troughs that growth shows in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tensorboard_memleak.model.trace import Float64, Int64


def kept_points(
    time_ps: Int64, series: Sequence[Int64 | Float64], start_ps: int, end_ps: int, pixels: int
) -> Int64:
    """Return the rows of [start, end] to draw, in order: all, or the extremes of each column.

    `time_ps` is sorted. Every series contributes its own lowest and highest point of a column.
    """
    first, last = np.searchsorted(time_ps, [start_ps, end_ps + 1]).tolist()
    rows = np.arange(first, last)
    if len(rows) <= (2 + 2 * len(series)) * pixels:
        return rows
    column = (time_ps[first:last] - start_ps) // max(-(-(end_ps - start_ps + 1) // pixels), 1)
    begin = np.flatnonzero(np.append(True, column[1:] != column[:-1]))
    kept = [begin, np.append(begin[1:], len(rows)) - 1]
    for values in series:
        part = values[first:last]
        kept.extend([first_extreme(part, begin), first_extreme(-part, begin)])
    return np.asarray(np.unique(np.concatenate(kept)) + first)


def first_extreme(values: Int64 | Float64, begin: Int64) -> Int64:
    """Return the first row of each column that holds its smallest value.

    `begin` are the first rows of the columns.
    """
    values = np.where(np.isnan(values), np.inf, values) if values.dtype.kind == "f" else values
    lowest = np.minimum.reduceat(values, begin)
    length = np.diff(np.append(begin, len(values)))
    hits = np.flatnonzero(values == np.repeat(lowest, length))
    column = np.searchsorted(begin, hits, side="right") - 1
    return np.asarray(hits[np.append(True, column[1:] != column[:-1])])
