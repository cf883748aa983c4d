"""The device-memory profiles of one session: read, put in order and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tensorboard_memleak.analysis.snapshots import compare_snapshots
from tensorboard_memleak.errors import LeakFinderError
from tensorboard_memleak.files import FileFact, read_bytes
from tensorboard_memleak.model.snapshot import Snapshot, SnapshotComparison
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.progress import Progress
from tensorboard_memleak.readers.pprof import read_snapshot


@dataclass(frozen=True, slots=True)
class HostSnapshots:
    """The comparison of a session's profiles; `notices` tell of files that could not be read."""

    comparison: SnapshotComparison
    notices: tuple[Notice, ...]


def read_host_snapshots(files: Sequence[FileFact], progress: Progress) -> HostSnapshots:
    """Read and compare profiles; one that is broken, or no JAX profile, leaves the others."""
    told = progress.begin("snapshots", len(files))
    read: list[Snapshot | Notice] = []
    for fact in files:
        read.append(_read(fact))
        told(len(read))
    comparison = compare_snapshots([one for one in read if isinstance(one, Snapshot)])
    broken = [one for one in read if isinstance(one, Notice)]
    return HostSnapshots(comparison, (*broken, *comparison.notices))


def _read(fact: FileFact) -> Snapshot | Notice:
    try:
        data = read_bytes(fact.path)
        return read_snapshot(data, name=fact.name, path=fact.name, modified_ns=fact.mtime_ns)
    except LeakFinderError as error:
        return Notice(error.code, error.message, error.hint)
