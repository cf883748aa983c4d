"""What a verb looks at: a path, and the options that narrow it."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tensorboard_memleak.report.types import HostPayload, ReportPayload, SessionPayload
    from tensorboard_memleak.service.finder import LeakFinder


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Add the path, the narrowing options and the file of expectations."""
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a logdir (local or gs://...), a session folder, or one file such as host.xplane.pb",
    )
    narrow = parser.add_argument_group("narrow it to")
    narrow.add_argument("--run", help="the sessions of one run, as TensorBoard names it")
    narrow.add_argument("--session", help="one session: its folder's name, or <run>/<session>")
    narrow.add_argument("--host", help="one host: what stands before .xplane.pb")
    narrow.add_argument("--memory", help="one memory, such as GPU_0_bfc")
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="sites that are expected to grow, and thresholds "
        "(default: .memleak.toml in the logdir's parent)",
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the output formats that every verb has."""
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="text for people (the default), json for programs",
    )


def add_confidential(parser: argparse.ArgumentParser) -> None:
    """Add the option to leave out all names."""
    parser.add_argument(
        "--confidential",
        action="store_true",
        help="replace names, paths and hosts by neutral ones such as op-1; keep numbers and shapes",
    )


def open_selected(parsed: argparse.Namespace) -> LeakFinder:
    """Return a finder on the path; raise `LeakFinderError` where there is nothing."""
    from tensorboard_memleak.cli.progress_line import progress_line
    from tensorboard_memleak.service.opening import open_path

    return open_path(parsed.path, parsed.config, progress_line())


def select(finder: LeakFinder, parsed: argparse.Namespace) -> ReportPayload:
    """Return the report on what was selected; raise `LeakFinderError` where there is nothing."""
    from tensorboard_memleak.service.report import report

    return report(
        finder,
        run=parsed.run,
        session=parsed.session,
        host=parsed.host,
        memory=parsed.memory,
    )


def unreadable(report: ReportPayload) -> list[tuple[SessionPayload, HostPayload]]:
    """Return the hosts whose trace could not be read, with their sessions."""
    return [
        (session, host)
        for session in report["sessions"]
        for host in session["hosts"]
        if host["verdict"] is None
    ]


def readable_count(report: ReportPayload) -> int:
    """Return how many hosts could be read."""
    return sum(len(one["hosts"]) for one in report["sessions"]) - len(unreadable(report))
