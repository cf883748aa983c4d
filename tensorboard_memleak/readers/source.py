"""What a capture is read from: bytes in memory, or a file of which only a stretch is at hand."""

from __future__ import annotations

from typing import Protocol, overload


class Source(Protocol):
    """Bytes addressed from 0: one of them, or a stretch. `bytes` and `memoryview` are sources."""

    def __len__(self) -> int:
        """How many bytes there are."""

    @overload
    def __getitem__(self, key: int, /) -> int: ...

    @overload
    def __getitem__(self, key: slice, /) -> bytes | memoryview: ...
