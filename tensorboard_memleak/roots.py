"""The folders that TensorBoard was started on, from `--logdir` or `--logdir_spec`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
_DRIVE = re.compile(r"^[A-Za-z]:[\\/]")
_NAMED = re.compile(r"^([^:/\\]+):(.+)$")


@dataclass(frozen=True, slots=True)
class Root:
    """One folder and the name that prefixes its runs ("" for none)."""

    path: str
    name: str = ""

    @property
    def is_remote(self) -> bool:
        """Whether the path is a URL, such as `gs://bucket/logs`."""
        return bool(_SCHEME.match(self.path))


def parse_roots(logdir: str, logdir_spec: str = "") -> tuple[Root, ...]:
    """Return the roots of a TensorBoard; a spec replaces the logdir, as in TensorBoard itself.

    A spec is a comma-separated list of folders, each with an optional `name:` before it. What
    stands before a colon is no name where it is a URL scheme or a drive letter.
    """
    if logdir:
        return (Root(_expanded(logdir)),)
    return tuple(_parse_item(item.strip()) for item in logdir_spec.split(",") if item.strip())


def _parse_item(item: str) -> Root:
    if not _SCHEME.match(item) and not _DRIVE.match(item) and (named := _NAMED.match(item)):
        return Root(_expanded(named[2]), named[1])
    return Root(_expanded(item))


def _expanded(path: str) -> str:
    if _SCHEME.match(path):
        return path.rstrip("/")
    try:
        return str(Path(path).expanduser().absolute())
    except RuntimeError:  # no such user, or no home: then the tilde is a folder's name
        return str(Path(path).absolute())
