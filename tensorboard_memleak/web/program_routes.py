"""The addresses of programs and snapshots, below `data/plugin/leak_finder/`."""

from __future__ import annotations

from collections.abc import Callable

from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.service import module, module_buffers, origins, programs, snapshots
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.web.params import Params

_LARGEST_ID = 2**64 - 1


def _modules(finder: LeakFinder, params: Params) -> Payload:
    return programs.modules(finder, params.text("session"), params.text("host"))


def _module(finder: LeakFinder, params: Params) -> Payload:
    return module.module(
        finder,
        params.text("session"),
        params.text("host"),
        _required(params, "program_id"),
        memory_space=params.whole_or("memory_space", 0, 0, _LARGEST_ID),
        name=params.optional_text("name"),
        point=params.whole("point"),
    )


def _module_buffer(finder: LeakFinder, params: Params) -> Payload:
    return module_buffers.module_buffer(
        finder,
        params.text("session"),
        params.text("host"),
        _required(params, "program_id"),
        _required(params, "buffer"),
        name=params.optional_text("name"),
    )


def _snapshots(finder: LeakFinder, params: Params) -> Payload:
    return snapshots.snapshots(finder, params.text("session"), params.text("host"))


def _origins(finder: LeakFinder, params: Params) -> Payload:
    return origins.origins(
        finder,
        params.text("session"),
        params.text("host"),
        params.text("memory"),
        site_index=params.whole("site"),
        finding_id=params.optional_text("finding"),
    )


def _required(params: Params, name: str) -> int:
    number = params.whole(name, 0, _LARGEST_ID)
    if number is None:
        raise BadRequest(f"The parameter {name} is missing.", f"Add {name}=… to the address.")
    return number


PROGRAM_ROUTES: dict[str, Callable[[LeakFinder, Params], Payload]] = {
    "/modules": _modules,
    "/module": _module,
    "/module_buffer": _module_buffer,
    "/snapshots": _snapshots,
    "/origins": _origins,
}
