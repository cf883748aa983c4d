"""What the page of a report file may ask: what is shown first stands first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, cast

from tensorboard_memleak.errors import LeakFinderError
from tensorboard_memleak.report.types import FindingPayload, HostPayload, SessionPayload
from tensorboard_memleak.service.addresses import addresses
from tensorboard_memleak.service.blockmap import blockmap
from tensorboard_memleak.service.compare import compare_memories
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.flame import GROUPINGS, SUBJECTS, flame
from tensorboard_memleak.service.lanes import lanes
from tensorboard_memleak.service.module import module
from tensorboard_memleak.service.moments import live
from tensorboard_memleak.service.origins import origins
from tensorboard_memleak.service.programs import modules
from tensorboard_memleak.service.sites import site, sites
from tensorboard_memleak.service.snapshots import snapshots
from tensorboard_memleak.service.timeline import memory_over_time

FULL_WIDTH: Final = 4096
"""Pixels to draw for: there is nothing finer to zoom into."""
MOST_SITES: Final = 200
MOST_OTHERS: Final = 12
BLOCKS_OF_A_FINDING: Final = 2000
BLOCKS_OF_A_SITE: Final = 200
FRAMES_OF_A_FLAME: Final = 2000
"""The largest ones; with twelve answers a memory this keeps them all within about two megabytes."""
_MAP_WIDTH: Final = 2400
_MAP_HEIGHT: Final = 800


@dataclass(frozen=True, slots=True)
class Question:
    """One address of the page, without its session, and how to answer it.

    `what` says in words what the answer is about; `rank` is 0 for what is asked first. `other` is
    the session that it is compared with.
    """

    rank: int
    what: str
    route: str
    session: SessionPayload
    params: dict[str, str | int]
    ask: Callable[[], object]
    other: SessionPayload | None = None


def questions(finder: LeakFinder, told: Sequence[SessionPayload]) -> list[Question]:
    """Return all questions about what a report tells of, the most important ones first."""
    found = [
        one
        for session in told
        for host in session["hosts"]
        if host["verdict"] is not None
        for one in _about_host(finder, session, host, told)
    ]
    return sorted(found, key=lambda one: one.rank)


def session_id(finder: LeakFinder, told: SessionPayload) -> str:
    """Return the id that the page calls a session by."""
    return finder.listing.id_of(told["run"], told["session"])


def _about_host(
    finder: LeakFinder,
    session: SessionPayload,
    host: HostPayload,
    told: Sequence[SessionPayload],
) -> Iterator[Question]:
    place = (finder, session_id(finder, session), host["host"])
    where: dict[str, str | int] = {"host": host["host"]}
    if host["snapshots"]:
        ask = partial(snapshots, *place)
        yield Question(0, "snapshots", "snapshots", session, where, ask)
    if host["modules"]:
        yield Question(1, "programs", "modules", session, where, partial(modules, *place))
        for one in host["modules"]:
            number = one["program_id"]
            about = {**where, "name": one["name"], "program_id": number or 0}
            ask = partial(module, *place, int(number or 0), 0, one["name"])
            yield Question(3, "programs", "module", session, about, ask)
    for memory in host["memories"]:
        if memory["memory_id"] is not None and memory["verdict"] != "no_events":
            here = {**where, "memory": memory["memory_id"]}
            yield from _about_memory(place, session, here)
            yield from _about_moment(place, session, here, memory["totals"]["peak_ns"])
            yield from _about_frames(place, session, here, memory["totals"]["peak_ns"])
            programs = bool(host["modules"])
            yield from _about_findings(place, session, here, memory["findings"], programs)
            yield from _about_sites(place, session, here)
            yield from _about_others(place, session, here, told)


_Place = tuple[LeakFinder, str, str]
_Where = dict[str, "str | int"]


def _about_memory(place: _Place, session: SessionPayload, where: _Where) -> Iterator[Question]:
    memory = str(where["memory"])
    ask: Callable[[], object] = partial(memory_over_time, *place, memory, pixels=FULL_WIDTH)
    yield Question(0, "timelines", "timeline", session, where, ask)
    yield Question(0, "tables of sites", "sites", session, where, partial(sites, *place, memory))
    ask = partial(blockmap, *place, memory, width=_MAP_WIDTH, height=_MAP_HEIGHT)
    yield Question(2, "block maps", "blockmap", session, where, ask)
    yield Question(2, "lanes", "lanes", session, {"host": where["host"]}, _lanes(place, memory))


def _lanes(place: _Place, memory: str) -> Callable[[], object]:
    """Ask for the lanes of the same stretch as the timeline above them."""

    def ask() -> object:
        drawn = memory_over_time(*place, memory, pixels=1)
        start_ns, end_ns = cast(int, drawn["start_ns"]), cast(int, drawn["end_ns"])
        return lanes(*place, start_ns, end_ns, FULL_WIDTH)

    return ask


def _about_moment(
    place: _Place, session: SessionPayload, where: _Where, peak_ns: int | None
) -> Iterator[Question]:
    if peak_ns is not None:
        memory, about = str(where["memory"]), {**where, "at_ns": peak_ns}
        ask: Callable[[], object] = partial(live, *place, memory, at_ns=peak_ns)
        yield Question(1, "live sets", "live", session, about, ask)
        ask = partial(addresses, *place, memory, at_ns=peak_ns)
        yield Question(2, "address maps", "addresses", session, about, ask)


def _about_frames(
    place: _Place, session: SessionPayload, where: _Where, peak_ns: int | None
) -> Iterator[Question]:
    """Ask for every flame graph, of what is live at the peak alone: other moments are too many."""
    memory = str(where["memory"])
    for of in SUBJECTS:
        if of == "live" and peak_ns is None:
            continue
        at_ns = peak_ns if of == "live" else None
        moment = {} if at_ns is None else {"at_ns": at_ns}
        for by in GROUPINGS:
            rank = 2 if of == "survivors" else 3
            ask = partial(flame, *place, memory, of, by, at_ns, FRAMES_OF_A_FLAME)
            about: _Where = {**where, **moment, "of": of, "by": by}
            yield Question(rank, "flame graphs", "flame", session, about, ask)


def _about_findings(
    place: _Place,
    session: SessionPayload,
    where: _Where,
    findings: Sequence[FindingPayload],
    programs: bool,
) -> Iterator[Question]:
    memory = str(where["memory"])
    for one in findings:
        for each in (one, *one["parts"]):
            about = {**where, "finding": each["id"]}
            rank = 1 if each["kind"] == "growth" else 2
            ask: Callable[[], object] = partial(
                site, *place, memory, finding_id=each["id"], limit=BLOCKS_OF_A_FINDING
            )
            yield Question(rank, "findings' blocks", "site", session, about, ask)
            if programs:
                ask = partial(origins, *place, memory, finding_id=each["id"])
                yield Question(3, "findings' buffers", "origins", session, about, ask)


def _about_sites(place: _Place, session: SessionPayload, where: _Where) -> Iterator[Question]:
    """Ask about the sites that hold most at the end, then those that allocated most."""
    memory = str(where["memory"])
    try:
        columns = cast("dict[str, list[int]]", sites(*place, memory)["columns"])
    except LeakFinderError:
        return
    held, made = columns["survivor_bytes"], columns["allocated_bytes"]
    ranked = sorted(columns["index"], key=lambda index: (-held[index], -made[index]))
    for rank, index in enumerate(ranked):
        ask = partial(site, *place, memory, site_index=index, limit=BLOCKS_OF_A_SITE)
        if rank < MOST_SITES:
            yield Question(4, "sites' blocks", "site", session, {**where, "site": index}, ask)


def _about_others(
    place: _Place, session: SessionPayload, where: _Where, told: Sequence[SessionPayload]
) -> Iterator[Question]:
    """Compare with the other sessions: the first ones, for each with each is soon too many."""
    memory = str(where["memory"])
    for other in islice((one for one in told if one is not session), MOST_OTHERS):
        ask = partial(compare_memories, *place, memory, session_id(place[0], other))
        yield Question(2, "comparisons", "compare", session, where, ask, other)
