"""Which use case answers which address, below `data/plugin/leak_finder/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tensorboard_memleak.report.types import ReportPayload
from tensorboard_memleak.service import compare, report, sessions, sites, timeline
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.web.moment_routes import MOMENT_ROUTES, memory_of
from tensorboard_memleak.web.params import Params
from tensorboard_memleak.web.program_routes import PROGRAM_ROUTES
from tensorboard_memleak.web.progress_routes import PROGRESS_ROUTES

UseCase: TypeAlias = Callable[[LeakFinder, Params], Payload | ReportPayload]

MOST_PIXELS = 16_384
MOST_ROWS = 100_000


def _sessions(finder: LeakFinder, _: Params) -> Payload:
    return sessions.sessions(finder)


def _report(finder: LeakFinder, params: Params) -> ReportPayload:
    return report.session_report(
        finder,
        params.text("session"),
        params.optional_text("host"),
        params.optional_text("memory"),
        params.choice("parts", ("all", "memories"), "all"),
    )


def _timeline(finder: LeakFinder, params: Params) -> Payload:
    return timeline.memory_over_time(
        finder,
        *memory_of(params),
        start_ns=params.whole("start_ns"),
        end_ns=params.whole("end_ns"),
        pixels=params.whole_or("pixels", 1200, 1, MOST_PIXELS),
    )


def _sites(finder: LeakFinder, params: Params) -> Payload:
    return sites.sites(finder, *memory_of(params))


def _site(finder: LeakFinder, params: Params) -> Payload:
    return sites.site(
        finder,
        *memory_of(params),
        site_index=params.whole("site"),
        finding_id=params.optional_text("finding"),
        offset=params.whole_or("offset", 0, 0, 2**31),
        limit=params.whole_or("limit", 200, 0, MOST_ROWS),
    )


def _compare(finder: LeakFinder, params: Params) -> Payload:
    return compare.compare_memories(
        finder,
        *memory_of(params),
        other_session=params.text("other_session"),
        other_host=params.optional_text("other_host"),
        other_memory=params.optional_text("other_memory"),
    )


ROUTES: dict[str, UseCase] = {
    "/sessions": _sessions,
    "/report": _report,
    "/timeline": _timeline,
    "/sites": _sites,
    "/site": _site,
    "/compare": _compare,
    **MOMENT_ROUTES,
    **PROGRAM_ROUTES,
    **PROGRESS_ROUTES,
}
