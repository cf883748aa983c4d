"""The built page: a list of files made once at start, so no request ever names a path."""

from __future__ import annotations

import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING

from tensorboard.backend import http_util
from werkzeug.wrappers import Request, Response

from tensorboard_memleak.web.respond import method_not_allowed

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

STATIC = Path(__file__).resolve().parent.parent / "static"
ENTRY = "/index.js"

_YEAR_SECONDS = 365 * 24 * 3600
_TYPES = {".js": "text/javascript", ".css": "text/css", ".map": "application/json"}


def asset(file: Path) -> WSGIApplication:
    """Return the WSGI application that serves one file of the page, as it is now."""
    media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "text/plain"
    # Names in chunks/ carry a hash of their content; all others must be asked for again.
    expires = _YEAR_SECONDS if file.parent.name == "chunks" else 0
    # Read once: an upgrade under a running TensorBoard must not mix two builds of the page.
    content = file.read_bytes()

    @Request.application
    def answer(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return method_not_allowed(request)
        response: Response = http_util.Respond(request, content, media_type, expires=expires)
        return response

    return answer


def asset_routes(folder: Path = STATIC) -> dict[str, WSGIApplication]:
    """Return a route for each file of the page."""
    return {
        "/" + file.relative_to(folder).as_posix(): asset(file)
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }
