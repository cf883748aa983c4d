"""What profiles there are: sessions by the names that XProf gives them, and their hosts.

A session is a folder `plugins/profile/<session>` at any depth; its id is `<run>/<session>`, or
`<session>` at the root. Requests name sessions by id, and an id is only ever a key of this listing.

`Catalog` keeps the latest listing. Its lock makes concurrent scans one: a caller that arrives
while a scan runs waits for it and takes its result.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import MappingProxyType
from typing import Literal

from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.files import FileFact, walk_remote
from tensorboard_memleak.folders import Folders
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.roots import Root
from tensorboard_memleak.strays import STRAY_SUFFIXES, Strays

Format = Literal["xplane", "program", "snapshot"]

UNNAMED_HOST = "unknown"
"""The host of files that name none, in a session without any trace."""

_SUFFIXES: tuple[tuple[str, Format], ...] = (
    (".xplane.pb", "xplane"),
    (".hlo_proto.pb", "program"),
    (".hlo.pb", "program"),  # what XLA dumps, packed or not
    (".hlo.pb.gz", "program"),
    (".hlo.pb.xz", "program"),
    (".prof", "snapshot"),
    (".pprof", "snapshot"),
)


@dataclass(frozen=True, slots=True)
class HostFiles:
    """The files of one host in one session; programs and snapshots stand with the first host."""

    host: str
    xplane: FileFact | None
    programs: tuple[FileFact, ...] = ()
    snapshots: tuple[FileFact, ...] = ()

    @property
    def files(self) -> tuple[FileFact, ...]:
        """Every file, the trace first."""
        trace = (self.xplane,) if self.xplane else ()
        return (*trace, *self.programs, *self.snapshots)

    @property
    def formats(self) -> tuple[Format, ...]:
        """What kinds of file there are."""
        present = (
            ("xplane", self.xplane),
            ("program", self.programs),
            ("snapshot", self.snapshots),
        )
        return tuple(name for name, files in present if files)  # type: ignore[misc]  # literals


@dataclass(frozen=True)
class Session:
    """One profile session; `id` is how XProf's pages call the run."""

    id: str
    run: str
    session: str
    hosts: tuple[HostFiles, ...]

    def host(self, name: str) -> HostFiles:
        """Return one host's files; raise `NotFound` where the session has no such host."""
        found = self._by_name.get(name)
        if found is None:
            raise NotFound(f"Session {self.id} has no host {name}.", "Pick a host from the list.")
        return found

    @cached_property
    def _by_name(self) -> dict[str, HostFiles]:
        return {one.host: one for one in self.hosts}


@dataclass(frozen=True)
class Listing:
    """Everything that one scan found, newest session first."""

    sessions: Mapping[str, Session] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[Notice, ...] = ()

    def session(self, session_id: str) -> Session:
        """Return one session; raise `NotFound` where the last scan found none of that id."""
        try:
            return self.sessions[session_id]
        except KeyError:
            raise NotFound(
                f"There is no profile session {session_id}.",
                "Reload to see the sessions that the logdir holds now.",
            ) from None

    def id_of(self, run: str, session: str) -> str:
        """Return the id of the first session of that run and name; raise `KeyError` without one."""
        return self._ids[run, session]

    @cached_property
    def _ids(self) -> dict[tuple[str, str], str]:
        ids: dict[tuple[str, str], str] = {}
        for one in self.sessions.values():
            ids.setdefault((one.run, one.session), one.id)
        return ids


class Catalog:
    """The listing of some roots, scanned when asked."""

    def __init__(
        self,
        roots: Sequence[Root],
        scan: Callable[[Sequence[Root]], Listing] | None = None,
    ) -> None:
        self.roots = tuple(roots)
        self._scan = scan or partial(scan_roots, folders={root: _folders() for root in self.roots})
        self._lock = threading.Lock()  # guards _listing and _scans; held while scanning
        self._listing: Listing | None = None
        self._scans = 0

    @property
    def has_sessions(self) -> bool:
        """Whether the last scan found anything to show; never touches the disk."""
        listing = self._listing
        return listing is not None and bool(listing.sessions or listing.notices)

    @property
    def listing(self) -> Listing:
        """The latest listing; the first use scans."""
        return self._listing or self.refresh()

    def refresh(self) -> Listing:
        """Scan the roots again, or wait for the scan that is under way."""
        before = self._scans
        with self._lock:
            if self._listing is None or self._scans == before:
                self._listing = self._scan(self.roots)
                self._scans += 1
            return self._listing


def _folders() -> Folders:
    return Folders(tuple(suffix for suffix, _ in _SUFFIXES) + STRAY_SUFFIXES)


def scan_roots(
    roots: Sequence[Root], folders: Mapping[Root, Folders] = MappingProxyType({})
) -> Listing:
    """List every session below the roots; `folders` remember the local ones' last walk."""
    found: dict[tuple[Root, str, str], list[tuple[FileFact, Format]]] = {}
    strays = Strays()
    for root in roots:
        for fact in _walk(root, folders.get(root) or _folders(), strays):
            kind = format_of(fact.name)
            place = session_place(root, fact)
            if kind and place:
                found.setdefault((root, *place), []).append((fact, kind))
            else:
                strays.look_at(fact, in_session=place is not None)
    sessions: dict[str, Session] = {}
    for (root, run, session), files in sorted(found.items(), key=_newest_first, reverse=True):
        name = "/".join(part for part in (root.name, run) if part)
        session_id = f"{name}/{session}" if name else session
        if session_id in sessions:  # two roots without a name may hold the same run
            session_id = f"{session_id} ({root.path})"
        sessions[session_id] = Session(session_id, name, session, group_hosts(files))
    return Listing(MappingProxyType(sessions), strays.notices())


def _walk(root: Root, folders: Folders, strays: Strays) -> Iterator[FileFact]:
    if not root.is_remote:
        yield from folders.walk(root.path)
        strays.unreadable.extend(folders.unreadable)
        return
    try:
        yield from walk_remote(root.path)
    except Exception as error:  # a file system may raise anything: no module, no network, no right
        strays.refused.append((root.path, f"{type(error).__name__}: {error}"))


def _newest_first(item: tuple[tuple[Root, str, str], object]) -> tuple[str, str, str]:
    (root, run, session), _ = item
    return session, root.name, run


def session_place(root: Root, fact: FileFact) -> tuple[str, str] | None:
    """Return `(run, session)` of a file in `plugins/profile/<session>`, else `None`.

    A root that lies inside such a folder still finds its files; their run is then "".
    """
    parts = fact.parts
    if parts[-4:-2] != ["plugins", "profile"]:
        return None
    above = FileFact(root.path.rstrip("/"), 0, 0).parts
    return "/".join(parts[len(above) : -4]), parts[-2]


def format_of(name: str) -> Format | None:
    """Return what a file is by its name, `None` for what is not ours."""
    for suffix, kind in _SUFFIXES:
        if name.endswith(suffix) and len(name) > len(suffix):
            return kind
    return None


def group_hosts(files: Sequence[tuple[FileFact, Format]]) -> tuple[HostFiles, ...]:
    """Group the files of one session by host."""
    ordered = sorted(files, key=lambda item: item[0].path)
    programs = tuple(fact for fact, kind in ordered if kind == "program")
    snapshots = tuple(fact for fact, kind in ordered if kind == "snapshot")
    traces = [fact for fact, kind in ordered if kind == "xplane"]
    if not traces:
        return (HostFiles(UNNAMED_HOST, None, programs, snapshots),)
    names = [fact.name.removesuffix(".xplane.pb") for fact in traces]
    first = HostFiles(names[0], traces[0], programs, snapshots)
    return (first, *(HostFiles(*pair) for pair in zip(names[1:], traces[1:], strict=True)))
