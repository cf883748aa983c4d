"""`memleak report`: everything that was found, for people or for programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tensorboard_memleak.cli.selection import (
    add_confidential,
    add_selection,
    open_selected,
    readable_count,
    select,
    unreadable,
)
from tensorboard_memleak.cli.status import COULD_NOT, FINE

if TYPE_CHECKING:
    from tensorboard_memleak.report.confidential import Disguise
    from tensorboard_memleak.report.types import ReportPayload
    from tensorboard_memleak.service.finder import LeakFinder

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

_DESCRIPTION = """\
Say of each memory whether it leaks, what, how fast, from where, and what to do.

exit status: 0 the report was made, 2 it could not be made: bad usage, or nothing that can be read.
"""


def add_to(verbs: Verbs) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "report",
        help="say what leaks, how fast, from where, and what to do",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_selection(parser)
    parser.add_argument(
        "--format",
        choices=("text", "json", "csv", "html"),
        default="text",
        help="text for people (the default), json for programs, csv for spreadsheets, html for one "
        "file with the whole page in it",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file instead of standard output"
    )
    add_confidential(parser)
    parser.set_defaults(run_verb=run)


def run(parsed: argparse.Namespace) -> int:
    """Write the report."""
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.confidential import Disguise
    from tensorboard_memleak.report.text import place_text

    finder = open_selected(parsed)
    output.refuse_target(parsed.output, parsed.path, parsed.format)
    told = select(finder, parsed)
    disguise = Disguise() if parsed.confidential else None
    shown = disguise.payload(told) if disguise else told
    nothing = readable_count(told) == 0
    if parsed.format == "json" or not nothing:
        output.deliver(_written(finder, parsed, told, disguise), parsed.output)
    if nothing or parsed.format != "text":
        for session, host in unreadable(shown):
            output.complain_about(host["warnings"], place_text(session, host))
    return COULD_NOT if nothing else FINE


def _written(
    finder: LeakFinder,
    parsed: argparse.Namespace,
    told: ReportPayload,
    disguise: Disguise | None,
) -> str:
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.csv_rows import csv_text
    from tensorboard_memleak.report.style import Style
    from tensorboard_memleak.report.text import report_text

    if parsed.format == "html":
        return _html(finder, told, disguise)
    shown = disguise.payload(told) if disguise else told
    if parsed.format == "json":
        return output.json_text(shown)
    if parsed.format == "csv":
        return csv_text(shown)
    style = Style(coloured=False) if parsed.output else output.style_of_stdout()
    return report_text(shown, output.columns_of_stdout(), style)


def _html(finder: LeakFinder, told: ReportPayload, disguise: Disguise | None) -> str:
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.html_page import html_text, json_text
    from tensorboard_memleak.service.one_file import FileWriter

    rewrite = disguise.payload if disguise else lambda payload: payload
    gathered = FileWriter(finder, json_text, rewrite).gather(told)
    if gathered.cut:
        output.complain_about([gathered.cut])
    return html_text(gathered.answers)
