"""What some blocks hold, as a tree of frames: by stack of allocation, op path or module."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from tensorboard_memleak.analysis.flame_paths import (
    GrowingTree,
    ends_by_module,
    ends_by_op,
    ends_by_stack,
)
from tensorboard_memleak.analysis.program.block_modules import BlockModules
from tensorboard_memleak.analysis.site_table import byte_seconds
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, Bool, Float64, HostTrace, Int64

Grouping = Literal["stack", "op", "module"]
Measure = Literal["bytes", "byte_seconds"]

MOST_NODES: Final = 20_000
"""Smaller ones are thinner than a pixel anyway; they stay in the sums of what is above them."""


@dataclass(frozen=True, slots=True)
class FlameTree:
    """One row a node, the largest first; row 0 is the root, and `parent[i] < i` elsewhere.

    A node's figures include all below it. Bytes are allocated bytes. `site` is the site whose
    blocks end at the node (-1: none does). `left_out` counts nodes that are too small to be told.
    """

    parent: Int64
    frame: tuple[str, ...]
    site: Int64
    blocks: Int64
    bytes: Int64
    byte_seconds: Float64
    left_out: int

    def __len__(self) -> int:
        return len(self.parent)


def flame_tree(
    trace: HostTrace,
    analysis: MemoryAnalysis,
    chosen: Bool,
    by: Grouping = "stack",
    measure: Measure = "bytes",
    most_nodes: int = MOST_NODES,
    modules: BlockModules | None = None,
    below: Sequence[str] = (),
) -> FlameTree | None:
    """Return the tree of the chosen blocks that were born in the window, largest by `measure`.

    `modules` tells the module of each block; without it nothing is known of any. `below` names a
    frame by the way to it from the root (see `frame_at`): then only that way and what is below its
    end are told, and nothing where there is no such frame.
    Blind spot: a block from before the window has no birth and so no place in the tree.
    """
    rows = np.flatnonzero(chosen & (analysis.sites.of_block >= 0))
    tree = GrowingTree()
    if by == "stack":
        end = ends_by_stack(trace, analysis, rows, tree)
    elif by == "op":
        end = ends_by_op(analysis, rows, tree)
    else:
        end = ends_by_module(analysis, modules or _no_modules(analysis), rows, tree)
    held = np.maximum(analysis.blocks.allocation_bytes[rows], 0).astype(np.float64)
    # Sums are in floating point, exact up to 2**53 bytes.
    blocks, size = tree.summed(end, np.ones(len(rows))), tree.summed(end, held)
    seconds = tree.summed(end, byte_seconds(analysis.blocks, rows))
    rank = size if measure == "bytes" else seconds
    way = frame_at(tree, rank, below)
    if way is None:
        return None
    # What is above a node is never smaller and was made before it, so that the first ones of this
    # order are a whole tree by themselves, however many are taken.
    told = np.flatnonzero(tree.on_way_or_below(way))
    kept = told[np.lexsort((told, -rank[told]))][:most_nodes]
    place = np.full(len(rank), UNKNOWN, np.int64)
    place[kept] = np.arange(len(kept))
    parent = np.array(tree.parent, np.int64)[kept]
    return FlameTree(
        parent=np.where(parent == UNKNOWN, UNKNOWN, place[parent]),
        frame=tuple(tree.frame[node] for node in kept.tolist()),
        site=np.array(tree.site, np.int64)[kept],
        blocks=blocks[kept].astype(np.int64),
        bytes=size[kept].astype(np.int64),
        byte_seconds=seconds[kept],
        left_out=len(told) - len(kept),
    )


def frame_at(tree: GrowingTree, rank: Float64, path: Sequence[str]) -> list[int] | None:
    """Return the nodes on the way to a frame, the root first; `None` where there is no such way.

    Each part names a child by its frame; of children that share a frame the second largest is
    `frame (2)`, and so on.
    """
    way, parent = [0], np.array(tree.parent, np.int64)
    for key in path:
        children = np.flatnonzero(parent == way[-1])
        children = children[np.lexsort((children, -rank[children]))]
        counts: Counter[str] = Counter()
        for node in children.tolist():
            name = tree.frame[node]
            counts[name] += 1
            if key == (name if counts[name] == 1 else f"{name} ({counts[name]})"):
                way.append(node)
                break
        else:
            return None
    return way


def _no_modules(analysis: MemoryAnalysis) -> BlockModules:
    return BlockModules((), np.full(len(analysis.blocks), UNKNOWN, np.int32))
