"""Writes device-memory profiles from literals, with an encoder of its own.

    profile = Pprof()
    profile.add("buffer", ["train.py:12 step", "train.py:40 main"], count=3, each=256)
    data = profile.encode()

Stacks are innermost first, as in the file.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass, field

from tests.xspace_builder import bytes_field, number_field


@dataclass
class Pprof:
    """One profile; `types` are (type, unit) of the values of each sample."""

    types: tuple[tuple[str, str], ...] = (("allocations", "count"), ("space", "bytes"))
    text: dict[str, int] = field(default_factory=lambda: {"": 0})
    functions: dict[tuple[str, str], int] = field(default_factory=dict)
    locations: dict[tuple[int, int], int] = field(default_factory=dict)
    samples: list[bytes] = field(default_factory=list)

    def add(
        self,
        kind: str,
        stack: list[str],
        count: int = 1,
        each: int = 256,
        device: str = "cpu:0",
        extra: bytes = b"",
    ) -> Pprof:
        """Add a sample of `count` things of `each` bytes; no label where `kind` is empty."""
        parts = [number_field(1, self._location(frame)) for frame in stack]
        parts += [number_field(2, count), number_field(2, count * each)]
        labels = {"kind": kind} | ({"device": device} if kind == "buffer" else {})
        for key, value in labels.items() if kind else ():
            label = number_field(1, self._string(key)) + number_field(2, self._string(value))
            parts.append(bytes_field(3, label))
        self.samples.append(b"".join([*parts, extra]))
        return self

    def _string(self, text: str) -> int:
        return self.text.setdefault(text, len(self.text))

    def _location(self, frame: str) -> int:
        match = re.fullmatch(r"(.+):(\d+) (.+)", frame)
        assert match
        function = self.functions.setdefault((match[3], match[1]), len(self.functions) + 1)
        return self.locations.setdefault((function, int(match[2])), len(self.locations) + 1)

    def encode(self) -> bytes:
        """Return the gzip'd profile."""
        types = [
            bytes_field(
                1, number_field(1, self._string(kind)) + number_field(2, self._string(unit))
            )
            for kind, unit in self.types
        ]
        functions = [
            number_field(1, number)
            + number_field(2, self._string(name))
            + number_field(4, self._string(file))
            for (name, file), number in self.functions.items()
        ]
        locations = [
            number_field(1, number)
            + bytes_field(4, number_field(1, function) + number_field(2, line))
            for (function, line), number in self.locations.items()
        ]
        return gzip.compress(
            b"".join(
                [
                    *types,
                    *(bytes_field(2, sample) for sample in self.samples),
                    *(bytes_field(4, location) for location in locations),
                    *(bytes_field(5, function) for function in functions),
                    *(bytes_field(6, text.encode()) for text in self.text),
                ]
            ),
            mtime=0,
        )
