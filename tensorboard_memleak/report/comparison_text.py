"""A comparison of two sessions as a page for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, cast

from tensorboard_memleak.analysis.comparison import Outcome
from tensorboard_memleak.analysis.wording import bytes_text, count_text, grouped, site_text
from tensorboard_memleak.model.findings import Site, SiteSource, VerdictName
from tensorboard_memleak.report.page import Page, name
from tensorboard_memleak.report.plain import columns_of, cut_middle, neutral
from tensorboard_memleak.report.style import Style, verdict_mark
from tensorboard_memleak.report.words import VERDICTS, sure_text

MOST_SITES: Final = 12
_WIDTH: Final = 12
OUTCOMES: Final[dict[Outcome, tuple[VerdictName, str]]] = {
    "fixed": ("no_leak", "The leak is gone"),
    "slower": ("leak", "It leaks more slowly"),
    "same": ("leak", "It leaks as before"),
    "faster": ("leak", "It leaks faster"),
    "new_leak": ("leak", "A leak has come in"),
    "no_leak": ("no_leak", "Nothing leaks, before or after"),
    "unclear": ("inconclusive", "It cannot be told"),
}
"""What an outcome is called, with the verdict that lends it its mark and colour."""

Object = Mapping[str, object]


def comparison_text(found: Object, width: int, style: Style | None = None) -> str:
    """Return the page of what `service.compare_sessions` found."""
    page = Page(width, style or Style())
    for side in ("before", "after"):
        where = _object(found[side])
        page.line(f"{side:<8}{name(str(where['path']))} · {name(str(where['session']))}")
    for memory in _objects(found["memories"]):
        page.blank()
        _write_memory(page, memory)
    if not found["memories"]:
        page.blank()
        page.text("No memory with events is in both, so there is nothing to compare.")
    for side in ("before", "after"):
        for alone in _objects(found[f"only_{side}"]):
            verdict = VERDICTS[cast(VerdictName, alone["verdict"])]
            place = f"{name(str(alone['host']))} · {name(str(alone['memory_id']))}"
            page.blank()
            page.text(f"{place} is only {side}: {verdict}. {alone['reason']}", 0, "! ")
    return page.finished()


def _write_memory(page: Page, memory: Object) -> None:
    before, after = _object(memory["before"]), _object(memory["after"])
    verdict, words = OUTCOMES[cast(Outcome, memory["outcome"])]
    page.text(
        f"{verdict_mark(verdict)} {words}: {_places(before, after)}",
        paint=lambda text: page.style.verdict(verdict, text),
    )
    page.text(f"{memory['reason']} {_sure(memory['confidence'])}", 2)
    for note in cast(Sequence[str], memory["notes"]):
        page.text(note, 2, "! ", paint_label=page.style.warning)
    page.blank()
    _write_row(page, "", ("before", "after"))
    for title, values in _figures(before, after):
        _write_row(page, title, values)
    _write_sites(page, _object(memory["columns"]))


def _figures(before: Object, after: Object) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the figures of the whole, each with its value before and after."""
    rates, steps = "bytes_per_step", "count"
    yield "bytes a step", (_amount(before[rates]), _amount(after[rates]))
    counts = [_object(side["steps"])[steps] for side in (before, after)]
    yield "steps", (grouped(cast(int, counts[0])), grouped(cast(int, counts[1])))
    was, now = _object(before["totals"]), _object(after["totals"])
    for title, key in (("still in use at the end", "survivor_bytes"), ("peak", "peak_bytes")):
        yield title, (_amount(was[key]), _amount(now[key]))


def _places(before: Object, after: Object) -> str:
    """Name the host and memory, both of them where they are called otherwise."""
    was, now = (
        f"{name(str(one['host']))} · {name(str(one['memory_id']))}" for one in (before, after)
    )
    return now if was == now else f"{was} → {now}"


def _write_sites(page: Page, columns: Object) -> None:
    changes = cast("Sequence[str | None]", columns["change"])
    changed = [row for row, change in enumerate(changes) if change is not None]
    if changed:
        page.blank()
        page.line("bytes a step by site", 2)
    for row in changed[:MOST_SITES]:
        rates = (_rate(columns, "before", row), _rate(columns, "after", row))
        _write_row(page, _site(columns, row), rates, str(changes[row]))
    more = len(changed) - MOST_SITES
    if more > 0:
        page.line(f"and {count_text(more, 'more site')}; --format json has them all", 2)


def _site(columns: Object, row: int) -> str:
    op, shape, dtype, source = (
        str(_at(columns, key, row)) for key in ("op", "shape", "dtype", "source")
    )
    return site_text(Site(op, shape, dtype, "", "", (), cast(SiteSource, source)))


def _rate(columns: Object, side: str, row: int) -> str:
    there = _at(columns, f"{side}_sites", row)
    return _amount(_at(columns, f"{side}_bytes_per_step", row)) if there else "-"


def _write_row(page: Page, title: str, cells: tuple[str, str], change: str = "") -> None:
    room = max(16, page.width - 3 * _WIDTH - 2)
    shown = cut_middle(neutral(title), room)
    gap = " " * (room - columns_of(shown))
    page.line(f"{shown}{gap}{cells[0]:>{_WIDTH}}{cells[1]:>{_WIDTH}}  {change}".rstrip(), 2)


def _sure(confidence: object) -> str:
    text = sure_text(cast("float | None", confidence))
    return f"{text}." if text else ""


def _amount(value: object) -> str:
    return "unknown" if value is None else bytes_text(cast(int, value))


def _at(columns: Object, key: str, row: int) -> object:
    return cast(Sequence[object], columns[key])[row]


def _object(value: object) -> Object:
    return cast(Object, value)


def _objects(value: object) -> Sequence[Object]:
    return cast(Sequence[Object], value)
