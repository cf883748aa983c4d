"""The report as a page for the terminal: verdict, top findings, totals, warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Final, TypeAlias

from tensorboard_memleak.analysis.wording import (
    bytes_text,
    count_text,
    exact_bytes,
    grouped,
    moment_text,
)
from tensorboard_memleak.model.findings import VerdictName
from tensorboard_memleak.report.beside import SNAPSHOTS, found_beside, headline, leading
from tensorboard_memleak.report.finding_text import write_findings
from tensorboard_memleak.report.memory import steps_payload
from tensorboard_memleak.report.page import Page, name
from tensorboard_memleak.report.style import Style, severity_mark, verdict_mark
from tensorboard_memleak.report.types import (
    HostPayload,
    MemoryPayload,
    ReportPayload,
    SessionPayload,
    TotalsPayload,
    WarningPayload,
)
from tensorboard_memleak.report.words import (
    VERDICTS,
    forecast_text,
    steps_text,
    sure_text,
)

_NO_STEPS: Final = steps_payload(None)


Row: TypeAlias = "tuple[VerdictName | None, str, str]"
_URGENCY: Final = list(VERDICTS)


def report_text(report: ReportPayload, width: int, style: Style | None = None) -> str:
    """Return the page. Where there are several memories, an overview stands first."""
    page = Page(width, style or Style())
    rows = list(verdict_rows(report))
    if len(rows) > 1:
        _write_overview(page, rows)
    for session in report["sessions"]:
        for host in session["hosts"]:
            page.blank()
            _write_host(page, session, host)
    page.blank()
    _write_warnings(page, report["warnings"])
    return page.finished()


def verdicts_text(report: ReportPayload, width: int, style: Style | None = None) -> str:
    """Return one line a memory: what a gate prints."""
    page = Page(width, style or Style())
    _write_rows(page, list(verdict_rows(report)))
    return page.finished()


def verdict_rows(report: ReportPayload) -> Iterator[Row]:
    """Yield verdict, place and reason of each memory, and of each host that has none to show."""
    for session in report["sessions"]:
        for host in session["hosts"]:
            place = place_text(session, host)
            if not host["memories"]:
                yield host["verdict"], place, host["reason"]
            for memory in host["memories"]:
                if memory["memory_id"] is None:
                    yield memory["verdict"], place, f"{memory['reason']}{_told_beside(host)}"
                else:
                    where = f"{place} · {name(memory['memory_id'])}"
                    yield memory["verdict"], where, memory["reason"]


def _told_beside(host: HostPayload) -> str:
    """Say what leads on a host that has nothing else to tell."""
    first = leading(host)
    return f" {first['title']}." if first else ""


def place_text(session: SessionPayload, host: HostPayload) -> str:
    """Return where a host stands: its session, as TensorBoard's pages name it, and its name."""
    session_id = "/".join(part for part in (session["run"], session["session"]) if part)
    return f"{name(session_id)} · {name(host['host'])}"


def _write_overview(page: Page, rows: list[Row]) -> None:
    counts = Counter(verdict for verdict, _, _ in rows)
    said = [f"{counts[one]} {text.lower()}" for one, text in VERDICTS.items() if counts[one]]
    page.line(f"{grouped(len(rows))} memories: {', '.join(said)}")
    page.blank()
    _write_rows(page, rows)


def _write_rows(page: Page, rows: list[Row]) -> None:
    longest = max((len(VERDICTS[verdict]) for verdict, _, _ in rows), default=0)
    for verdict, place, reason in sorted(rows, key=lambda row: _URGENCY.index(row[0])):
        page.text(
            f"{place}: {reason}",
            label=f"{verdict_mark(verdict)} {VERDICTS[verdict]:<{longest}}  ",
            paint_label=partial(page.style.verdict, verdict),
        )


def _write_host(page: Page, session: SessionPayload, host: HostPayload) -> None:
    page.text(place_text(session, host), paint=page.style.bold)
    files = [f"{name(one['name'])} {bytes_text(one['bytes'])}" for one in host["files"]]
    page.facts([steps_text(host["steps"]) if host["memories"] else "", *files])
    for memory in host["memories"]:
        page.blank()
        _write_memory(page, memory, host)
    if not host["memories"]:
        page.blank()
        _write_verdict(page, None, "")
    _write_beside(page, host)
    page.blank()
    _write_warnings(page, host["warnings"])


def _write_beside(page: Page, host: HostPayload) -> None:
    """Write what was found in programs and snapshots, in the order of the page."""
    found = found_beside(host)
    if not found:
        return
    page.blank()
    sources = {
        "module": "Compiled programs",
        "snapshots": "Device-memory profiles compared",
    }
    page.line(
        " · ".join(
            text for about, text in sources.items() if any(one.about == about for one in found)
        ),
        paint=page.style.bold,
    )
    places = [f"program {name(one.subject)}" if one.about == "module" else "" for one in found]
    write_findings(page, [one.finding for one in found], _NO_STEPS, places)


def _write_headline(page: Page, host: HostPayload, memory: MemoryPayload) -> None:
    """Where there are no memory events, what was found beside them leads."""
    first = leading(host)
    if first is None:
        _write_verdict(page, memory["verdict"], memory["memory_id"] or "")
        return
    mark, severity = severity_mark(first["severity"]), first["severity"]
    page.text(headline(first), label=f"{mark} ", paint=partial(page.style.severity, severity))
    if headline(first) == SNAPSHOTS:
        page.text(f"{first['title']}.", 2)
    page.text(f"{VERDICTS[memory['verdict']].capitalize()}.", 2)


def _write_memory(page: Page, memory: MemoryPayload, host: HostPayload) -> None:
    verdict, steps = memory["verdict"], host["steps"]
    if verdict == "no_events":
        _write_headline(page, host, memory)
        return  # the host's warning says why
    _write_verdict(page, verdict, memory["memory_id"] or "")
    sure = sure_text(memory["confidence"])
    page.text(f"{memory['reason']}{f' {sure}.' if sure else ''}", 2)
    page.text(forecast_text(memory, steps), 2)
    if memory["findings"]:
        page.blank()
        write_findings(page, memory["findings"], steps)
    page.blank()
    _write_totals(page, memory["totals"])
    _write_warnings(page, memory["warnings"])


def _write_verdict(page: Page, verdict: VerdictName | None, memory_id: str) -> None:
    where = f" in {memory_id}" if memory_id else ""
    text = f"{verdict_mark(verdict)} {VERDICTS[verdict]}{where}"
    page.line(text, paint=partial(page.style.verdict, verdict))


def _write_totals(page: Page, totals: TotalsPayload) -> None:
    older = totals["prewindow_deallocations"]
    page.facts(
        [
            count_text(totals["allocations"], "allocation"),
            count_text(totals["deallocations"], "deallocation")
            + (f" ({grouped(older)} of older blocks)" if older else ""),
            f"{count_text(totals['survivor_blocks'], 'block')} still in use, "
            + _amount(totals["survivor_bytes"]),
            f"{count_text(totals['lost'], 'release')} not seen" if totals["lost"] else "",
        ],
        2,
    )
    peak_ns = totals["peak_ns"]
    when = f" at {moment_text(peak_ns)}" if peak_ns is not None else ""
    page.facts(
        [
            f"in use {_amount(totals['baseline_bytes'])} → {_amount(totals['end_bytes'])}",
            f"peak {_amount(totals['peak_bytes'])}{when}",
            f"capacity {_amount(totals['capacity_bytes'])}",
            f"lifetime peak {_amount(totals['lifetime_peak_bytes'])}",
            _books(totals["unaccounted_bytes"]),
        ],
        2,
    )


def _amount(size_bytes: int | None) -> str:
    return "unknown" if size_bytes is None else bytes_text(size_bytes)


def _books(unaccounted_bytes: int | None) -> str:
    if unaccounted_bytes is None:
        return "the allocator gives no total to check against"
    if unaccounted_bytes == 0:
        return "the events add up to the allocator's own total"
    than = "higher" if unaccounted_bytes > 0 else "lower"
    apart = exact_bytes(abs(unaccounted_bytes))
    return f"the allocator's own total is {apart} {than} than the events tell"


def _write_warnings(page: Page, warnings: list[WarningPayload]) -> None:
    for warning in warnings:
        page.text(warning["message"], 2, "! ", paint_label=page.style.warning)
        page.text(warning["hint"], 4, paint=page.style.faint)
