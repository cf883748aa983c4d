"""Opening what a person names on the command line: a logdir, a session folder or one file."""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tensorboard_memleak.catalog import (
    Catalog,
    Format,
    Listing,
    Session,
    format_of,
    group_hosts,
    scan_roots,
    session_place,
)
from tensorboard_memleak.errors import BadRequest, UnreadableFile
from tensorboard_memleak.files import FileFact, look_again
from tensorboard_memleak.progress import Listener
from tensorboard_memleak.roots import Root, parse_roots
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.settings import Settings

_WHAT_TO_NAME: Final = "Name a logdir, a session folder or a *.xplane.pb file."


def open_path(path: str, config: str | None = None, listener: Listener | None = None) -> LeakFinder:
    """Return a finder on a path; raise `UnreadableFile` where nothing is there.

    `listener` hears how far each reading is.

    What lies in `plugins/profile/<session>` is named as in TensorBoard. Anything else is one
    session, named by its folder.
    """
    if not path:
        raise BadRequest("The path is empty.", _WHAT_TO_NAME)
    (root,) = parse_roots(path)
    settings = Settings((root,), config=config)
    if root.is_remote:
        return LeakFinder(settings, listener=listener)
    mode = _mode_of(path, root)
    if stat.S_ISDIR(mode):
        return LeakFinder(settings, Catalog((root,), _folder), listener)
    if not stat.S_ISREG(mode):  # a pipe gives its bytes once, a device may never end
        raise UnreadableFile(f"{path} is no file.", "Save what it holds to one, and name that.")
    return LeakFinder(settings, Catalog((root,), _file), listener)


def _mode_of(path: str, root: Root) -> int:
    try:
        return Path(root.path).stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UnreadableFile(f"{path} does not exist.", _WHAT_TO_NAME) from error
    except OSError as error:
        raise UnreadableFile(f"{path} cannot be read: {error.strerror}.", _WHAT_TO_NAME) from error


def _folder(roots: Sequence[Root]) -> Listing:
    """Scan a logdir; where it holds no session, take the folder itself for one."""
    listing = scan_roots(roots)
    (root,) = roots
    loose = [] if listing.sessions else _loose_files(Path(root.path))
    return _one_session(root, loose) if loose else listing


def _loose_files(folder: Path) -> list[tuple[FileFact, Format]]:
    try:
        return [
            (look_again(FileFact(str(path), 0, 0)), kind)
            for path in sorted(folder.iterdir())
            if path.is_file() and (kind := format_of(path.name))
        ]
    except PermissionError:
        return []  # the listing has a notice of the folder


def _file(roots: Sequence[Root]) -> Listing:
    """Take one file, whatever it is called: the person says that it is a profile."""
    (root,) = roots
    fact = look_again(FileFact(root.path, 0, 0))
    return _one_session(root, [(fact, format_of(fact.name) or "xplane")])


def _one_session(root: Root, files: list[tuple[FileFact, Format]]) -> Listing:
    place = session_place(Root("/"), files[0][0])
    session = place[1] if place else Path(files[0][0].path).parent.name
    return Listing(
        MappingProxyType({session: Session(session, root.name, session, group_hosts(files))})
    )
