"""Runs of compiled modules as the host sees them.

What real captures hold (jaxlib 0.4 to 0.10, and XLA under TensorFlow):

* GPU: a span that names the module while its thunks are launched, `jit_f:XLA GPU module` or, newer,
  `GpuExecutable::ExecuteThunks` with the stat `module_name`. It lies in a span of the launch, whose
  name ends in `::EnqueueExecution` and which also holds the allocation of the run's buffers: the
  run is that whole span. The program's id stands only in the stats of kernel launches on other
  lines, which therefore settle which of several modules of one name has run.
* CPU: no span for the run, but each thunk carries `hlo_module`, `program_id` and `run_id`: a run is
  what one `run_id` covers.
* TPU: nothing by name; device lines tell (`xplane_device`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tensorboard_memleak.model.trace import UNKNOWN, Int32, Int64
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.xplane_events import Events
from tensorboard_memleak.readers.xplane_spans import SpanRows

_GPU_SUFFIX: Final = ":XLA GPU module"
_LAUNCH_SUFFIX: Final = "::EnqueueExecution"
_THUNKS: Final = "GpuExecutable::ExecuteThunks"
_MODULE_NAME: Final = "module_name"
_TAGS: Final = ("program_id", "run_id", "device_ordinal")
_HLO_MODULE: Final = "hlo_module"


def _names_gpu_module(name: str) -> bool:
    return name.endswith(_GPU_SUFFIX)


def _is_launch(name: str) -> bool:
    return name.endswith(_LAUNCH_SUFFIX)


def _is_thunks(name: str) -> bool:
    return name == _THUNKS


class _Launches(NamedTuple):
    """Spans that hold a run, its buffers' allocation included."""

    line: Int32
    start: Int64
    end: Int64


class _Named(NamedTuple):
    """Spans that name their module."""

    line: Int32
    start: Int64
    end: Int64
    name: Int32


class _Tagged(NamedTuple):
    """Stretches of kernels or thunks of one program; `run` is `UNKNOWN` where they carry no id."""

    line: Int32
    start: Int64
    end: Int64
    name: Int32
    program: Int64
    run: Int64
    device: Int64

    def take(self, chosen: Int64) -> _Tagged:
        """Return the rows at `chosen`."""
        return _Tagged(*_take(self, chosen))


class RunRows:
    """Runs under construction, times relative to their line."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings
        self._launches: list[_Launches] = []
        self._named: list[_Named] = []
        self._tagged: list[_Tagged] = []

    def add(self, events: Events) -> None:
        """Add what `events` tell of runs."""
        launches = events.named(_is_launch)
        if len(launches):
            batch = events.batch
            start, end = batch.offset_ps[launches], batch.end_ps[launches]
            self._launches.append(_Launches(batch.line[launches], start, end))
        modules = events.named(_names_gpu_module)
        if len(modules):
            self._add_named(events, modules, self._module_names(events, modules))
        thunks = events.named(_is_thunks)
        if len(thunks):
            names = events.texts(thunks, _MODULE_NAME, self._strings.intern)
            self._add_named(events, thunks, names)
        self._add_tagged(events)

    def _add_named(self, events: Events, found: Int64, names: Int32) -> None:
        batch = events.batch
        self._named.append(
            _Named(batch.line[found], batch.offset_ps[found], batch.end_ps[found], names)
        )

    def _module_names(self, events: Events, found: Int64) -> Int32:
        rows, where = np.unique(events.row[found], return_inverse=True)
        names = (events.tables.event_names[row] for row in rows.tolist())
        texts = [self._strings.intern(name.removesuffix(_GPU_SUFFIX)) for name in names]
        return np.array(texts, np.int32)[where]

    def _add_tagged(self, events: Events) -> None:
        found = events.having(_TAGS[:1])
        if not len(found):
            return
        program, run, device = events.integers(found, _TAGS)
        name = events.texts(found, _HLO_MODULE, self._strings.intern)
        # One run launches many kernels in a row: one row stays for all of them.
        line = events.batch.line[found]
        first = _changes(line, program, run, device, name)
        start = np.minimum.reduceat(events.batch.offset_ps[found], first)
        end = np.maximum.reduceat(events.batch.end_ps[found], first)
        self._tagged.append(
            _Tagged(line[first], start, end, name[first], program[first], run[first], device[first])
        )

    def extend(self, rows: RunRows) -> None:
        """Take over the rows of whole lines; their runs widen to the launches that hold them."""
        self._tagged += rows._tagged
        if rows._launches and rows._named:
            launches = _Launches(*_gather(rows._launches, len(_Launches._fields)))
            named = _Named(*_gather(rows._named, len(_Named._fields)))
            for line in np.unique(named.line).tolist():
                its = _Named(*_take(named, np.flatnonzero(named.line == line)))
                own = _Launches(*_take(launches, np.flatnonzero(launches.line == line)))
                self._named.append(_widen(its, own) if len(own.line) else its)
        else:
            self._named += rows._named

    def finish(self, line_ps: Int64, programs: Mapping[str, Sequence[int]]) -> SpanRows:
        """Return the runs in true time, given the ids of the programs of each name."""
        runs = SpanRows()
        tags = _Tagged(*_gather(self._tagged, len(_Tagged._fields)))
        tags = tags._replace(
            start=tags.start + line_ps[tags.line], end=tags.end + line_ps[tags.line]
        )
        _add_tagged_runs(runs, tags.take(np.flatnonzero(tags.run != UNKNOWN)))
        named = _Named(*_gather(self._named, len(_Named._fields)))
        base = line_ps[named.line]
        named = _distinct(named._replace(start=named.start + base, end=named.end + base))
        kernels = tags.take(np.flatnonzero(tags.run == UNKNOWN))
        runs.add(*named, self._programs_of(named, programs, kernels))
        return runs

    def _programs_of(
        self, named: _Named, programs: Mapping[str, Sequence[int]], kernels: _Tagged
    ) -> Int64:
        """Return each run's program: by its name alone, else by a kernel it launched."""
        found = np.full(len(named.name), UNKNOWN, np.int64)
        for text in np.unique(named.name).tolist():
            its = np.flatnonzero(named.name == text)
            ids = programs.get(self._strings.text(text), ())
            if len(ids) == 1:
                found[its] = ids[0]
            else:
                same = kernels.take(np.flatnonzero(kernels.name == text))
                found[its] = _program_of_kernels(same, named.start[its], named.end[its])
        return found


def _widen(named: _Named, launches: _Launches) -> _Named:
    """Widen spans to the launches of the same line that hold them."""
    order = np.argsort(launches.start, kind="stable")
    starts, ends = launches.start[order], launches.end[order]
    launch = np.maximum(np.searchsorted(starts, named.start, "right") - 1, 0)
    held = (starts[launch] <= named.start) & (ends[launch] >= named.end)
    return named._replace(
        start=np.where(held, starts[launch], named.start),
        end=np.where(held, ends[launch], named.end),
    )


def _distinct(named: _Named) -> _Named:
    """Drop repetitions: one launch may name its module in more than one span."""
    order = np.lexsort((named.name, named.end, named.start, named.line))
    ordered = _take(named, order)
    return _Named(*_take(ordered, _changes(*ordered)))


def _program_of_kernels(kernels: _Tagged, start: Int64, end: Int64) -> Int64:
    """Return the program whose kernels overlap each span, or `UNKNOWN`."""
    if not len(kernels.start):
        return np.full(len(start), UNKNOWN, np.int64)
    kernels = kernels.take(np.argsort(kernels.start, kind="stable"))
    last = np.searchsorted(kernels.start, end) - 1
    kernel = np.maximum(last, 0)
    overlaps = (last >= 0) & (kernels.end[kernel] > start)
    return np.where(overlaps, kernels.program[kernel], UNKNOWN)


def _add_tagged_runs(runs: SpanRows, tags: _Tagged) -> None:
    """Add one run for all that carries one run id on one device."""
    if not len(tags.line):
        return
    tags = tags.take(np.lexsort((tags.start, tags.device, tags.run, tags.program)))
    first = _changes(tags.program, tags.run, tags.device)
    start = np.minimum.reduceat(tags.start, first)
    end = np.maximum.reduceat(tags.end, first)
    runs.add(tags.line[first], start, end, tags.name[first], tags.program[first])


def _changes(*columns: NDArray[Any]) -> Int64:
    """Return where a row differs from the one before it in any column."""
    changed = np.ones(len(columns[0]), np.bool_)
    changed[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
    return np.flatnonzero(changed)


def _take(columns: Sequence[NDArray[Any]], rows: Int64) -> list[NDArray[Any]]:
    return [column[rows] for column in columns]


def _gather(parts: Sequence[tuple[NDArray[Any], ...]], count: int) -> list[NDArray[Any]]:
    if not parts:
        return [np.zeros(0, np.int64) for _ in range(count)]
    return [np.concatenate(column) for column in zip(*parts, strict=True)]
