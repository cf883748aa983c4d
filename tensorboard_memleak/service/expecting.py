"""Which configuration applies: the one that was named, else `.memleak.toml` beside a logdir."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.files import FileFact, look_again, read_bytes
from tensorboard_memleak.model.expectations import NO_EXPECTATIONS, Expectations
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.readers.expectations import read_expectations
from tensorboard_memleak.roots import Root

NAME = ".memleak.toml"


def expectations_of(
    roots: Sequence[Root], config: str | None = None
) -> tuple[Expectations, tuple[Notice, ...]]:
    """Return the configuration as it is now: people edit it while they look.

    One that was named and cannot be read is an error (`UnreadableFile`). One that was only found
    is a notice, and then nothing is expected: better a finding too many than one lost.
    """
    if config is not None:
        return _read(str(Path(config).expanduser())), ()
    found = next((path for root in roots if (path := _beside(root))), None)
    if found is None:
        return NO_EXPECTATIONS, ()
    try:
        return _read(found), ()
    except UnreadableFile as error:
        return NO_EXPECTATIONS, (Notice("bad_config", error.message, error.hint),)


def _beside(root: Root) -> str | None:
    """Return the file in the parent of a logdir, so that nothing need lie in the logdir itself."""
    if root.is_remote:
        return None
    path = Path(root.path).parent / NAME
    return str(path) if path.is_file() else None


def _read(path: str) -> Expectations:
    if Root(path).is_remote:
        return _parse(path)
    return _read_version(look_again(FileFact(path, 0, 0)))


@lru_cache(maxsize=8)
def _read_version(fact: FileFact) -> Expectations:
    """Read one version of a file once: every answer asks for it."""
    return _parse(fact.path)


def _parse(path: str) -> Expectations:
    return read_expectations(read_bytes(path), path)
