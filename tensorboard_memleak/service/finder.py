"""The way from a session's name to its analysis: catalog, files, reader, diagnosis, store."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.expected import set_aside
from tensorboard_memleak.analysis.program.buffer_names import has_unnamed_sites, name_by_buffers
from tensorboard_memleak.catalog import Catalog, HostFiles, Listing
from tensorboard_memleak.errors import LeakFinderError, NotFound, Stopped, UnreadableFile
from tensorboard_memleak.files import FileFact, as_it_is, look_again, open_bytes
from tensorboard_memleak.model.analysis import HostDiagnosis, MemoryAnalysis
from tensorboard_memleak.model.expectations import Expectations
from tensorboard_memleak.model.lanes import ThreadEvents
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import HostTrace, Notice
from tensorboard_memleak.progress import Listener, Progress, Standing
from tensorboard_memleak.readers.xplane import read_host_trace
from tensorboard_memleak.readers.xplane_thread_events import read_thread_events
from tensorboard_memleak.service.expecting import expectations_of
from tensorboard_memleak.service.faults import faults_about
from tensorboard_memleak.service.held import held_bytes
from tensorboard_memleak.service.host_programs import HostPrograms, read_host_programs
from tensorboard_memleak.service.host_snapshots import HostSnapshots, read_host_snapshots
from tensorboard_memleak.settings import Settings
from tensorboard_memleak.store import WITHDRAWALS, Store, Withdrawal

Value = TypeVar("Value")


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

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.catalog = catalog or Catalog(settings.roots)
        self._settings = settings
        self._hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        # These share their columns with `_hosts`, so that the same bytes are counted twice.
        self._named_hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        self._judged_hosts: Store[HostAnalysis] = Store(settings.cache_bytes, held_bytes)
        self._programs: Store[HostPrograms] = Store(settings.cache_bytes // 2, held_bytes)
        self._thread_events: Store[ThreadEvents] = Store(settings.cache_bytes // 8, held_bytes)
        self._snapshots: Store[HostSnapshots] = Store(settings.cache_bytes // 8, held_bytes)
        self._listener = listener
        self._waiter: str | None = None
        self.given_up = False
        """Whether something was stopped for whom this one asks: its answers may lack that part."""

    def on_behalf_of(self, waiter: str | None) -> LeakFinder:
        """Return this finder as one asks it who can give up what it waits for (`stop`)."""
        asked = copy(self)
        asked._waiter = waiter
        return asked

    @property
    def listing(self) -> Listing:
        """The sessions of the latest scan."""
        return self.catalog.listing

    def host_files(self, session_id: str, host: str) -> HostFiles:
        """Return the files of a host; raise `NotFound` where there is none of that name."""
        return self.listing.session(session_id).host(host)

    def host(self, session_id: str, host: str, named: bool = True) -> HostAnalysis:
        """Return the analysis of a host; raise `NotFound` or `UnreadableFile`."""
        return self.analysis(self.host_files(session_id, host), named)

    def memory(self, session_id: str, host: str, memory_id: str) -> MemoryAnalysis:
        """Return the analysis of one memory; raise `NotFound` or `UnreadableFile`."""
        return self.host(session_id, host).memory(memory_id)

    def analysis(self, files: HostFiles, named: bool = True) -> HostAnalysis:
        """Return the analysis of a host's trace, read again where the file has changed.

        Without `named`, sites that only the programs can name keep the name of their stack, and no
        program is waited for, unless what is expected to grow must be told by its name.
        """
        now = look_again(_trace_of(files))
        analysed = self._read(files.host, now)
        expectations, _ = self.expectations()
        if named or expectations.sites:
            analysed = self._named(files, now, analysed)
        if not expectations.expects_anything:
            return analysed
        return self._get(
            self._judged_hosts,
            (analysed, expectations),
            files.host,
            lambda _: replace(analysed, diagnosis=set_aside(analysed.diagnosis, expectations)),
        )

    def _read(self, host: str, now: FileFact) -> HostAnalysis:
        return self._get(self._hosts, now, host, lambda progress: _analyse(host, now, progress))

    def _get(
        self,
        store: Store[Value],
        key: Hashable,
        host: str,
        compute: Callable[[Progress], Value],
    ) -> Value:
        """Return what is kept or computed; raise `Stopped`, from then on always, when given up."""
        if self.given_up:
            raise Stopped(host)
        try:
            return store.get(key, compute, Progress(host, self._listener), self._waiter)
        except Stopped:
            self.given_up = True
            raise

    def _named(self, files: HostFiles, now: FileFact, read: HostAnalysis) -> HostAnalysis:
        """Name by HLO buffers what the profile leaves unnamed; programs are read only for that."""
        if not read.has_unnamed_sites:
            return read
        # Before they are read: what changes meanwhile is newer than its key, and asked for anew.
        key = (now, _programs_key(files)[1])
        try:
            programs = [one.diagnosis.program for one in self.programs(files).programs]
        except (LeakFinderError, Stopped):
            return read  # the report tells of it where it shows the programs
        return self._get(
            self._named_hosts,
            key,
            files.host,
            lambda progress: _with_names(read, programs, progress),
        )

    def expectations(self) -> tuple[Expectations, tuple[Notice, ...]]:
        """Return what is expected to grow; raise `UnreadableFile` on a broken `--config`."""
        return expectations_of(self._settings.roots, self._settings.config)

    def programs(self, files: HostFiles) -> HostPrograms:
        """Return the compiled programs of a host, read when somebody first asks for them."""
        with faults_about(f"the programs of {files.host}"):
            now, facts = key = _programs_key(files)
            read = self._read(files.host, now) if now else None
            trace, diagnosis = (read.trace, read.diagnosis) if read else (None, None)
            return self._get(
                self._programs,
                key,
                files.host,
                lambda progress: read_host_programs(trace, diagnosis, facts, progress),
            )

    def thread_events(self, files: HostFiles) -> ThreadEvents:
        """Return what ran on a host's threads, read from its trace when somebody first asks."""
        now = look_again(_trace_of(files))
        trace = self._read(files.host, now).trace
        return self._get(
            self._thread_events,
            now,
            files.host,
            lambda progress: _read_thread_events(trace, now, progress),
        )

    def snapshots(self, files: HostFiles) -> HostSnapshots:
        """Return the device-memory profiles that lie beside a host's trace, compared."""
        facts = _snapshots_key(files)
        with faults_about(f"the snapshots of {files.host}"):
            return self._get(
                self._snapshots,
                facts,
                files.host,
                lambda progress: read_host_snapshots(facts, progress),
            )

    def standing(self, files: HostFiles) -> Standing | None:
        """Return how far the work on a host is that is under way now, `None` without any."""
        for store, key in self._work_on(files):
            standing = store.standing(key)
            if standing is not None:
                return standing
        return None

    def stop(self, files: HostFiles) -> Withdrawal:
        """Give up what this finder's waiter waits for of a host; see `on_behalf_of`."""
        outcomes = {store.withdraw(key, self._waiter or "") for store, key in self._work_on(files)}
        return min(outcomes, key=WITHDRAWALS.index, default="nothing_under_way")

    def _work_on(self, files: HostFiles) -> Iterator[tuple[Store[Any], Hashable]]:
        """Yield where work on a host is under way, in its order: also on files as they were."""
        paths = {fact.path for fact in files.files}
        stores: tuple[Store[Any], ...] = (
            *(self._hosts, self._programs, self._named_hosts),
            *(self._thread_events, self._snapshots),
        )
        for store in stores:
            for key in store.under_way():
                if not paths.isdisjoint(_paths_in(key)):
                    yield store, key


def _paths_in(key: object) -> Iterator[str]:
    if isinstance(key, FileFact):
        yield key.path
    elif isinstance(key, tuple):
        for part in key:
            yield from _paths_in(part)


def _trace_of(files: HostFiles) -> FileFact:
    """Return a host's trace; raise `NotFound` where it has none."""
    if files.xplane is None:
        raise NotFound(
            f"Host {files.host} has no trace in this session, only "
            f"{', '.join(fact.name for fact in files.files)}.",
            "Capture a profile with jax.profiler.trace or tf.profiler to get one.",
        )
    return files.xplane


def _programs_key(files: HostFiles) -> tuple[FileFact | None, tuple[FileFact, ...]]:
    """Return the facts of what programs are read from: the trace, and the files beside it."""
    facts = tuple(as_it_is(fact) for fact in files.programs)
    return look_again(files.xplane) if files.xplane else None, facts


def _snapshots_key(files: HostFiles) -> tuple[FileFact, ...]:
    return tuple(as_it_is(fact) for fact in files.snapshots)


def _analyse(host: str, fact: FileFact, progress: Progress) -> HostAnalysis:
    with faults_about(fact.name):
        fetched = progress.begin("fetching", fact.size_bytes)
        with open_bytes(fact.path, fetched) as view:
            if not view:
                raise UnreadableFile(
                    f"{fact.name} is empty.",
                    "The capture was cut off before it was written, or grew beyond the 2 GiB that "
                    "its writer can serialize: capture again, for fewer steps.",
                )
            read = progress.begin("reading", len(view))
            trace = read_host_trace(view, host, fact.path, read)
            return HostAnalysis(
                trace, diagnose(trace, progress.begin("analysing", len(trace.memories)))
            )


def _with_names(
    read: HostAnalysis, programs: Sequence[Program], progress: Progress
) -> HostAnalysis:
    progress.begin("naming")
    return replace(read, diagnosis=name_by_buffers(read.trace, read.diagnosis, programs))


def _read_thread_events(trace: HostTrace, fact: FileFact, progress: Progress) -> ThreadEvents:
    progress.begin("reading")
    with faults_about(fact.name), open_bytes(fact.path) as view:
        return read_thread_events(view, trace, fact.path)
