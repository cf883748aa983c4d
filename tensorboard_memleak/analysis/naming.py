"""Op names without the counters that frameworks add to keep them unique.

`adam_9/sequential_9/dense_19/Relu` names another instance of the layer that was `dense_17` an
iteration ago; `Conv2D_1` names the second convolution of every iteration. Both are numbered
suffixes. They are told apart by when they are seen: a suffix whose numbers change from step to
step counts instances and is taken off, one that comes back in step after step is part of the name.

Blind spot: within one step nothing can change, so that a single step strips nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import Int32, Int64

_SUFFIX: Final = re.compile(r"_(\d+)(?=[/_:;]|$)")
STABLE_SHARE: Final = 0.5
"""A number seen in a smaller share of the steps than this counts instances."""


def without_counters(names: Sequence[str], name: Int64, step: Int32) -> list[str]:
    """Return each of `names` with its instance counters taken off.

    `name` and `step` are aligned: name `name[i]` was used in step `step[i]`.
    """
    families: dict[str, list[int]] = {}
    for index, text in enumerate(names):
        families.setdefault(_SUFFIX.sub("_#", text), []).append(index)
    numbered = {key: members for key, members in families.items() if len(members) > 1}
    result = list(names)
    if not numbered:
        return result
    seen = _steps_of_names(len(names), name, step)
    for members in numbered.values():
        _strip_family(members, names, seen, result)
    return result


def _steps_of_names(count: int, name: Int64, step: Int32) -> list[Int64]:
    """Return the distinct steps in which each name is used."""
    width = int(step.max(initial=0)) + 2
    pairs = np.unique(name * width + step + 1)
    return np.split(pairs % width, np.searchsorted(pairs, np.arange(1, count) * width))


def _strip_family(
    members: list[int], names: Sequence[str], seen: list[Int64], result: list[str]
) -> None:
    """Take the counters off names that differ in nothing but numbers."""
    numbers = np.array([_SUFFIX.findall(names[index]) for index in members], dtype=np.str_)
    lengths = [len(seen[index]) for index in members]
    steps = np.concatenate([seen[index] for index in members])
    total = len(np.unique(steps))
    counts = [_is_counter(np.repeat(column, lengths), steps, total) for column in numbers.T]
    for index in members:
        result[index] = _without(names[index], counts)


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


def _without(name: str, counters: list[bool]) -> str:
    place = iter(counters)
    return _SUFFIX.sub(lambda match: "" if next(place) else match.group(0), name)
