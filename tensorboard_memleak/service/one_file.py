"""What a report file holds: the answers that its page asks for, by importance, up to a size.

The keys are those of `fileKey` in the page's `api/client.ts`: a route and its parameters in order
of their names, without those that only say how finely to draw. What the page asks beyond that it
says not to be in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import quote

from tensorboard_memleak.analysis.wording import bytes_text, grouped
from tensorboard_memleak.errors import LeakFinderError
from tensorboard_memleak.report.types import ReportPayload, SessionPayload, WarningPayload
from tensorboard_memleak.service.file_questions import questions, session_id
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.sessions import listed

MOST_BYTES: Final = 32 * 1024**2
"""What a bug tracker or a mail still takes, and a browser opens at once."""

_UNRESERVED: Final = "!'()*"
"""What JavaScript's encodeURIComponent leaves alone and Python's `quote` does not by itself."""

_CUT_BYTES: Final = 512
"""Room in each report for the warning that something was left out."""


@dataclass(frozen=True, slots=True)
class FileAnswers:
    """Answers as JSON text by the page's key for them, and a warning if some had no room."""

    answers: dict[str, str]
    cut: WarningPayload | None


class FileWriter:
    """Gathers the answers of one file.

    `write` makes JSON text; `disguise` may replace names, in answers and in keys alike.
    """

    def __init__(
        self,
        finder: LeakFinder,
        write: Callable[[object], str],
        disguise: Callable[[object], object] = lambda payload: payload,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._finder = finder
        self._write = write
        self._disguise = disguise
        self._most_bytes = most_bytes

    def gather(self, told: ReportPayload) -> FileAnswers:
        """Return the answers about what a report tells; the report itself is always there."""
        head = {"sessions": self._text(self._sessions(told))}
        reports = self._reports(told, None)
        room = self._most_bytes - _size({**head, **reports}) - _CUT_BYTES * len(reports)
        answers: dict[str, str] = {}
        left_out: Counter[str] = Counter()
        least_bytes: dict[str, int] = {}
        refused: set[str] = set()
        for one in questions(self._finder, told["sessions"]):
            key = self._key(one.route, one.session, one.params, one.other)
            if key in answers or key in refused:
                continue  # memories of one host ask for the same lanes
            if one.what in left_out and room < least_bytes[one.what]:
                left_out[one.what] += 1  # not asked: no answer of this kind was so small
                refused.add(key)
                continue
            try:
                text = self._text(one.ask())
            except LeakFinderError:
                continue  # the report's own warnings tell of it
            least_bytes[one.what] = min(len(text), least_bytes.get(one.what, len(text)))
            if _size({key: text}) > room:
                left_out[one.what] += 1
                refused.add(key)
                continue
            room -= _size({key: text})
            answers[key] = text
        cut = self._cut(left_out)
        reports = self._reports(told, cut) if cut else reports
        return FileAnswers({**head, **reports, **answers}, cut)

    def _text(self, payload: object) -> str:
        return self._write(self._disguise(payload))

    def _sessions(self, told: ReportPayload) -> object:
        """Write the list of sessions as the page gets it, of what is told alone."""
        hosts = {
            session_id(self._finder, one): {host["host"] for host in one["hosts"]}
            for one in told["sessions"]
        }
        return {
            "generator": told["generator"],
            "sessions": listed(self._finder, hosts),
            "warnings": told["warnings"],
        }

    def _reports(self, told: ReportPayload, cut: WarningPayload | None) -> dict[str, str]:
        """Write a report a host, as the page asks for it."""
        reports: dict[str, str] = {}
        for session in told["sessions"]:
            for host in session["hosts"]:
                warnings = [*host["warnings"], *([cut] if cut else [])]
                alone = {**session, "hosts": [{**host, "warnings": warnings}]}
                key = self._key("report", session, {"host": host["host"]})
                reports[key] = self._text({**told, "sessions": [alone]})
        return reports

    def _key(
        self,
        route: str,
        session: SessionPayload,
        params: Mapping[str, str | int],
        other: SessionPayload | None = None,
    ) -> str:
        told = cast("dict[str, str | int]", self._disguise(params))
        sessions = {"session": self._id(session)}
        if other:
            sessions["other_session"] = self._id(other)
        return file_key(route, {**told, **sessions})

    def _id(self, session: SessionPayload) -> str:
        named = {"run": session["run"], "session": session["session"]}
        named["id"] = session_id(self._finder, session)
        return cast("dict[str, str]", self._disguise(named))["id"]

    def _cut(self, left_out: Counter[str]) -> WarningPayload | None:
        if not left_out:
            return None
        parts = ", ".join(f"{what} ({grouped(count)})" for what, count in left_out.items())
        most = bytes_text(self._most_bytes)
        return {
            "code": "file_cut",
            "message": f"This file holds {most} at most. Left out: {parts}.",
            "hint": "Narrow it to one session, host or memory; TensorBoard shows the rest.",
        }


def _size(answers: Mapping[str, str]) -> int:
    return sum(len(key) + len(text) for key, text in answers.items())


def file_key(route: str, params: Mapping[str, str | int]) -> str:
    """Return the key of an answer in a report file."""
    query = sorted(f"{name}={quote(str(value), _UNRESERVED)}" for name, value in params.items())
    return f"{route}?{'&'.join(query)}"
