"""Reads `.memleak.toml`: sites that are expected to grow, and thresholds.

[thresholds]
bytes_per_step = "4 KiB"        # slower growth is no leak

[[expected]]
site = "*ReplayBuffer*"         # a shell pattern for the op or a frame of the stack
reason = "the replay buffer fills for an hour"
memory = "GPU_*"                # optional
bytes_per_step = "2 MiB"        # optional: faster growth is a leak all the same
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Final

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.expectations import Expectations, ExpectedSite

if sys.version_info >= (3, 11):
    import tomllib
else:  # the same parser, before it was in the standard library
    import tomli as tomllib

_SIZE: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(B|KiB|MiB|GiB|TiB)?\s*")
_UNITS: Final = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def read_expectations(data: bytes, path: str) -> Expectations:
    """Read a configuration; raise `UnreadableFile` that names the file and the wrong key."""
    try:
        table = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(path, str(error)) from error
    _only(table, {"thresholds", "expected"}, path, "the file")
    thresholds = _table(table.get("thresholds", {}), path, "thresholds")
    _only(thresholds, {"bytes_per_step"}, path, "[thresholds]")
    entries = table.get("expected", [])
    if not isinstance(entries, list):
        raise _wrong(path, "write [[expected]] with two brackets")
    return Expectations(
        sites=tuple(_entry(_table(one, path, "expected"), path) for one in entries),
        least_bytes_per_step=_size(thresholds.get("bytes_per_step", 0), path) or 0,
        source=path,
    )


def _entry(entry: Mapping[str, object], path: str) -> ExpectedSite:
    _only(entry, {"site", "reason", "memory", "bytes_per_step"}, path, "[[expected]]")
    if "site" not in entry:
        raise _wrong(path, "an [[expected]] entry has no site")
    return ExpectedSite(
        site=_text(entry["site"], path, "site"),
        reason=_text(entry.get("reason", ""), path, "reason"),
        memory=_text(entry.get("memory", "*"), path, "memory"),
        most_bytes_per_step=_size(entry.get("bytes_per_step"), path),
    )


def _size(value: object, path: str) -> int | None:
    """Read a number of bytes, plain or with a binary unit."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    found = _SIZE.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise _wrong(path, f"bytes_per_step is {value!r}, not a size such as 4096 or '4 KiB'")
    return round(float(found[1]) * _UNITS[found[2] or "B"])


def _text(value: object, path: str, key: str) -> str:
    if not isinstance(value, str):
        raise _wrong(path, f"{key} is {value!r}, not a text")
    return value


def _table(value: object, path: str, key: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _wrong(path, f"{key} is {value!r}, not a table")
    return value


def _only(table: Mapping[str, object], keys: set[str], path: str, where: str) -> None:
    unknown = sorted(set(table) - keys)
    if unknown:  # a misspelt key would silently expect nothing
        raise _wrong(path, f"{where} has the unknown key {unknown[0]!r}")


def _wrong(path: str, what: str) -> UnreadableFile:
    return UnreadableFile(
        f"{path} is not a Leak Finder configuration: {what}.",
        "Correct it as the documentation shows, or leave it out.",
    )
