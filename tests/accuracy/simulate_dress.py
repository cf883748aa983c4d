"""How a simulated capture names its sites and marks its steps, as different frameworks do.

The names that a right report gives the sites are the same in every dress.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import NO_STACK, Spans, Stacks

Ints = NDArray[np.int64]
Column = NDArray[np.int32]

NAMINGS = ("op", "op", "numbered", "stack")
MARKINGS = ("plain", "plain", "nested", "two threads", "restarted")
MARKED_SHARE = 0.93
"""How much of a step its own marker covers; the rest happens between markers."""


@dataclass(frozen=True)
class Names:
    """The annotation of each birth: an op, an op with an instance counter, or only a stack."""

    strings: tuple[str, ...]
    op: Column
    stack: Column
    stacks: Stacks


def names(naming: str, sites: list[str], site: Ints, step: Ints) -> Names:
    """Name the births of some sites; `site` and `step` are aligned to them."""
    none = np.zeros(len(site), np.int32)
    empty = Stacks(np.zeros(1, np.int32), np.zeros(1, np.int32))
    if naming == "op":
        return Names(("", *sites), (site + 1).astype(np.int32), none, empty)
    if naming == "numbered":
        width = int(step.max(initial=0)) + 1
        strings = ("", *(f"model_{n}/{name}" for name in sites for n in range(width)))
        return Names(strings, (site * width + step + 1).astype(np.int32), none, empty)
    # A runtime's own frame lies inside the one that names the site.
    frames = ["Build buffer allocations", *(f"PjitFunction({name})" for name in sites)]
    outer = np.arange(1, len(sites) + 1)
    parent = np.concatenate([[NO_STACK], np.zeros(len(sites), np.int64), outer])
    frame = np.concatenate([[0], outer + 1, np.ones(len(sites), np.int64)])
    stacks = Stacks(parent.astype(np.int32), frame.astype(np.int32))
    return Names(("", *frames), none, (site + 1 + len(sites)).astype(np.int32), stacks)


def plain_name(said: str) -> str:
    """Return the name of the site that a report's name means."""
    return said.removeprefix("model/").removeprefix("PjitFunction(").removesuffix(")")


def marks(marking: str, start: Ints, end: Ints, number: Ints, name: int) -> Spans:
    """Mark steps that run from `start` to `end`, as whoever wrote the program did."""
    stop = start + ((end - start) * MARKED_SHARE).astype(np.int64)
    rows = [(start, stop, number, 0)]
    if marking == "nested":
        third = (stop - start) // 3
        rows += [
            (start + third, start + 2 * third - 1, number, 0),
            (stop - third, stop - 1, number, 0),
        ]
    elif marking == "two threads":
        rows.append((start + 1000, stop - 1000, number, 1))
    elif marking == "restarted":
        rows = [(start, stop, number % max(len(number) // 2, 1), 0)]
    columns = [np.concatenate([row[i] for row in rows]) for i in range(3)]
    thread = np.concatenate([np.full(len(row[0]), row[3]) for row in rows])
    order = np.lexsort((-columns[1], columns[0]))
    count = len(order)
    return Spans(
        name=np.full(count, name, np.int32),
        start_ps=columns[0][order],
        end_ps=columns[1][order],
        number=columns[2][order],
        level=np.ones(count, np.int32),
        thread=thread[order].astype(np.int32),
    )
