"""Two sessions compared, memory by memory; they may lie in different logdirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from tensorboard_memleak.analysis.comparison import Outcome
from tensorboard_memleak.catalog import HostFiles, Session
from tensorboard_memleak.errors import LeakFinderError, NotFound
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.report.payload import GENERATOR
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.compare import comparison
from tensorboard_memleak.service.finder import HostAnalysis, LeakFinder
from tensorboard_memleak.service.wire import JSON, Payload

_MOST_NAMES: Final = 10
_GRAVEST_FIRST: Final[tuple[Outcome, ...]] = (
    "new_leak",
    "faster",
    "unclear",
    "same",
    "slower",
    "fixed",
    "no_leak",
)

_Thing = TypeVar("_Thing")


@dataclass(frozen=True, slots=True)
class Chosen:
    """One side: a session of what a person named, and what of it is looked at (`None`: all)."""

    path: str
    finder: LeakFinder
    session: Session
    host: str | None = None
    memory: str | None = None

    def place(self) -> JSON:
        """Return where it is."""
        return {"path": self.path, "session": self.session.id}

    def hosts(self) -> list[HostFiles]:
        """Return the hosts that are looked at."""
        return [one for one in self.session.hosts if self.host in (None, one.host)]

    def memories(self, host: HostAnalysis) -> list[MemoryAnalysis]:
        """Return the memories of a host that are looked at and have events."""
        return [
            one
            for one in host.diagnosis.memories
            if self.memory in (None, one.memory.memory_id) and one.diagnosis.verdict != "no_events"
        ]


def choose_session(finder: LeakFinder, wanted: str | None) -> Session:
    """Return the session of a name or id, the newest where none is wanted."""
    known = list(finder.listing.sessions.values())
    fitting = [one for one in known if wanted in (None, one.session, one.id)]
    if wanted is not None and len(fitting) > 1:
        names = ", ".join(one.id for one in fitting[:_MOST_NAMES])
        raise NotFound(f"Several sessions are called {wanted}.", f"Name one of {names}.")
    if fitting:
        return fitting[0]
    names = ", ".join(one.id for one in known[:_MOST_NAMES])
    raise NotFound(
        f"There is no profile session {wanted}." if wanted else "There are no profiles here.",
        f"There are {names}." if names else "Name a logdir, a session folder or a profile.",
    )


def compare_sessions(before: Chosen, after: Chosen) -> Payload:
    """Return the comparison of each memory that both have; only what can be read is compared."""
    notices: list[Notice] = []
    memories: list[Payload] = []
    alone: dict[str, list[JSON]] = {"before": [], "after": []}
    for old_files, new_files in _paired(before.hosts(), after.hosts(), lambda one: one.host):
        old, new = _read(before, old_files, notices), _read(after, new_files, notices)
        if (old_files and not old) or (new_files and not new):
            continue  # the warning tells of it
        for was, now in _paired(
            before.memories(old) if old else [], after.memories(new) if new else [], _memory_id
        ):
            if was and now and old and new:
                sides = (before.session.id, old, was), (after.session.id, new, now)
                memories.append(comparison(*sides))
            elif was and old:
                alone["before"].append(_alone(old, was))
            elif now and new:
                alone["after"].append(_alone(new, now))
    memories.sort(key=lambda one: _GRAVEST_FIRST.index(cast(Outcome, one["outcome"])))
    return {
        "generator": GENERATOR,
        "outcome": memories[0]["outcome"] if memories else None,
        "before": before.place(),
        "after": after.place(),
        "memories": cast("JSON", memories),
        "only_before": alone["before"],
        "only_after": alone["after"],
        "warnings": wire.notices(notices),
    }


def _memory_id(one: MemoryAnalysis) -> str:
    return one.memory.memory_id


def _paired(
    before: Sequence[_Thing], after: Sequence[_Thing], name: Callable[[_Thing], str]
) -> Iterator[tuple[_Thing | None, _Thing | None]]:
    """Pair what has the same name; where each side has only one, names do not matter."""
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    by_name = {name(one): one for one in before}
    for one in after:
        yield by_name.pop(name(one), None), one
    for one in by_name.values():
        yield one, None


def _read(side: Chosen, files: HostFiles | None, notices: list[Notice]) -> HostAnalysis | None:
    if files is None:
        return None
    try:
        return side.finder.analysis(files)
    except LeakFinderError as error:
        where = f"{side.session.id} · {files.host}"
        notices.append(Notice(error.code, f"{where}: {error.message}", error.hint))
        return None


def _alone(host: HostAnalysis, memory: MemoryAnalysis) -> JSON:
    return {
        "host": host.trace.host,
        "memory_id": memory.memory.memory_id,
        "verdict": memory.diagnosis.verdict,
        "reason": memory.diagnosis.reason,
    }
