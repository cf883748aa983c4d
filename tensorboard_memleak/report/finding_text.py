"""Findings on the terminal page: in full where they ask for action, else in a line or two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from tensorboard_memleak.analysis.frames import own_frames
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.report.page import Page, name
from tensorboard_memleak.report.style import severity_mark
from tensorboard_memleak.report.types import FindingPayload, SitePayload, StepsPayload
from tensorboard_memleak.report.words import (
    held_text,
    kind_text,
    rate_text,
    span_text,
    sure_text,
)

MOST_FINDINGS: Final = 8
_MOST_FRAMES: Final = 4
_MOST_PARTS: Final = 3
_INDENT: Final = 6


def write_findings(
    page: Page,
    findings: list[FindingPayload],
    steps: StepsPayload,
    places: Sequence[str] = (),
) -> None:
    """Write the first findings; advice that several share stands once.

    `places` says of each where it was found, if that is not told above all of them.
    """
    given: set[str] = set()
    for index, finding in enumerate(findings[:MOST_FINDINGS]):
        place = places[index] if places else ""
        _write(page, index + 1, finding, [place, *_facts(finding, steps)], given)
    more = len(findings) - MOST_FINDINGS
    if more > 0:
        page.line(
            f"and {count_text(more, 'more finding')}; --format json has them all",
            _INDENT,
            page.style.faint,
        )


def _write(
    page: Page, number: int, finding: FindingPayload, facts: list[str], given: set[str]
) -> None:
    acts = finding["severity"] != "info"
    page.text(
        finding["title"],
        label=f"{number:>3} {severity_mark(finding['severity'])} ",
        paint=page.style.bold if acts else str,
        paint_label=partial(page.style.severity, finding["severity"]),
    )
    page.facts(facts, _INDENT)
    if finding["expected"]:
        page.text(f"set aside: {finding['expected']}", _INDENT)
    if not acts:
        return
    _write_origin(page, finding["site"])
    for part in finding["parts"][:_MOST_PARTS]:
        page.text(part["title"], _INDENT, "· ")
    more = len(finding["parts"]) - _MOST_PARTS
    if more > 0:
        page.line(f"· and {count_text(more, 'more site')} of the same cause", _INDENT)
    page.text(finding["detail"], _INDENT)
    if finding["advice"] not in given:
        page.text(finding["advice"], _INDENT, "→ ")
        given.add(finding["advice"])
    page.blank()


def _facts(finding: FindingPayload, steps: StepsPayload) -> list[str]:
    return [
        kind_text(finding),
        rate_text(finding),
        held_text(finding),
        _requested(finding),
        span_text(finding, steps),
        sure_text(finding["confidence"]),
    ]


def _requested(finding: FindingPayload) -> str:
    """Say what was asked for where rounding makes the memory lose more."""
    asked = finding["requested_bytes"]
    if asked is None or bytes_text(asked) == bytes_text(finding["bytes"]):
        return ""
    return f"{bytes_text(asked)} requested"


def _write_origin(page: Page, site: SitePayload) -> None:
    frames = [name(frame) for frame in own_frames(site["stack"])]
    shown = frames[:_MOST_FRAMES]
    if len(frames) > _MOST_FRAMES:
        shown.append(f"{len(frames) - _MOST_FRAMES} more")
    if shown:
        page.text(" ← ".join(shown), _INDENT, "in ", paint_label=page.style.faint)
    if site["thread"] and not any("(" in frame for frame in shown):
        page.text(f"on thread {name(site['thread'])}", _INDENT, paint=page.style.faint)
    if site["unknown_why"]:
        page.text(site["unknown_why"], _INDENT)
