"""`memleak report`: everything that was found, for people or for programs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tensorboard_memleak.cli.selection import add_selection, readable_count, select, unreadable
from tensorboard_memleak.cli.status import COULD_NOT, FINE

if TYPE_CHECKING:
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
    parser.set_defaults(run_verb=run)


def run(parsed: argparse.Namespace) -> int:
    """Print the report."""
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.text import place_text, report_text

    report = select(parsed)
    nothing = readable_count(report) == 0
    if parsed.format == "json":
        output.print_json(report)
    elif not nothing:
        text = report_text(report, output.columns_of_stdout(), output.style_of_stdout())
        output.print_text(text)
    if nothing or parsed.format == "json":
        for session, host in unreadable(report):
            output.complain_about(host["warnings"], place_text(session, host))
    return COULD_NOT if nothing else FINE
