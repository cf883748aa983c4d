"""Names without the counters that frameworks and people add to keep them unique.

`adam_9/sequential_9/dense_19/Relu` names another instance of the layer that was `dense_17` an
iteration ago; `Conv2D_1` names the second convolution of every iteration. Both are numbered
suffixes. They are told apart by when they are seen: a suffix whose numbers change from step to
step counts instances and is taken off, one that comes back in step after step is part of the name.
The same holds for numbers in trace events (`batch 17`), which become `*`.

Blind spot: within one step nothing can change, so that a single step strips nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64

SUFFIX: Final = re.compile(r"_(\d+)(?=[/_:;]|$)")
"""A numbered suffix of a part of an op name; its counter is taken off with the underscore."""
NUMBER: Final = re.compile(r"(\d+)")
"""Any number in the name of a trace event."""
STABLE_SHARE: Final = 0.5
"""A number seen in a smaller share of the steps than this counts instances."""


def families(names: Sequence[str], number: re.Pattern[str]) -> list[list[int]]:
    """Return the groups of names that differ in nothing but their numbers."""
    found: dict[str, list[int]] = {}
    for index, text in enumerate(names):
        found.setdefault(number.sub("#", text), []).append(index)
    return [members for members in found.values() if len(members) > 1]


def without_counters(
    names: Sequence[str],
    name: Int64,
    step: Int32,
    number: re.Pattern[str] = SUFFIX,
    instead: str = "",
) -> list[str]:
    """Return each of `names` with `instead` of its instance counters.

    `name` and `step` are aligned: name `name[i]` was used in step `step[i]`.
    """
    result = list(names)
    numbered = families(names, number)
    if not numbered:
        return result
    seen = _steps_of_names(len(names), name, step)
    for members in numbered:
        counters = _counters(members, names, seen, number)
        for index in members:
            result[index] = _without(names[index], counters, number, instead)
    return result


def _steps_of_names(count: int, name: Int64, step: Int32) -> list[Int64]:
    """Return the distinct steps in which each name is used."""
    width = int(step.max(initial=0)) + 2
    pairs = np.unique(name * width + step + 1)
    return np.split(pairs % width, np.searchsorted(pairs, np.arange(1, count) * width))


def _counters(
    members: list[int], names: Sequence[str], seen: list[Int64], number: re.Pattern[str]
) -> list[bool]:
    """Tell which numbers of a family's names count instances."""
    numbers = np.array([number.findall(names[index]) for index in members], dtype=np.str_)
    lengths = [len(seen[index]) for index in members]
    steps = np.concatenate([seen[index] for index in members])
    total = len(np.unique(steps))
    return [_is_counter(np.repeat(column, lengths), steps, total) for column in numbers.T]


def _is_counter(
    numbers: np.ndarray[tuple[int], np.dtype[np.str_]], steps: Int64, total: int
) -> bool:
    """Tell whether the numbers of one place in a name are new in step after step."""
    values, code = np.unique(numbers, return_inverse=True)
    if len(values) == 1:
        return False
    width = int(steps.max()) + 1
    uses = len(np.unique(code * width + steps))
    return uses / len(values) < max(STABLE_SHARE * total, 1.0 + 1e-9) and total > 1


def _without(name: str, counters: list[bool], number: re.Pattern[str], instead: str) -> str:
    place = iter(counters)
    return number.sub(lambda match: instead if next(place) else match.group(0), name)
