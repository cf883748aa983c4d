"""How much memory a kept value holds on to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import numpy as np


def held_bytes(value: object) -> int:
    """Return about how much memory a value keeps: exactly its columns, roughly the rest."""
    seen: set[int] = set()
    return sum(_sizes(value, seen))


def _sizes(value: object, seen: set[int]) -> Iterator[int]:
    if isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base  # a view keeps the whole of it
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value.nbytes
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _sizes(getattr(value, one.name), seen)
    elif isinstance(value, tuple):
        yield sys.getsizeof(value)
        for item in value:
            yield from _sizes(item, seen)
    else:
        yield sys.getsizeof(value)
