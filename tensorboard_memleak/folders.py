"""Walks local folders for files of some names, and remembers what has not changed since.

The first walk reads every folder. A later one asks each folder only for its time of change, reads
again those that changed, and looks at the wanted files themselves, which may grow without that.
Not safe for threads: the catalog's lock guards it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.files import FileFact

_SETTLED_NS: Final = 2_000_000_000
"""A folder changed within this time may change again without its time telling: it is read anew."""

Identity = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Folder:
    """What one folder holds, in order of names."""

    changed_ns: int
    folders: tuple[str, ...]
    links: tuple[str, ...]
    files: tuple[str, ...]


class Folders:
    """Everything below some folders, links followed.

    A folder is visited once, under its own name where it has one below the top: links are followed
    after everything else, so that a loop ends and a `latest` does not hide the run it points to.
    """

    def __init__(self, suffixes: tuple[str, ...]) -> None:
        self._suffixes = suffixes
        self._known: dict[str, _Folder] = {}
        self.unreadable: list[str] = []
        """What the last walk could not look into: refused folders and links to nothing."""

    def walk(self, top: str) -> Iterator[FileFact]:
        """Yield every file whose name ends in one of the suffixes."""
        self.unreadable = []
        known, self._known = self._known, {}
        seen: set[Identity] = set()
        waiting, links = [top], list[str]()
        while waiting or links:
            path = waiting.pop() if waiting else links.pop()
            folder = self._look(path, known.get(path), seen)
            if folder is None:
                continue
            self._known[path] = folder
            waiting.extend(reversed(folder.folders))
            links.extend(reversed(folder.links))
            yield from self._facts(folder.files)

    def _look(self, path: str, known: _Folder | None, seen: set[Identity]) -> _Folder | None:
        """Return a folder as it is now, `None` where it is gone, refused or seen already."""
        try:
            here = os.stat(path)  # noqa: PTH116 - Path objects triple the cost of a large walk
            if (here.st_dev, here.st_ino) in seen:
                return None
            seen.add((here.st_dev, here.st_ino))
            if known and known.changed_ns == here.st_mtime_ns:
                return known
            settled = time.time_ns() - here.st_mtime_ns > _SETTLED_NS
            return self._read(path, here.st_mtime_ns if settled else -1)
        except PermissionError:
            self.unreadable.append(path)
        except OSError:
            pass  # it vanished since its parent was read
        return None

    def _read(self, path: str, changed_ns: int) -> _Folder:
        folders: list[str] = []
        links: list[str] = []
        files: list[str] = []
        with os.scandir(path) as entries:
            for entry in entries:
                if _is_folder(entry):
                    (links if entry.is_symlink() else folders).append(entry.path)
                elif entry.name.endswith(self._suffixes):
                    files.append(entry.path)
        return _Folder(
            changed_ns, tuple(sorted(folders)), tuple(sorted(links)), tuple(sorted(files))
        )

    def _facts(self, paths: tuple[str, ...]) -> Iterator[FileFact]:
        for path in paths:
            try:
                fact = os.stat(path)  # noqa: PTH116 - as above
            except OSError:
                if os.path.islink(path):  # noqa: PTH114 - as above
                    self.unreadable.append(path)
                continue
            if stat.S_ISREG(fact.st_mode):  # to open a pipe would wait for its other end
                yield FileFact.of(path, fact)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False
