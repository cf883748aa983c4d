"""Neutral names: what a profile calls things becomes `op-1`, `frame-3`, `host-1`.

Under which key a text stands decides what becomes of it. A key that nobody has thought of is taken
for a name, so that what is added to a payload later is never let out by oversight.
"""

from __future__ import annotations

import re
from typing import Final, get_args

from tensorboard_memleak.analysis.flame_paths import NAMELESS, NO_MODULE
from tensorboard_memleak.model.findings import SiteSource
from tensorboard_memleak.model.program import AllocationKind
from tensorboard_memleak.report.types import StepSource

_KINDS_OF_NAME: Final = {
    "config": "config",
    "device": "device",
    "expected": "reason",
    "host": "host",
    "memory": "memory",
    "memory_id": "memory",
    "module": "program",
    "op": "op",
    "op_name": "op",
    "path": "path",
    "place": "frame",
    "region": "region",
    "region_names": "region",
    "run": "run",
    "session": "session",
    "stack": "frame",
    "own_stack": "frame",
    "frames": "frame",
    "thread": "thread",
}
_OURS: Final = frozenset(
    (
        "basis",
        "by",
        "change",
        "code",
        "end",
        "formats",
        "generator",
        "kind",
        "matched_by",
        "of",
        "ordered_by",
        "outcome",
        "pattern",
        "ranked_by",
        "severity",
        "use",
        "verdict",
    )
)
"""Keys under which this program writes words of its own, and nothing else."""
_SOURCES: Final = frozenset((*get_args(SiteSource), *get_args(StepSource)))
_KINDS_OF_MEMORY: Final = frozenset(kind.name.lower().replace("_", "-") for kind in AllocationKind)

_NUMBER: Final = re.compile(r"\d+|0x[0-9a-f]+")
_FINDING_ID: Final = re.compile(r"f\d+(\.\d+)*")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
_TYPE: Final = re.compile(
    r"bool|boolean|float|double|half|string|resource|variant|pred|token|opaque|tuple"
    r"|(b?float|complex|u?int|q?u?int|bf|[sufc])\d{1,3}(_?e\dm\d[a-z]{0,5})?|x\d*|[TS]"
)
_BETWEEN_TYPES: Final = re.compile(r"[\d\s\[\](){},:?<>=*-]*")
_SHAPES: Final = frozenset(("shape", "dtype"))
_NUMBERS: Final = frozenset(("address", "number", "program_id"))


class Names:
    """Gives each name one token of its kind, the same wherever it stands."""

    def __init__(self) -> None:
        self._tokens: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}
        self._told: dict[tuple[str, str], str] = {}

    def token(self, kind: str, name: str) -> str:
        """Return the token of a name; no name stays none."""
        if not name:
            return ""
        known = self._tokens.get((kind, name))
        if known is None:
            number = self._counts[kind] = self._counts.get(kind, 0) + 1
            known = self._tokens[kind, name] = f"{kind}-{number}"
        return known

    def of_key(self, key: str, text: str) -> str:
        """Return what stands for a text under a key of a payload."""
        told = self._told.get((key, text))  # columns repeat the same few texts
        if told is None:
            harmless = _is_harmless(key, text)
            told = text if harmless else self.token(_KINDS_OF_NAME.get(key, "name"), text)
            self._told[key, text] = told
        return told

    def session_id(self, run: str, session: str) -> str:
        """Return the id of a session: `<run>/<session>`, or `<session>` at the root."""
        parts = (self.token("run", run), self.token("session", session))
        return "/".join(part for part in parts if part)

    def occur_in(self, text: str) -> bool:
        """Tell whether a name that was met so far stands in a text."""
        return any(name in text for _, name in self._tokens if len(name) > 1)


def _is_harmless(key: str, text: str) -> bool:
    if key in _OURS:
        return True
    if key == "frames":
        return text in (NAMELESS, NO_MODULE)  # said by us where the profile says nothing
    if key in _SHAPES:
        return is_shape(text)
    if key in _NUMBERS:
        return _NUMBER.fullmatch(text) is not None
    if key == "strings":  # of a program: names among shapes and kinds
        return text in _KINDS_OF_MEMORY or is_shape(text)
    if key == "source":  # a word of ours, or a file and its line
        return text in _SOURCES
    return key in ("id", "finding") and _FINDING_ID.fullmatch(text) is not None


def is_shape(text: str) -> bool:
    """Tell whether a text is a shape or a type: known words, numbers and brackets alone."""
    if not _BETWEEN_TYPES.fullmatch(_WORD.sub("", text)):
        return False
    return all(_TYPE.fullmatch(word) for word in _WORD.findall(text))
