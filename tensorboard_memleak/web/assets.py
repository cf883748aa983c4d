"""The built page: a list of files made once at start, so no request ever names a path.

The files are taken into memory with the list: after an upgrade of the package a running TensorBoard
goes on serving the page that fits its own code, chunk by chunk.
"""

from __future__ import annotations

import gzip
import mimetypes
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tensorboard.backend import http_util
from werkzeug.wrappers import Request, Response

from tensorboard_memleak.service.identity import content_identity
from tensorboard_memleak.web.fresh import has_it, not_modified, tagged
from tensorboard_memleak.web.respond import error_response, method_not_allowed

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

STATIC: Final = Path(__file__).resolve().parent.parent / "static"
ENTRY: Final = "/index.js"
ANYTHING_ELSE: Final = "/*"

_YEAR_SECONDS: Final = 365 * 24 * 3600
_FOR_EVER: Final = f"private, max-age={_YEAR_SECONDS}, immutable"
_ASK_AGAIN: Final = "no-cache, must-revalidate"
_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
_NOT_BUILT: Final = """\
export function render() {
  document.body.textContent =
    "Leak Finder is installed without its page. Install a released wheel of tensorboard-memleak, " +
    "or run `make build` in a clone, and restart TensorBoard.";
}
"""


def asset_routes(folder: Path = STATIC) -> dict[str, WSGIApplication]:
    """Return a route for each file of the page, and one that refuses every other address.

    Where the page has not been built, the entry module is one that says so.
    """
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    contents = {f"/{file.relative_to(folder).as_posix()}": file.read_bytes() for file in files}
    contents.setdefault(ENTRY, _NOT_BUILT.encode())
    routes = {address: _asset(address, content) for address, content in contents.items()}
    return {**routes, ANYTHING_ELSE: _nothing_there}


def _asset(address: str, content: bytes) -> WSGIApplication:
    """Return the WSGI application that serves one file."""
    known = _TYPES.get(Path(address).suffix) or mimetypes.guess_type(address)[0]
    media_type = known or "application/octet-stream"
    # Names in chunks/ carry a hash of their content; all others must be asked for again.
    cache_control = _FOR_EVER if address.startswith("/chunks/") else _ASK_AGAIN
    expires = _YEAR_SECONDS if cache_control is _FOR_EVER else 0
    packed, tag = gzip.compress(content, mtime=0), content_identity(content)

    @Request.application
    def answer(request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            return method_not_allowed(request)
        if has_it(request, tag):
            return not_modified(tag, media_type, cache_control)
        response: Response = http_util.Respond(
            request, packed, media_type, expires=expires, content_encoding="gzip"
        )
        return tagged(response, tag, cache_control)

    return answer


@Request.application
def _nothing_there(request: Request) -> Response:
    return error_response(
        request,
        "not_found",
        f"There is nothing at {request.path}.",
        "Reload the page: it may be older than this TensorBoard.",
        404,
    )
