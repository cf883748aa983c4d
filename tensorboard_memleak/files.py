"""The files of a logdir, local or remote: their facts and their bytes. Nothing is ever written.

A large local file is read a stretch at a time, so that reading costs no more memory than what is
kept of it; a small one and a remote one (any scheme that fsspec knows) are read whole. A file that
is written to meanwhile is an error: what was read is of no one version of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import BinaryIO, Final

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.file_bytes import FileBytes
from tensorboard_memleak.model.telling import Told, to_nobody
from tensorboard_memleak.roots import Root

_READ_WHOLE_BYTES: Final = 64 * 2**20
"""Up to this size a file is read at once, which is the surer way to have one version of it."""

_FETCH_BYTES: Final = 8 * 2**20
"""Of a remote file at a time: large, since each part may be a request of its own."""

_VERSIONS: Final = (
    *("mtime", "updated", "LastModified", "last_modified", "created"),
    *("etag", "ETag", "md5Hash", "checksum", "generation"),
)
_HALVES: Final = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class FileFact:
    """A file as it was when looked at; all of it together identifies its content.

    What was copied with its time kept (`cp -p`, `rsync -t`) tells itself by `ctime_ns` and `inode`;
    both are 0 of a remote file, whose `mtime_ns` is a number made of all that its system tells.
    """

    path: str
    size_bytes: int
    mtime_ns: int
    ctime_ns: int = 0
    inode: int = 0

    @classmethod
    def of(cls, path: str, now: os.stat_result) -> FileFact:
        """Return the facts of a local file."""
        return cls(path, now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino)

    @property
    def parts(self) -> list[str]:
        """The path's folders and its name, as text."""
        # Only the separator of this system is one: elsewhere a backslash may be part of a name.
        return readable(self.path.replace(os.sep, "/")).split("/")

    @property
    def name(self) -> str:
        """The last part of the path, as text."""
        return self.parts[-1]


def readable(path: str) -> str:
    r"""Return a path as text: bytes that are no UTF-8 are spelled `\xff`.

    Python keeps them as halves of characters, which neither a terminal nor a browser's address
    takes.
    """
    return _HALVES.sub(lambda half: f"\\x{ord(half[0]) & 0xFF:02x}", path)


def walk_remote(top: str) -> Iterator[FileFact]:
    """Yield every file below a URL; raise whatever its file system raises."""
    import fsspec  # only remote logdirs pay for it

    filesystem, path = fsspec.core.url_to_fs(top)
    filesystem.invalidate_cache()  # it would answer with what it listed before
    for name, detail in sorted(filesystem.find(path, detail=True).items()):
        # Each file system tells in its own words when a file was written, or what it holds.
        told = [str(detail.get(key) or "") for key in _VERSIONS]
        stamp = hash(tuple(told)) & (2**62 - 1)
        yield FileFact(top + name[len(path) :], int(detail.get("size") or 0), stamp)


def look_again(fact: FileFact) -> FileFact:
    """Return the facts of a file as it is now; raise `UnreadableFile` where it is gone."""
    if Root(fact.path).is_remote:
        return fact
    try:
        now = Path(fact.path).stat()
    except OSError as error:
        raise _unreadable(fact.path, error) from error
    return FileFact.of(fact.path, now)


def as_it_is(fact: FileFact) -> FileFact:
    """Return the facts of a file as it is, or as it was: its reader tells if it is gone."""
    try:
        return look_again(fact)
    except UnreadableFile:
        return fact


@contextmanager
def open_bytes(path: str, told: Told = to_nobody) -> Iterator[memoryview | FileBytes]:
    """Hand out the bytes of a file for as long as the context lasts.

    `told` hears how many bytes of a remote file have come; a local one is there at once. Raise
    `UnreadableFile` where they cannot be read, or changed before the context ends.
    """
    try:
        if Root(path).is_remote:
            import fsspec  # only remote logdirs pay for it

            with fsspec.open(path, "rb") as remote:
                yield memoryview(_fetch(remote, told))
            return
        with Path(path).open("rb", buffering=0) as file:
            before = _version(file)
            if before[0] <= _READ_WHOLE_BYTES:
                content = file.read()
                _require_unchanged(path, file, before)
                yield memoryview(content)
                return
            try:
                yield FileBytes(file)
            except Exception:  # of two halves of two versions anything may come
                _require_unchanged(path, file, before)
                raise
            _require_unchanged(path, file, before)
    except OSError as error:
        raise _unreadable(path, error) from error


def _fetch(remote: BinaryIO, told: Told) -> bytearray:
    """Return all bytes of a remote file, fetched part by part."""
    fetched = bytearray()
    while part := remote.read(_FETCH_BYTES):
        fetched += part
        told(len(fetched))
    return fetched


def read_bytes(path: str) -> bytes:
    """Return all bytes of a file; raise `UnreadableFile` where they cannot be read."""
    with open_bytes(path) as content:
        return bytes(content[:])


def _version(file: FileIO) -> tuple[int, int]:
    now = os.fstat(file.fileno())
    return now.st_size, now.st_mtime_ns


def _require_unchanged(path: str, file: FileIO, before: tuple[int, int]) -> None:
    if _version(file) != before:
        raise UnreadableFile(
            f"{FileFact(path, 0, 0).name} changed while it was read.",
            "Wait until it has been written to its end, then reload.",
        )


def _unreadable(path: str, error: OSError) -> UnreadableFile:
    name = FileFact(path, 0, 0).name
    if isinstance(error, FileNotFoundError):
        return UnreadableFile(
            f"{name} is no longer there.", "Reload the page to see what the logdir holds now."
        )
    if isinstance(error, PermissionError):
        return UnreadableFile(
            f"{name} may not be read: permission denied.",
            f"Give the user who runs TensorBoard read access to {path}.",
        )
    return UnreadableFile(
        f"{name} could not be read: {error.strerror or error}.", "Copy the file again, then reload."
    )
