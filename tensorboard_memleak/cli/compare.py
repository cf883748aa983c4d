"""`memleak compare`: did the fix work? An exit status says whether it leaks more than before."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, cast

from tensorboard_memleak.cli.selection import add_confidential, add_format
from tensorboard_memleak.cli.status import COULD_NOT, FINE, LEAK, UNDECIDED

if TYPE_CHECKING:
    from tensorboard_memleak.report.types import WarningPayload
    from tensorboard_memleak.service.compare_sessions import Chosen
    from tensorboard_memleak.service.wire import Payload

    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

_DESCRIPTION = """\
Compare two sessions, memory by memory: what leaked before, what leaks after, and from where.

exit status, the first that fits:
  1  AFTER leaks more than BEFORE: faster, or where nothing leaked
  2  it could not be told: bad usage, nothing there, or a file that cannot be read
  3  it cannot be told: a verdict is open, a memory is in one of them only, or none has events
  0  AFTER leaks no more than BEFORE (`memleak check AFTER` tells whether it leaks at all)
"""


def add_to(verbs: Verbs) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "compare",
        help="tell whether a leak is gone: two sessions side by side",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = "a logdir, of which the newest session is taken, a session folder, or one file"
    parser.add_argument("before", metavar="BEFORE", help=what)
    parser.add_argument("after", metavar="AFTER", help="the same; it may be the same logdir")
    parser.add_argument("--before-session", metavar="SESSION", help="another session of BEFORE")
    parser.add_argument("--after-session", metavar="SESSION", help="another session of AFTER")
    parser.add_argument("--host", help="one host: what stands before .xplane.pb")
    parser.add_argument("--memory", help="one memory, such as GPU_0_bfc")
    parser.add_argument("--config", metavar="FILE", help="sites that are expected to grow")
    add_format(parser)
    add_confidential(parser)
    parser.set_defaults(run_verb=run)


def run(parsed: argparse.Namespace) -> int:
    """Print the comparison and return the status."""
    from tensorboard_memleak.cli import output
    from tensorboard_memleak.report.comparison_text import comparison_text
    from tensorboard_memleak.report.confidential import Disguise
    from tensorboard_memleak.service.compare_sessions import compare_sessions

    sides = (
        _chosen(parsed, parsed.before, parsed.before_session),
        _chosen(parsed, parsed.after, parsed.after_session),
    )
    told = compare_sessions(*sides)
    found = Disguise().payload(told) if parsed.confidential else told
    if parsed.format == "json":
        output.print_text(output.json_text(found))
    else:
        text = comparison_text(found, output.columns_of_stdout(), output.style_of_stdout())
        output.print_text(text)
    output.complain_about(cast("list[WarningPayload]", found["warnings"]))
    return status_of(found)


def _chosen(parsed: argparse.Namespace, path: str, session: str | None) -> Chosen:
    from tensorboard_memleak.cli.progress_line import progress_line
    from tensorboard_memleak.service.compare_sessions import Chosen, choose_session
    from tensorboard_memleak.service.opening import open_path

    finder = open_path(path, parsed.config, progress_line())
    return Chosen(path, finder, choose_session(finder, session), parsed.host, parsed.memory)


def status_of(found: Payload) -> int:
    """Return the exit status that a comparison amounts to."""
    memories = cast("list[dict[str, str]]", found["memories"])
    outcomes = {memory["outcome"] for memory in memories}
    if outcomes & {"faster", "new_leak"}:
        return LEAK
    if found["warnings"]:
        return COULD_NOT
    unmatched = found["only_before"] or found["only_after"]
    return UNDECIDED if unmatched or not outcomes or "unclear" in outcomes else FINE
