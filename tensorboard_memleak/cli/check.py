"""`memleak check`: the gate for CI, with an exit status for each answer."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tensorboard_memleak.cli.selection import (
    add_format,
    add_selection,
    open_selected,
    select,
    unreadable,
)
from tensorboard_memleak.cli.status import COULD_NOT, FINE, LEAK, UNDECIDED

if TYPE_CHECKING:
    from tensorboard_memleak.report.types import ReportPayload

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

_DESCRIPTION = """\
Leave with a status that tells whether anything leaks, and print one line a memory.

exit status, the first that fits:
  1  something leaks
  2  it could not be told: bad usage, nothing there, or a file that cannot be read
  3  a memory is inconclusive, or a host has no memory events
  0  nothing leaks
"""


def add_to(verbs: Verbs) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "check",
        help="leave with status 1 if anything leaks: a gate for CI",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_selection(parser)
    add_format(parser)
    parser.set_defaults(run_verb=run)


def run(parsed: argparse.Namespace) -> int:
    """Print the verdicts and return the status."""
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.text import place_text, verdicts_text

    report = select(open_selected(parsed), parsed)
    if parsed.format == "json":
        output.print_json(report)
    else:
        text = verdicts_text(report, output.columns_of_stdout(), output.style_of_stdout())
        output.print_text(text)
    output.complain_about(report["warnings"])
    for session, host in unreadable(report):
        output.complain_about(host["warnings"], place_text(session, host))
    return status_of(report)


def status_of(report: ReportPayload) -> int:
    """Return the exit status that the verdicts of a report amount to.

    A leak is a leak, whatever else could not be read. Without one, what could not be read may
    hold one, and what could not be judged must not pass for clean.
    """
    hosts = [host for session in report["sessions"] for host in session["hosts"]]
    verdicts = {memory["verdict"] for host in hosts for memory in host["memories"]}
    if "leak" in verdicts:
        return LEAK
    if unreadable(report):
        return COULD_NOT
    return UNDECIDED if verdicts - {"no_leak"} else FINE
