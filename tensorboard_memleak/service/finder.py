"""The way from a session's name to its analysis: catalog, files, reader, diagnosis, store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property

import numpy as np

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.expected import set_aside
from tensorboard_memleak.analysis.program.buffer_names import has_unnamed_sites, name_by_buffers
from tensorboard_memleak.catalog import Catalog, HostFiles, Listing
from tensorboard_memleak.errors import LeakFinderError, NotFound, UnreadableFile
from tensorboard_memleak.files import FileFact, look_again, open_bytes
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.expectations import Expectations
from tensorboard_memleak.model.trace import HostTrace, Notice
from tensorboard_memleak.readers.xplane import read_host_trace
from tensorboard_memleak.service.expecting import expectations_of
from tensorboard_memleak.service.faults import faults_about
from tensorboard_memleak.service.host_programs import HostPrograms, read_host_programs
from tensorboard_memleak.service.host_snapshots import HostSnapshots, read_host_snapshots
from tensorboard_memleak.settings import Settings
from tensorboard_memleak.store import Store


@dataclass(frozen=True, eq=False)  # one is itself, and so the key of what is made of it
class HostAnalysis:
    """One host's capture and what was made of it."""

    trace: HostTrace
    diagnosis: HostDiagnosis

    def memory(self, memory_id: str) -> MemoryAnalysis:
        """Return one memory; raise `NotFound` where the host has none of that id."""
        found = self._by_id.get(memory_id)
        if found is None:
            raise NotFound(
                f"Host {self.trace.host} has no memory {memory_id}.", "Pick a memory from the list."
            )
        return found

    @cached_property
    def has_unnamed_sites(self) -> bool:
        """Whether anything would gain by the programs being read."""
        return has_unnamed_sites(self.diagnosis)

    @cached_property
    def _by_id(self) -> dict[str, MemoryAnalysis]:
        return {one.memory.memory_id: one for one in self.diagnosis.memories}


class LeakFinder:
    """Everything that one TensorBoard or one command line knows about its profiles."""

    def __init__(self, settings: Settings, catalog: Catalog | None = None) -> None:
        self.catalog = catalog or Catalog(settings.roots)
        self._settings = settings
        self._hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        # These share their columns with `_hosts`, so that the same bytes are counted twice.
        self._named_hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        self._judged_hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        self._programs: Store[HostPrograms] = Store(settings.cache_bytes // 2, held_bytes)
        self._snapshots: Store[HostSnapshots] = Store(settings.cache_bytes // 8, held_bytes)

    @property
    def listing(self) -> Listing:
        """The sessions of the latest scan."""
        return self.catalog.listing

    def host_files(self, session_id: str, host: str) -> HostFiles:
        """Return the files of a host; raise `NotFound` where there is none of that name."""
        return self.listing.session(session_id).host(host)

    def host(self, session_id: str, host: str) -> HostAnalysis:
        """Return the analysis of a host; raise `NotFound` or `UnreadableFile`."""
        return self.analysis(self.host_files(session_id, host))

    def memory(self, session_id: str, host: str, memory_id: str) -> MemoryAnalysis:
        """Return the analysis of one memory; raise `NotFound` or `UnreadableFile`."""
        return self.host(session_id, host).memory(memory_id)

    def analysis(self, files: HostFiles) -> HostAnalysis:
        """Return the analysis of a host's trace, read again where the file has changed."""
        if files.xplane is None:
            raise NotFound(
                f"Host {files.host} has no trace in this session, only "
                f"{', '.join(fact.name for fact in files.files)}.",
                "Capture a profile with jax.profiler.trace or tf.profiler to get one.",
            )
        now = look_again(files.xplane)
        analysed = self._named(files, now, self._read(files.host, now))
        expectations, _ = self.expectations()
        if not expectations.expects_anything:
            return analysed
        return self._judged_hosts.get(
            (analysed, expectations),
            lambda: replace(analysed, diagnosis=set_aside(analysed.diagnosis, expectations)),
        )

    def _read(self, host: str, now: FileFact) -> HostAnalysis:
        return self._hosts.get(now, lambda: _analyse(host, now))

    def _named(self, files: HostFiles, now: FileFact, read: HostAnalysis) -> HostAnalysis:
        """Name by HLO buffers what the profile leaves unnamed; programs are read only for that."""
        if not read.has_unnamed_sites:
            return read
        try:
            programs = [one.diagnosis.program for one in self.programs(files).programs]
        except LeakFinderError:
            return read  # the report tells of it where it shows the programs
        return self._named_hosts.get(
            (now, files.programs),
            lambda: replace(read, diagnosis=name_by_buffers(read.trace, read.diagnosis, programs)),
        )

    def expectations(self) -> tuple[Expectations, tuple[Notice, ...]]:
        """Return what is expected to grow; raise `UnreadableFile` on a broken `--config`."""
        return expectations_of(self._settings.roots, self._settings.config)

    def programs(self, files: HostFiles) -> HostPrograms:
        """Return the compiled programs of a host, read when somebody first asks for them."""
        facts = tuple(_as_it_is(fact) for fact in files.programs)
        with faults_about(f"the programs of {files.host}"):
            if files.xplane is None:
                return self._programs.get(
                    (None, facts), lambda: read_host_programs(None, None, facts)
                )
            now = look_again(files.xplane)
            analysed = self._read(files.host, now)
            return self._programs.get(
                (now, facts),
                lambda: read_host_programs(analysed.trace, analysed.diagnosis, facts),
            )

    def snapshots(self, files: HostFiles) -> HostSnapshots:
        """Return the device-memory profiles that lie beside a host's trace, compared."""
        facts = tuple(_as_it_is(fact) for fact in files.snapshots)
        with faults_about(f"the snapshots of {files.host}"):
            return self._snapshots.get(facts, lambda: read_host_snapshots(facts))


def _as_it_is(fact: FileFact) -> FileFact:
    """Return the facts of a file beside a trace as they are now; its reader tells if it is gone."""
    try:
        return look_again(fact)
    except UnreadableFile:
        return fact


def _analyse(host: str, fact: FileFact) -> HostAnalysis:
    with faults_about(fact.name), open_bytes(fact.path) as view:
        if not view:
            raise UnreadableFile(
                f"{fact.name} is empty.",
                "The capture was cut off before it was written, or grew beyond the 2 GiB that its "
                "writer can serialize: capture again, for fewer steps.",
            )
        trace = read_host_trace(view, host, fact.path)
        return HostAnalysis(trace, diagnose(trace))


def held_bytes(value: object) -> int:
    """Return about how much memory a value keeps: exactly its columns, roughly the rest."""
    seen: set[int] = set()
    return sum(_sizes(value, seen))


def _sizes(value: object, seen: set[int]) -> Iterator[int]:
    if isinstance(value, np.ndarray) and isinstance(value.base, np.ndarray):
        value = value.base  # a view keeps the whole of it
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value.nbytes
    elif is_dataclass(value) and not isinstance(value, type):
        for one in fields(value):
            yield from _sizes(getattr(value, one.name), seen)
    elif isinstance(value, tuple):
        yield sys.getsizeof(value)
        for item in value:
            yield from _sizes(item, seen)
    else:
        yield sys.getsizeof(value)
