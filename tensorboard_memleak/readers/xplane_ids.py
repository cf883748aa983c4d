"""Look-up of metadata ids by the million: ids may be any signed 64-bit number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64

_DENSE_SLACK: Final = 1 << 16
"""A direct table may have this many holes; beyond it (ids that are hashes) a search is used."""


class IdTable:
    """Rows of ids: `rows(ids)` is each id's position in `keys`, or `len(keys)` if unknown.

    Position `len(keys)` is a valid index into columns made by `column`, where it holds the
    default: an unknown id needs no special case.
    """

    def __init__(self, keys: Iterable[int]) -> None:
        self.keys: Int64 = np.array(sorted(keys), np.int64)
        self._dense: Int32 | None = None
        if len(self.keys) and self.keys[0] >= 0 and self.keys[-1] < len(self.keys) + _DENSE_SLACK:
            self._dense = np.full(int(self.keys[-1]) + 2, len(self.keys), np.int32)
            self._dense[self.keys] = np.arange(len(self.keys), dtype=np.int32)

    def __len__(self) -> int:
        return len(self.keys)

    def rows(self, ids: Int64) -> Int32:
        """Return the row of each id."""
        if self._dense is not None:
            # Negative ids wrap to huge unsigned numbers and so fall on the last entry, "unknown".
            last = np.uint64(len(self._dense) - 1)
            rows: Int32 = self._dense[np.minimum(ids.view(np.uint64), last)]
            return rows
        found = np.searchsorted(self.keys, ids)
        inside = np.minimum(found, max(len(self.keys) - 1, 0))
        known = (self.keys[inside] == ids) if len(self.keys) else np.zeros(len(ids), np.bool_)
        return np.where(known, found, len(self.keys)).astype(np.int32)
