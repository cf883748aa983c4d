"""From a use case to an HTTP response: JSON always, errors in one shape, nothing but GET.

TensorBoard gives no help here: an exception becomes an HTML page without security headers, and
methods are not told apart. So every answer is made by TensorBoard's own `Respond`, which sets the
headers that its validator asks for, and every error ends here.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

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
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.web.params import Params
from tensorboard_memleak.web.progress_routes import WAIT
from tensorboard_memleak.web.routes import UseCase

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

logger = logging.getLogger(__name__)

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
            params = Params(request.args)
            asked = finder.on_behalf_of(params.optional_text(WAIT))
            return json_response(request, use_case(asked, params))
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


def _status(error: LeakFinderError) -> int:
    return _STATUS.get(type(error), 400)


def json_response(request: Request, payload: object, status: int = 200) -> Response:
    """Respond with JSON; it is compressed where the browser takes that."""
    # A string: TensorBoard would copy a dict value by value to look for NaN, which JSON refuses.
    body = json.dumps(payload, separators=(",", ":"), allow_nan=False)
    response: Response = http_util.Respond(request, body, "application/json", code=status)
    return response


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
