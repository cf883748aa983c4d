"""Allocator events of a capture, gathered batch by batch and split by allocator at the end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import (
    NO_STRING,
    UNKNOWN,
    EventKind,
    Int32,
    Int64,
    Memory,
    MemoryEvents,
    UInt8,
)
from tensorboard_memleak.readers.strings import UNTOLD, Strings
from tensorboard_memleak.readers.xplane_dtypes import dtype_name
from tensorboard_memleak.readers.xplane_quantities import as_bytes, as_shares
from tensorboard_memleak.readers.xplane_stats import Stats, as_integers, as_texts

KIND_OF_NAME: Final = {
    "MemoryAllocation": EventKind.ALLOCATION,
    "MemoryDeallocation": EventKind.DEALLOCATION,
}
UNKNOWN_MEMORY: Final = "unknown"
"""The memory of events that name neither an allocator nor a device."""

_BYTES: Final = {
    "requested_bytes": "requested_bytes",
    "allocation_bytes": "allocation_bytes",
    "bytes_allocated": "bytes_in_use",
    "bytes_reserved": "bytes_reserved",
    "bytes_available": "bytes_available",
    "peak_bytes_in_use": "peak_bytes_in_use",
}
_TEXTS: Final = {"tf_op": "op", "region_type": "region", "shape": "shape"}
_OWNERS: Final = ("allocator_name", "device_ordinal", "index_on_host")
"""Who owns the memory: the first of these that an event tells."""
_PLACEHOLDER_OPS: Final = UNTOLD | {"dummy"}
"""What stands for "no framework op": PJRT installs "dummy" so that an annotation is never empty."""

MEMORY_STATS: Final = frozenset(
    {*_BYTES, *_TEXTS, *_OWNERS, "addr", "id", "fragmentation", "data_type"}
)

Column = NDArray[Any]


class MemoryRows:
    """Columns of memory events under construction, one list of arrays a column."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings
        self._parts: dict[str, list[Column]] = {}

    def add(
        self, line: Int32, offset_ps: Int64, kind: UInt8, stack: Int32, stats: Iterable[Stats]
    ) -> None:
        """Add the events of one batch; a later part of `stats` wins over an earlier one."""
        columns = self._empty(len(offset_ps))
        for part in stats:
            self._fill(columns, part)
        columns["offset_ps"], columns["kind"], columns["stack"] = offset_ps, kind, stack
        columns["line"] = line
        columns["memory"] = self._owners(columns)
        for name, column in columns.items():
            self._parts.setdefault(name, []).append(column)

    def _empty(self, count: int) -> dict[str, Column]:
        columns: dict[str, Column] = {
            name: np.full(count, UNKNOWN, np.int64) for name in (*_BYTES.values(), "step_id")
        }
        for name in (*_TEXTS.values(), "dtype", *_OWNERS):
            columns[name] = np.full(count, NO_STRING, np.int32)
        columns["address"] = np.zeros(count, np.uint64)
        columns["fragmentation"] = np.full(count, np.nan)
        return columns

    def _fill(self, columns: dict[str, Column], stats: Stats) -> None:
        """Put stats of one name into their column; where an event repeats one, the last wins."""
        name = stats.name
        if name in _BYTES:
            columns[_BYTES[name]][stats.of] = as_bytes(stats)
        elif name == "addr":
            columns["address"][stats.of] = as_integers(stats).view(np.uint64)
        elif name == "id":
            columns["step_id"][stats.of] = as_integers(stats)
        elif name == "fragmentation":
            columns["fragmentation"][stats.of] = as_shares(stats)
        elif name == "data_type":
            columns["dtype"][stats.of] = self._dtypes(stats)
        elif name in _OWNERS:
            columns[name][stats.of] = as_texts(stats, self._annotation)
        elif name in _TEXTS:
            intern = self._op if name == "tf_op" else self._annotation
            columns[_TEXTS[name]][stats.of] = as_texts(stats, intern)

    def _annotation(self, text: str) -> int:
        return self._strings.intern_annotation(text)

    def _op(self, text: str) -> int:
        return self._strings.intern_annotation(text, _PLACEHOLDER_OPS)

    def _dtypes(self, stats: Stats) -> Int32:
        distinct, where = np.unique(as_integers(stats), return_inverse=True)
        names = [self._strings.intern(dtype_name(number)) for number in distinct.tolist()]
        return np.array(names, np.int32)[where]

    def _owners(self, columns: dict[str, Column]) -> Int32:
        owner: Int32 = columns.pop(_OWNERS[0])
        for name in _OWNERS[1:]:
            told = columns.pop(name)
            owner = np.where(owner == NO_STRING, told, owner)
        return owner

    def extend(self, rows: MemoryRows) -> None:
        """Take over the rows of one line, once that line has been read to its end."""
        for name, parts in rows._parts.items():
            self._parts.setdefault(name, []).extend(parts)

    def finish(self, line_ps: Int64, line_thread: Int32) -> tuple[Memory, ...]:
        """Return each memory with its events in true time, given every line's base and thread."""
        if not self._parts:
            return ()
        line = self._take("line")
        time_ps = self._take("offset_ps") + line_ps[line]
        owner = self._take("memory")
        # Stable, so that events of one thread keep their order where the clock does not tell.
        order = np.lexsort((time_ps, owner))
        owners, first = np.unique(owner[order], return_index=True)
        rows = np.split(order, first[1:])
        columns = {"time_ps": _deal(time_ps, rows), "thread": _deal(line_thread[line], rows)}
        del line, time_ps, owner, order
        for name in list(self._parts):  # one at a time: its parts go as its columns come
            columns[name] = _deal(self._take(name), rows)
        memories = [
            Memory(
                self._strings.text(index) or UNKNOWN_MEMORY,
                MemoryEvents(**{name: dealt[place] for name, dealt in columns.items()}),
            )
            for place, index in enumerate(owners.tolist())
        ]
        return tuple(sorted(memories, key=lambda memory: memory.memory_id))

    def _take(self, name: str) -> Column:
        return np.concatenate(self._parts.pop(name))


def _deal(column: Column, rows: list[Int64]) -> list[Column]:
    return [column[chosen] for chosen in rows]
