"""A large file as bytes, read a stretch at a time.

Not a memory map: to touch a mapped file that somebody has cut short meanwhile ends the process by
SIGBUS, and TensorBoard with it. A read that finds less than there was is an error like any other.
Nothing is kept but one chunk, from which single bytes and short stretches come. Not safe for
threads: each reading opens its own.
"""

from __future__ import annotations

import os
from io import FileIO
from typing import Final, overload

CHUNK_BYTES: Final = 1 << 16
_BEFORE_BYTES: Final = 1 << 10
"""A chunk begins this much before what is asked for: readers step back to the tag of a field."""


class Shrunk(OSError):
    """The file has become shorter than it was when it was opened."""


class FileBytes:
    """The bytes of an open file, as many as it held when it was opened."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._size = os.fstat(file.fileno()).st_size
        self._chunk = b""
        self._first = 0

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, key: int, /) -> int: ...

    @overload
    def __getitem__(self, key: slice, /) -> bytes: ...

    def __getitem__(self, key: int | slice, /) -> int | bytes:
        if isinstance(key, slice):
            start, stop, _ = key.indices(self._size)
            return self._stretch(start, max(start, stop))
        at = key - self._first
        if not 0 <= at < len(self._chunk):
            if not 0 <= key < self._size:
                raise IndexError(key)
            self._move_to(key)
            at = key - self._first
        return self._chunk[at]

    def _stretch(self, start: int, stop: int) -> bytes:
        """Return a stretch: a short one by way of the chunk, for its neighbours come next."""
        if stop - start > CHUNK_BYTES - _BEFORE_BYTES:
            return self._read(start, stop)
        if start < self._first or stop > self._first + len(self._chunk):
            self._move_to(start)
        return self._chunk[start - self._first : stop - self._first]

    def _move_to(self, position: int) -> None:
        first = max(position - _BEFORE_BYTES, 0)
        self._chunk = self._read(first, min(first + CHUNK_BYTES, self._size))
        self._first = first

    def _read(self, start: int, stop: int) -> bytes:
        self._file.seek(start)
        content = self._file.read(stop - start)
        if content is not None and len(content) == stop - start:
            return content
        # One call may return less than there is (Linux stops at 2 GiB): go on to the real end.
        parts = [content or b""]
        position = start + len(parts[0])
        while position < stop:
            part = self._file.read(stop - position)
            if not part:
                raise Shrunk("it was cut short while it was read")
            parts.append(part)
            position += len(part)
        return b"".join(parts)
