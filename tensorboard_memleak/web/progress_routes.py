"""The addresses that tell how far a reading is, and end it."""

from __future__ import annotations

from collections.abc import Callable

from tensorboard_memleak.service import progress
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.web.params import Params


def _progress(finder: LeakFinder, params: Params) -> Payload:
    return progress.progress(finder, params.text("session"), params.text("host"))


def _stop(finder: LeakFinder, params: Params) -> Payload:
    params.text(WAIT)  # who asks; `respond` has told the finder
    return progress.stop(finder, params.text("session"), params.text("host"))


WAIT = "wait"
"""The parameter of every route by which one who waits may give up: any text, best a random one."""

PROGRESS_ROUTES: dict[str, Callable[[LeakFinder, Params], Payload]] = {
    "/progress": _progress,
    "/stop": _stop,
}
