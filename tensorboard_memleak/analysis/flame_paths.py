"""Where in a tree of frames each block ends.

Every block counts at the stack of its own birth, not at the one that is usual for its site. Frames
that differ only in counters (`batch 17`, `batch 18`) are one, as they are for sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.packing import alike
from tensorboard_memleak.analysis.program.block_modules import BlockModules
from tensorboard_memleak.analysis.stack_keys import frame_names
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.trace import (
    NO_STACK,
    UNKNOWN,
    Bool,
    Float64,
    HostTrace,
    Int64,
    Stacks,
)

NAMELESS: Final = "unknown origin"
NO_MODULE: Final = "no compiled module"


class GrowingTree:
    """A tree of names under construction; node 0 is the root, a node comes after its parent."""

    def __init__(self) -> None:
        """Begin with the root."""
        self.parent: list[int] = [UNKNOWN]
        self.frame: list[str] = [""]
        self.site: list[int] = [UNKNOWN]
        self._below: dict[tuple[int, str, int], int] = {}

    def below(self, node: int, frame: str, site: int = UNKNOWN) -> int:
        """Return the node of a name under another; where a site ends is a node of its own."""
        found = self._below.setdefault((node, frame, site), len(self.parent))
        if found == len(self.parent):
            self.parent.append(node)
            self.frame.append(frame)
            self.site.append(site)
        return found

    def summed(self, end: Int64, weight: Float64) -> Float64:
        """Return for each node the weights that end at it or below it."""
        total = np.bincount(end, weight, minlength=len(self.parent)).tolist()
        for node in range(len(total) - 1, 0, -1):
            total[self.parent[node]] += total[node]
        return np.array(total)

    def on_way_or_below(self, way: Sequence[int]) -> Bool:
        """Mark the nodes of a way from the root, and all below its end."""
        if len(way) == 1:
            return np.ones(len(self.parent), np.bool_)
        inside = [False] * len(self.parent)
        inside[way[-1]] = True
        for node in range(way[-1] + 1, len(inside)):
            inside[node] = inside[self.parent[node]]
        for node in way:
            inside[node] = True
        return np.array(inside, np.bool_)


def ends_by_op(analysis: MemoryAnalysis, rows: Int64, tree: GrowingTree) -> Int64:
    """Return the node of each block; the parts of its op's name are the path to it."""
    site = analysis.sites.of_block[rows].astype(np.int64)
    end_of = np.zeros(len(analysis.sites.sites), np.int64)
    for index in np.unique(site).tolist():
        *above, last = _op_path(analysis.sites.sites[index])
        node = 0
        for part in above:
            node = tree.below(node, part)
        end_of[index] = tree.below(node, last, index)
    return end_of[site]


def ends_by_module(
    analysis: MemoryAnalysis, modules: BlockModules, rows: Int64, tree: GrowingTree
) -> Int64:
    """Return the node of each block: under the module that it was allocated for, its site."""
    site = analysis.sites.of_block[rows].astype(np.int64)
    module = modules.of_block[rows].astype(np.int64)
    first, where = alike([module, site])
    ends = np.zeros(len(first), np.int64)
    for row, (one, index) in enumerate(
        zip(module[first].tolist(), site[first].tolist(), strict=True)
    ):
        above = tree.below(0, NO_MODULE if one == UNKNOWN else modules.names[one])
        ends[row] = tree.below(above, analysis.sites.sites[index].op or NAMELESS, index)
    return ends[where]


def _op_path(site: Site) -> list[str]:
    """Return the scopes of an op's name and itself; other names are not paths."""
    if site.source != "op":
        return [site.op or NAMELESS]
    return [part for part in site.op.split("/") if part] or [site.op]


def ends_by_stack(
    trace: HostTrace, analysis: MemoryAnalysis, rows: Int64, tree: GrowingTree
) -> Int64:
    """Return the node of each block: under its stack, or its thread, what it was allocated for.

    Where the stack itself names the site, the path ends with the stack.
    """
    events, sites = analysis.memory.events, analysis.sites
    birth = analysis.blocks.birth_event[rows]
    stack, thread = events.stack[birth].astype(np.int64), events.thread[birth].astype(np.int64)
    thread[stack != NO_STACK] = UNKNOWN
    site = sites.of_block[rows].astype(np.int64)
    first, where = alike([stack, thread, site])
    node_of = _stack_nodes(trace, analysis, np.unique(stack), tree)
    paths = zip(stack[first].tolist(), thread[first].tolist(), site[first].tolist(), strict=True)
    ends = np.zeros(len(first), np.int64)
    for row, (one, on_thread, index) in enumerate(paths):
        node, named = node_of[one], sites.sites[index]
        if on_thread != UNKNOWN:
            node = tree.below(node, _thread_name(trace, on_thread))
        if named.source == "op":
            node = tree.below(node, named.op, index)
        elif node:
            tree.site[node] = index
        else:
            node = tree.below(node, NAMELESS, index)
        ends[row] = node
    return ends[where]


def _stack_nodes(
    trace: HostTrace, analysis: MemoryAnalysis, used: Int64, tree: GrowingTree
) -> dict[int, int]:
    """Return the node of each stack in use; a stack's caller has a lower number than itself."""
    born = np.flatnonzero(analysis.blocks.birth_event != UNKNOWN)
    stack = analysis.memory.events.stack[analysis.blocks.birth_event[born]]
    # Of all blocks, not only the chosen: which numbers count instances must not hang on the choice.
    names = frame_names(trace, stack, analysis.block_steps.birth[born])
    node_of = {NO_STACK: 0}
    for one in _with_callers(trace.stacks, used).tolist():
        above = node_of[int(trace.stacks.parent[one])]
        node_of[one] = tree.below(above, names[int(trace.stacks.frame[one])])
    return node_of


def _with_callers(stacks: Stacks, used: Int64) -> Int64:
    """Return some stacks and all that enclose them, in order of number, without the empty one."""
    needed: Bool = np.zeros(len(stacks.parent), bool)
    needed[NO_STACK] = True
    while len(used := used[~needed[used]]):
        needed[used] = True
        used = np.unique(stacks.parent[used].astype(np.int64))
    return np.flatnonzero(needed)[1:]


def _thread_name(trace: HostTrace, index: int) -> str:
    thread = trace.threads[index]
    return f"thread {thread.name or thread.thread_id}"
