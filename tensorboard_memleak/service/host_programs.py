"""The compiled programs of one host: read from its trace and the files beside it, and diagnosed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from tensorboard_memleak.analysis.program.overview import ProgramOverview, overview
from tensorboard_memleak.errors import LeakFinderError, NotFound
from tensorboard_memleak.files import FileFact, open_bytes, read_bytes
from tensorboard_memleak.model.analysis import HostDiagnosis
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.model.trace import HostTrace, Notice
from tensorboard_memleak.progress import Progress
from tensorboard_memleak.readers.hlo import read_program

_ID_IN_NAME: Final = re.compile(r"^(?P<name>.*)\((?P<id>\d+)\)\.hlo_proto\.pb$")
_NO_MODULE: Final = "NO_MODULE.hlo_proto.pb"
"""What XProf leaves in a session without programs, so as not to look for them again."""


@dataclass(frozen=True, slots=True)
class HostPrograms:
    """The programs of one host; `notices` tell of those that could not be read."""

    programs: tuple[ProgramOverview, ...]
    notices: tuple[Notice, ...]

    @property
    def all_notices(self) -> tuple[Notice, ...]:
        """What is to be told of the files, then of each program that is damaged or incomplete."""
        told = (notice for one in self.programs for notice in one.diagnosis.program.notices)
        return (*self.notices, *told)

    def program(self, program_id: int, name: str | None = None) -> ProgramOverview:
        """Return a program by its id (and name, where several have it); raise `NotFound`."""
        for one in self.programs:
            program = one.diagnosis.program
            if program.program_id == program_id and name in (None, program.name):
                return one
        raise NotFound(f"There is no program {program_id} here.", "Pick a program from the list.")


def read_host_programs(
    trace: HostTrace | None,
    diagnosis: HostDiagnosis | None,
    files: Sequence[FileFact],
    progress: Progress,
) -> HostPrograms:
    """Read every program of a trace, and of files those that the trace does not hold."""
    found: dict[tuple[str, int], Program] = {}
    notices: list[Notice] = []
    told = progress.begin("programs", len(files) + (len(trace.programs) if trace else 0))
    for count, one in enumerate(chain(_of_trace(trace), _of_files(files)), start=1):
        if isinstance(one, Notice):
            notices.append(one)
        else:
            found.setdefault((one.name, one.program_id), one)
        told(count)
    return HostPrograms(overview(list(found.values()), trace, diagnosis), tuple(notices))


def _of_trace(trace: HostTrace | None) -> Iterator[Program | Notice]:
    """Read the programs of a trace; one that is broken leaves the others."""
    if trace is None or not trace.programs:
        return
    with open_bytes(trace.programs[0].path) as view:
        for ref in trace.programs:
            data = bytes(view[ref.offset : ref.offset + ref.length])
            yield _program(data, ref.name, ref.program_id, ref.path)


def _of_files(files: Sequence[FileFact]) -> Iterator[Program | Notice]:
    for fact in files:
        if fact.name == _NO_MODULE:
            continue
        named = _ID_IN_NAME.match(fact.name)
        try:
            data = read_bytes(fact.path)
        except LeakFinderError as error:
            yield Notice(error.code, error.message, error.hint)
            continue
        yield _program(data, fact.name, int(named["id"]) if named else 0, fact.path)


def _program(data: bytes, label: str, program_id: int, path: str) -> Program | Notice:
    try:
        return read_program(data, program_id=program_id, path=path or label)
    except LeakFinderError as error:
        return Notice(error.code, f"{label}: {error.message}", error.hint)
