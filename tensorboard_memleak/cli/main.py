"""The command line: its verbs, and what becomes of errors.

Everything but argparse is imported by the verb that runs, so that help and bad usage are instant.
Exit statuses are those of the verb; 2 stands for "could not do it" everywhere, as in argparse.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from tensorboard_memleak import __version__
from tensorboard_memleak.cli import check, compare, modules, report
from tensorboard_memleak.cli.status import COULD_NOT, INTERRUPTED
from tensorboard_memleak.errors import LeakFinderError

_EPILOG = """\
examples:
  memleak report ~/logs                         every session below a logdir
  memleak report ~/logs --format json           the same for programs
  memleak report worker-0.xplane.pb             one file, wherever it lies
  memleak report ~/logs --format html -o leaks.html
  memleak compare ~/logs/before ~/logs/after    did the fix work?
  memleak modules module_0016.jit_step.hlo.pb   what a compiled program needs
  memleak check ~/logs --session 2026_01_01_00_00_00 || echo "do not merge"
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `memleak` and return its exit status."""
    if sys.stdout is None:  # closed by the caller, who wants nothing but the status
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - until we leave
    parsed = _parser().parse_args(arguments)
    try:
        status: int = parsed.run_verb(parsed)
    except LeakFinderError as error:
        from tensorboard_memleak.cli.output import complain

        complain(error.message, error.hint)
        return COULD_NOT
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # Python would leave with 1, which the gate uses for "a leak"
        traceback.print_exc()
        print(f"memleak: this is a fault in memleak {__version__}.", file=sys.stderr)
        return COULD_NOT
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="memleak",
        description="Find what leaks device memory in profiles made for TensorBoard and XProf.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"memleak {__version__}")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (report, check, compare, modules):
        verb.add_to(verbs)
    return parser
