"""One key for stacks that are the same but for counters in their trace events.

`train > batch 17 > PjitFunction(f)` and `train > batch 18 > PjitFunction(f)` are one origin.
"""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.naming import NUMBER, families, without_counters
from tensorboard_memleak.model.trace import NO_STACK, HostTrace, Int32, Int64, Stacks


def stack_keys(trace: HostTrace, stack: Int32, step: Int32) -> Int64:
    """Return for each stack node a key that it shares with its like; 0 stays the empty stack.

    `stack` and `step` are aligned.
    """
    names = frame_names(trace, stack, step)
    if all(trace.strings[frame] == name for frame, name in names.items()):
        return stack.astype(np.int64)
    used = np.unique(stack)
    return _merged(trace.stacks, used, names)[np.searchsorted(used, stack)]


def frame_names(trace: HostTrace, stack: Int32, step: Int32) -> dict[int, str]:
    """Return how each frame on the paths of some stacks reads, `*` instead of counters.

    `stack` and `step` are aligned. Frames of the Python tracer are left alone: the number in them
    is a line.
    """
    frames = _frames_of(trace.stacks, np.unique(stack))
    names = [trace.strings[frame] for frame in frames.tolist()]
    counted = [name for name in names if not name.startswith("$")]
    if not families(counted, NUMBER):
        return dict(zip(frames.tolist(), names, strict=True))
    frame, when = _frames_and_steps(trace.stacks, stack, step)
    stripped = without_counters(names, np.searchsorted(frames, frame), when, NUMBER, "*")
    for index, name in enumerate(names):
        if name.startswith("$"):
            stripped[index] = name
    return dict(zip(frames.tolist(), stripped, strict=True))


def _frames_of(stacks: Stacks, nodes: Int32) -> Int32:
    """Return every frame on the paths of some nodes, sorted."""
    found: list[Int32] = []
    while len(nodes := np.unique(nodes[nodes != NO_STACK])):
        found.append(stacks.frame[nodes])
        nodes = stacks.parent[nodes]
    return np.unique(np.concatenate(found)) if found else np.zeros(0, np.int32)


def _frames_and_steps(stacks: Stacks, stack: Int32, step: Int32) -> tuple[Int32, Int32]:
    """Return the distinct pairs of a frame and a step in which it encloses an allocation."""
    node, when = stack, step
    frames: list[Int32] = []
    steps: list[Int32] = []
    while len(node):
        width = int(when.max(initial=0)) + 2
        pairs = np.unique(node.astype(np.int64) * width + when + 1)
        node, when = (pairs // width).astype(np.int32), (pairs % width - 1).astype(np.int32)
        inside = node != NO_STACK
        node, when = node[inside], when[inside]
        frames.append(stacks.frame[node])
        steps.append(when)
        node = stacks.parent[node]
    return np.concatenate(frames), np.concatenate(steps)


def _merged(stacks: Stacks, nodes: Int32, name_of: dict[int, str]) -> Int64:
    """Return for each node the first node whose path reads the same."""
    first: dict[tuple[str, ...], int] = {}
    return np.array(
        [
            first.setdefault(tuple(name_of[frame] for frame in stacks.path(node)), node)
            for node in nodes.tolist()
        ],
        np.int64,
    )
