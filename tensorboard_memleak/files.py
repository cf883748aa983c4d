"""The files of a logdir, local or remote: walking them, and their bytes. Nothing is ever written.

A local file is mapped, so that reading costs no more memory than what is kept of it. A remote one
(any scheme that fsspec knows) is fetched whole.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.roots import Root


@dataclass(frozen=True, slots=True)
class FileFact:
    """A file as it was when looked at; the three together identify its content."""

    path: str
    size_bytes: int
    mtime_ns: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.replace("\\", "/").rsplit("/", 1)[-1]


def walk(root: Root) -> Iterator[FileFact]:
    """Yield every file below a root; folders that cannot be read are passed over."""
    return _walk_remote(root.path) if root.is_remote else _walk_local(root.path)


def _walk_local(top: str) -> Iterator[FileFact]:
    # Links are followed, as TensorBoard does; a folder already seen ends a loop.
    seen: set[tuple[int, int]] = set()
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            here = os.stat(folder)  # noqa: PTH116 - Path objects triple the cost of a large walk
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            continue
        if (here.st_dev, here.st_ino) in seen:
            continue
        seen.add((here.st_dev, here.st_ino))
        for entry in entries:
            with suppress(OSError):  # it vanished meanwhile, or is a link to nothing
                if entry.is_dir():
                    waiting.append(entry.path)
                elif entry.is_file():
                    fact = entry.stat()
                    yield FileFact(entry.path, fact.st_size, fact.st_mtime_ns)


def _walk_remote(top: str) -> Iterator[FileFact]:
    import fsspec  # only remote logdirs pay for it

    filesystem, path = fsspec.core.url_to_fs(top)
    for name, detail in sorted(filesystem.find(path, detail=True).items()):
        modified = detail.get("mtime") or detail.get("updated") or detail.get("LastModified") or ""
        stamp = hash(str(modified)) & (2**62 - 1)
        yield FileFact(top + name[len(path) :], int(detail.get("size") or 0), stamp)


def look_again(fact: FileFact) -> FileFact:
    """Return the facts of a file as it is now; raise `UnreadableFile` where it is gone."""
    if Root(fact.path).is_remote:
        return fact
    try:
        now = Path(fact.path).stat()
    except OSError as error:
        raise _unreadable(fact.path, error) from error
    return FileFact(fact.path, now.st_size, now.st_mtime_ns)


@contextmanager
def open_bytes(path: str) -> Iterator[memoryview]:
    """Hand out the bytes of a file for as long as the context lasts."""
    try:
        if Root(path).is_remote:
            import fsspec  # only remote logdirs pay for it

            with fsspec.open(path, "rb") as remote:
                yield memoryview(remote.read())
            return
        with Path(path).open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                yield memoryview(b"")  # an empty file cannot be mapped
                return
            # Not closed by hand: an error on its way up still holds views, and the mapping goes
            # with the last of them.
            yield memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: str, error: OSError) -> UnreadableFile:
    name = path.replace("\\", "/").rsplit("/", 1)[-1]
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
