"""Fewer points for a chart: no extreme of the heap is lost."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.trace import Int64


def thinned_points(heap_bytes: Int64, most: int) -> Int64:
    """Return at most `most` points, in order: all, or the lowest and highest of equal stretches.

    The first point of equal extremes is kept, the first and the last point always.
    """
    count = len(heap_bytes)
    if count <= most:
        return np.arange(count)
    stretches = max(1, (most - 2) // 2)
    edges = np.linspace(0, count, stretches + 1).astype(np.int64)
    kept = {0, count - 1}
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = heap_bytes[start:end]
        kept.update((start + int(part.argmin()), start + int(part.argmax())))
    return np.array(sorted(kept), np.int64)
