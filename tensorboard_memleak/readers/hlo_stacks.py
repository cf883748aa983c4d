"""The source stacks of a module: XLA's frame index -> `model.trace.Stacks`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import NO_STACK, NO_STRING, Stacks
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.proto import hlo_pb2
from tensorboard_memleak.readers.strings import Strings

_UNSEEN: Final = -1


@dataclass(frozen=True, slots=True)
class SourceStacks:
    """Stacks with the node, file and line of each frame id (index 0: no frame)."""

    stacks: Stacks
    node: list[int]
    file: list[int]
    line: list[int]


def read_stacks(index: hlo_pb2.StackFrameIndex, strings: Strings, faults: Faults) -> SourceStacks:
    """Number the frames so that a parent stands before its children, as `Stacks` promises.

    XLA's ids are 1-based, in any order; a frame whose parents form a ring becomes a root.
    """
    parents = [0, *(frame.parent_frame_id for frame in index.stack_frames)]
    frames = [_frame(index, frame.file_location_id, strings) for frame in index.stack_frames]
    texts, files, lines = map(list, zip((NO_STRING, NO_STRING, 0), *frames, strict=True))
    dangling = sum(not 0 <= parent < len(parents) for parent in parents)
    faults.add("stack frames whose parent does not exist", dangling)
    node = [_UNSEEN] * len(parents)
    node[0] = NO_STACK
    node_parent, node_frame = [NO_STACK], [NO_STRING]
    for start in range(1, len(parents)):
        for frame in reversed(_unnumbered(start, parents, node, faults)):
            parent = parents[frame]
            known = 0 <= parent < len(parents) and node[parent] != _UNSEEN
            node[frame] = len(node_parent)
            node_parent.append(node[parent] if known else NO_STACK)
            node_frame.append(texts[frame])
    tree = Stacks(np.array(node_parent, np.int32), np.array(node_frame, np.int32))
    return SourceStacks(tree, node, files, lines)


def _unnumbered(start: int, parents: list[int], node: list[int], faults: Faults) -> list[int]:
    """Return the chain of frames from `start` upwards that have no node yet."""
    chain: dict[int, None] = {}
    frame = start
    while 0 <= frame < len(parents) and node[frame] == _UNSEEN:
        if frame in chain:
            faults.add("stack frames that are their own ancestor")
            break
        chain[frame] = None
        frame = parents[frame]
    return list(chain)


def _frame(
    index: hlo_pb2.StackFrameIndex, location_id: int, strings: Strings
) -> tuple[int, int, int]:
    """Return the text of a frame, its file and its line."""
    if not 1 <= location_id <= len(index.file_locations):
        return strings.intern("<unknown>"), NO_STRING, 0
    location = index.file_locations[location_id - 1]
    file = _named(index.file_names, location.file_name_id)
    function = _named(index.function_names, location.function_name_id)
    text = f"{file}:{location.line} {function}".rstrip()
    return strings.intern(text), strings.intern(file), location.line


def _named(names: Sequence[bytes], one_based: int) -> str:
    """Return an entry of a 1-based table of names, "" where there is none."""
    known = 1 <= one_based <= len(names)
    return names[one_based - 1].decode("utf-8", "replace") if known else ""
