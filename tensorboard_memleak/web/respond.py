"""From a use case to an HTTP response: JSON always, errors in one shape, nothing but GET.

TensorBoard gives no help here: an exception becomes an HTML page without security headers, and
methods are not told apart. So every answer is made by TensorBoard's own `Respond`, which sets the
headers that its validator asks for, and every error ends here. Whoever holds the answer already is
told so, mostly before it is made; errors, and reports that tell of one, are never kept.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Final

from tensorboard.backend import http_util
from werkzeug.wrappers import Request, Response

from tensorboard_memleak.errors import (
    BadRequest,
    Fault,
    LeakFinderError,
    NotFound,
    Stopped,
    UnreadableFile,
    UnsupportedFile,
)
from tensorboard_memleak.report.types import ReportPayload
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.identity import content_identity, identity
from tensorboard_memleak.service.wire import Payload
from tensorboard_memleak.web.fresh import ASK_AGAIN, has_it, not_modified, tagged
from tensorboard_memleak.web.params import Params
from tensorboard_memleak.web.progress_routes import PROGRESS_ROUTES, WAIT
from tensorboard_memleak.web.routes import UseCase

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

_JSON: Final = "application/json"

_STATUS: dict[type[LeakFinderError], int] = {
    BadRequest: 400,
    NotFound: 404,
    UnreadableFile: 422,
    UnsupportedFile: 422,
    Fault: 500,
}


def json_route(finder: LeakFinder, use_case: UseCase) -> WSGIApplication:
    """Return the WSGI application that answers one route."""

    @Request.application
    def answer(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return method_not_allowed(request)
        try:
            return _answered(request, finder, use_case)
        except Stopped as stopped:
            return error_response(request, stopped.code, stopped.message, stopped.hint, 409)
        except LeakFinderError as error:
            return error_response(request, error.code, error.message, error.hint, _status(error))
        except Exception:  # the one boundary: whatever is wrong in us must reach the page as JSON
            logger.exception("Leak Finder failed on %s", request.path)
            return error_response(
                request,
                "internal",
                "Leak Finder failed on this request.",
                "TensorBoard's log in the terminal has the details; please report them.",
                500,
            )

    return answer


def _answered(request: Request, finder: LeakFinder, use_case: UseCase) -> Response:
    # The mount point is left out: the same answer stands behind every path prefix.
    route = request.path.rpartition("/")[2]
    params = Params(request.args)
    asked = finder.on_behalf_of(params.optional_text(WAIT))
    if f"/{route}" in PROGRESS_ROUTES:  # what goes on just now follows from no file
        return json_response(request, use_case(asked, params))
    tag = identity(finder, route, list(request.args.items(multi=True)))
    if tag and has_it(request, tag):
        return not_modified(tag, _JSON, ASK_AGAIN)
    payload = use_case(asked, params)
    if tag is None:  # the list of sessions: to have looked is to have made it
        tag = content_identity(json_text(payload).encode())
        if has_it(request, tag):
            return not_modified(tag, _JSON, ASK_AGAIN)
    response = json_response(request, payload)
    if asked.given_up or _tells_of_an_error(payload):
        return response
    return tagged(response, tag, ASK_AGAIN)


def _tells_of_an_error(payload: Payload | ReportPayload) -> bool:
    """Whether a host of a report could not be read: that may pass without any file changing."""
    sessions = payload.get("sessions")
    hosts = (
        host
        for session in (sessions if isinstance(sessions, list) else ())
        if isinstance(session, dict)
        for host in session["hosts"]
    )
    return any(isinstance(host, dict) and host.get("verdict", "") is None for host in hosts)


def _status(error: LeakFinderError) -> int:
    return _STATUS.get(type(error), 400)


def json_response(request: Request, payload: object, status: int = 200) -> Response:
    """Respond with JSON; it is compressed where the browser takes that."""
    # A string: TensorBoard would copy a dict value by value to look for NaN, which JSON refuses.
    response: Response = http_util.Respond(request, json_text(payload), _JSON, code=status)
    response.headers["Cache-Control"] = "no-store"
    return response


def json_text(payload: object) -> str:
    """Write JSON."""
    return json.dumps(payload, separators=(",", ":"), allow_nan=False)


def error_response(request: Request, code: str, message: str, hint: str, status: int) -> Response:
    """Respond with the one shape of an error."""
    return json_response(
        request, {"error": {"code": code, "message": message, "hint": hint}}, status
    )


def method_not_allowed(request: Request) -> Response:
    """Refuse anything but reading."""
    response = error_response(
        request, "method_not_allowed", f"{request.method} is not allowed.", "Use GET.", 405
    )
    response.headers["Allow"] = "GET, HEAD"
    return response
