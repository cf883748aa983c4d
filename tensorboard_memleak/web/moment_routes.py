"""The addresses of the views of a moment, a stretch of time, single blocks and their stacks."""

from __future__ import annotations

from collections.abc import Callable

from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.service import addresses, blockmap, flame, lanes, moments
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.web.params import Params

_MOST_PIXELS = 16_384


def memory_of(params: Params) -> tuple[str, str, str]:
    """Return the session, host and memory that a request names."""
    return params.text("session"), params.text("host"), params.text("memory")


def _live(finder: LeakFinder, params: Params) -> Payload:
    at = params.optional_text("at")
    if at not in (None, "peak"):
        raise BadRequest("The parameter at can only be peak.", "Use at_ns or at_step instead.")
    return moments.live(
        finder,
        *memory_of(params),
        at_ns=params.whole("at_ns"),
        at_step=params.whole("at_step"),
    )


def _range(finder: LeakFinder, params: Params) -> Payload:
    return moments.stretch(
        finder,
        *memory_of(params),
        start_ns=params.whole("start_ns"),
        end_ns=params.whole("end_ns"),
        then_ns=params.whole("then_ns"),
    )


def _fit(finder: LeakFinder, params: Params) -> Payload:
    size = params.whole("bytes")
    if size is None:
        raise BadRequest("The parameter bytes is missing.", "Add bytes=… to the address.")
    return moments.fit(finder, *memory_of(params), size, params.whole("at_ns"))


def _blockmap(finder: LeakFinder, params: Params) -> Payload:
    return blockmap.blockmap(
        finder,
        *memory_of(params),
        start_ns=params.whole("start_ns"),
        end_ns=params.whole("end_ns"),
        low=params.whole("low"),
        high=params.whole("high"),
        width=params.whole_or("width", 1200, 1, _MOST_PIXELS),
        height=params.whole_or("height", 400, 1, _MOST_PIXELS),
    )


def _addresses(finder: LeakFinder, params: Params) -> Payload:
    return addresses.addresses(
        finder,
        *memory_of(params),
        at_ns=params.whole("at_ns"),
        pixels=params.whole_or("pixels", addresses.PIXELS, 1, _MOST_PIXELS),
    )


def _block(finder: LeakFinder, params: Params) -> Payload:
    index = params.whole("block")
    if index is None:
        raise BadRequest("The parameter block is missing.", "Add block=… to the address.")
    return blockmap.block(finder, *memory_of(params), index)


def _lanes(finder: LeakFinder, params: Params) -> Payload:
    return lanes.lanes(
        finder,
        params.text("session"),
        params.text("host"),
        start_ns=params.whole("start_ns"),
        end_ns=params.whole("end_ns"),
        pixels=params.whole_or("pixels", 1200, 1, _MOST_PIXELS),
    )


def _flame(finder: LeakFinder, params: Params) -> Payload:
    return flame.flame(
        finder,
        *memory_of(params),
        of=params.choice("of", flame.SUBJECTS, "survivors"),
        by=params.choice("by", flame.GROUPINGS, "stack"),
        at_ns=params.whole("at_ns"),
        frame=params.texts("frame"),
    )


MOMENT_ROUTES: dict[str, Callable[[LeakFinder, Params], Payload]] = {
    "/live": _live,
    "/range": _range,
    "/fit": _fit,
    "/blockmap": _blockmap,
    "/block": _block,
    "/addresses": _addresses,
    "/lanes": _lanes,
    "/flame": _flame,
}
