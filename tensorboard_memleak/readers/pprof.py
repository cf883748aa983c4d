"""A JAX device-memory profile (pprof, usually gzip'd) -> `model.snapshot.Snapshot`."""

from __future__ import annotations

from typing import Final

import numpy as np
from google.protobuf.message import DecodeError

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.counts import grouped
from tensorboard_memleak.model.snapshot import SampleKind, Samples, Snapshot
from tensorboard_memleak.model.trace import NO_STACK, NO_STRING, Notice, Stacks
from tensorboard_memleak.readers.packed import unpacked
from tensorboard_memleak.readers.proto import pprof_pb2
from tensorboard_memleak.readers.strings import Strings

_SAMPLE_TYPES: Final = [("allocations", "count"), ("space", "bytes")]
_KINDS: Final = {"buffer": SampleKind.BUFFER, "executable": SampleKind.EXECUTABLE}
_HINT: Final = "Write one with jax.profiler.save_device_memory_profile(path)."
_MOST: Final = 1 << 46


def read_snapshot(
    data: bytes, *, name: str, path: str = "", modified_ns: int | None = None
) -> Snapshot:
    """Read one profile. Raises `UnreadableFile` for anything but a JAX device-memory profile."""
    label = path or name
    profile = _parse(unpacked(data, label), label)
    text = [raw.decode("utf-8", "replace") for raw in profile.string_table]
    reader = _Reader(profile, text)
    samples = reader.samples()
    if profile.sample and not reader.labelled:
        raise _another_kind(label)
    notices = [
        Notice("damaged_snapshot", f"{name}: {what}: {grouped(count)}.", _HINT)
        for what, count in reader.faults.items()
        if count
    ]
    tree = Stacks(np.array(reader.parent, np.int32), np.array(reader.frame, np.int32))
    return Snapshot(name, path, modified_ns, reader.strings.all(), tree, samples, tuple(notices))


def _parse(data: bytes, label: str) -> pprof_pb2.Profile:
    try:
        profile = pprof_pb2.Profile.FromString(data)
    except DecodeError as error:
        raise UnreadableFile(f"{label} is not a pprof profile, or is cut short.", _HINT) from error
    table = profile.string_table
    types = [
        tuple(
            table[index].decode("utf-8", "replace") if 0 <= index < len(table) else ""
            for index in (kind.type, kind.unit)
        )
        for kind in profile.sample_type
    ]
    if types != _SAMPLE_TYPES:
        raise _another_kind(label)
    return profile


def _another_kind(label: str) -> UnreadableFile:
    return UnreadableFile(
        f"{label} is a pprof profile, but not a JAX device-memory profile.", _HINT
    )


class _Reader:
    """Turns the samples of one profile into columns, and their locations into one tree."""

    def __init__(self, profile: pprof_pb2.Profile, text: list[str]) -> None:
        self._profile = profile
        self._text = text
        self.strings = Strings()
        self.parent, self.frame = [NO_STACK], [NO_STRING]
        self._node: dict[tuple[int, int], int] = {}
        self.faults = {"samples of an impossible size": 0, "frames that do not exist": 0}
        self.labelled = False
        self._frames = self._read_frames()

    def _at(self, index: int) -> str:
        return self._text[index] if 0 <= index < len(self._text) else ""

    def _read_frames(self) -> dict[int, list[int]]:
        """Return the frames of each location, innermost first (inlined calls are several)."""
        functions = {function.id: function for function in self._profile.function}
        frames: dict[int, list[int]] = {}
        for location in self._profile.location:
            texts = []
            for line in location.line:
                function = functions.get(line.function_id)
                name = self._at(function.name) if function else "<unknown>"
                file = self._at(function.filename) if function else ""
                text = f"{file}:{line.line} {name}" if file else name
                texts.append(self.strings.intern(text))
            frames[location.id] = texts
        return frames

    def samples(self) -> Samples:
        """Return the samples in the order of the file."""
        rows = [self._sample(sample) for sample in self._profile.sample]
        kind, device, stack, count, size = zip(*rows, strict=True) if rows else ((),) * 5
        return Samples(
            np.array(kind, np.uint8),
            np.array(device, np.int32),
            np.array(stack, np.int32),
            np.array(count, np.int64),
            np.array(size, np.int64),
        )

    def _sample(self, sample: pprof_pb2.Sample) -> tuple[int, int, int, int, int]:
        labels = {self._at(label.key): self._at(label.str) for label in sample.label}
        self.labelled |= "kind" in labels
        values = [*sample.value, 0, 0][:2]
        if not all(0 <= value <= _MOST for value in values):
            self.faults["samples of an impossible size"] += 1
            values = [0, 0]
        kind = _KINDS.get(labels.get("kind", ""), SampleKind.OTHER)
        device = self.strings.intern(labels.get("device", ""))
        return int(kind), device, self._stack(sample), values[0], values[1]

    def _stack(self, sample: pprof_pb2.Sample) -> int:
        """Return the node of a sample's stack; the file has it innermost first."""
        node = NO_STACK
        for location in reversed(sample.location_id):
            frames = self._frames.get(location)
            if frames is None:
                self.faults["frames that do not exist"] += 1
                continue
            for frame in reversed(frames):
                node = self._child(node, frame)
        return node

    def _child(self, parent: int, frame: int) -> int:
        node = self._node.get((parent, frame))
        if node is None:
            node = self._node[parent, frame] = len(self.parent)
            self.parent.append(parent)
            self.frame.append(frame)
        return node
