"""Colour for terminals that show it; a mark goes with each colour, so that none is alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tensorboard_memleak.model.findings import Severity, VerdictName

_RED: Final = "31"
_YELLOW: Final = "33"
_GREEN: Final = "32"
_BOLD: Final = "1"
_FAINT: Final = "2"

_VERDICTS: Final[dict[VerdictName | None, tuple[str, str]]] = {
    "leak": ("●", _RED),
    "inconclusive": ("◆", _YELLOW),
    "no_leak": ("■", _GREEN),
    "no_events": ("□", _FAINT),
    None: ("▲", _YELLOW),
}
# The page has the same marks (`MARKS` in frontend/src/lib/words.ts).
_SEVERITIES: Final[dict[Severity, tuple[str, str]]] = {
    "high": ("●", _RED),
    "medium": ("◆", _YELLOW),
    "low": ("■", _FAINT),
    "info": ("■", _FAINT),
}


def verdict_mark(verdict: VerdictName | None) -> str:
    """Return the mark of a verdict, one column wide."""
    return _VERDICTS[verdict][0]


def severity_mark(severity: Severity) -> str:
    """Return the mark of a severity, one column wide."""
    return _SEVERITIES[severity][0]


@dataclass(frozen=True, slots=True)
class Style:
    """How to emphasise, or not to."""

    coloured: bool = False

    def bold(self, text: str) -> str:
        """Return what matters most."""
        return self._painted(text, _BOLD)

    def faint(self, text: str) -> str:
        """Return what stands back."""
        return self._painted(text, _FAINT)

    def warning(self, text: str) -> str:
        """Return what asks for care."""
        return self._painted(text, _YELLOW)

    def verdict(self, verdict: VerdictName | None, text: str) -> str:
        """Return a text in the colour of a verdict."""
        return self._painted(text, f"{_BOLD};{_VERDICTS[verdict][1]}")

    def severity(self, severity: Severity, text: str) -> str:
        """Return a text in the colour of a severity."""
        return self._painted(text, _SEVERITIES[severity][1])

    def _painted(self, text: str, codes: str) -> str:
        return f"\x1b[{codes}m{text}\x1b[0m" if self.coloured and text else text
