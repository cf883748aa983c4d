"""Answers that a browser keeps and asks about: an ETag with each, and 304 where it has it already.

Tags are weak: the same answer may travel compressed or not. Whoever keeps an answer must ask again
before using it, but for files whose name changes with their content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from werkzeug.datastructures import Headers
from werkzeug.wrappers import Request, Response

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

ASK_AGAIN: Final = "private, no-cache"
"""Of answers: they hold a person's data, and follow the files in the logdir."""


class _NotModified(Response):
    """An answer without a body; TensorBoard's validator wants a Content-Type even here."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        headers = super().get_wsgi_headers(environ)
        headers["Content-Type"] = self.headers["Content-Type"]
        return headers


def has_it(request: Request, tag: str) -> bool:
    """Whether whoever asks holds the answer of this tag."""
    return request.if_none_match.contains_weak(tag)


def not_modified(tag: str, media_type: str, cache_control: str) -> Response:
    """Say that what the browser holds is still right."""
    response = _NotModified(status=304, content_type=media_type)
    response.headers["X-Content-Type-Options"] = "nosniff"
    return tagged(response, tag, cache_control)


def tagged(response: Response, tag: str, cache_control: str) -> Response:
    """Give an answer its tag, and say how it may be kept."""
    response.set_etag(tag, weak=True)
    response.headers["Cache-Control"] = cache_control
    response.headers["Vary"] = "Accept-Encoding"
    return response
