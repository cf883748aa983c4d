"""`memleak modules`: what each compiled program needs, and what of it could go."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tensorboard_memleak.cli.status import FINE

if TYPE_CHECKING:
    Verbs = argparse._SubParsersAction[argparse.ArgumentParser]

_DESCRIPTION = """\
List the compiled programs (HLO modules) with their peak, parameters, outputs and temporaries, how
often each was compiled and ran, and what was found: donations, long-lived buffers, recompilation.

exit status: 0 there are programs, 2 there are none or none can be read.
"""


def add_to(verbs: Verbs) -> None:
    """Add the verb to the command line."""
    parser = verbs.add_parser(
        "modules",
        help="list the compiled programs with their memory and what could be donated",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "path",
        metavar="PATH",
        help="a logdir, a session folder, or one file: *.xplane.pb, *.hlo_proto.pb, or a dump of "
        "XLA's, *.hlo.pb, also with .gz or .xz",
    )
    parser.add_argument("--session", help="one session: <run>/<session>")
    parser.add_argument("--host", help="one host: what stands before .xplane.pb")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.set_defaults(run_verb=run)


def run(parsed: argparse.Namespace) -> int:
    """Print the programs."""
    import json

    from tensorboard_memleak.cli import output
    from tensorboard_memleak.cli.progress_line import progress_line
    from tensorboard_memleak.errors import NotFound
    from tensorboard_memleak.report.modules_text import modules_text
    from tensorboard_memleak.report.payload import GENERATOR
    from tensorboard_memleak.service.opening import open_path
    from tensorboard_memleak.service.programs import module_lists

    finder = open_path(parsed.path, listener=progress_line())
    hosts = module_lists(finder, parsed.session, parsed.host)
    if parsed.format == "json":
        answer = {"generator": GENERATOR, "hosts": hosts}
        output.print_text(json.dumps(answer, indent=2, allow_nan=False) + "\n")
    else:
        text = modules_text(hosts, output.columns_of_stdout(), output.style_of_stdout())
        output.print_text(text)
    if not any(host["modules"] for host in hosts):
        raise NotFound(
            f"{parsed.path} holds no compiled programs.",
            "JAX, PyTorch/XLA and tf.function(jit_compile=True) write theirs into the profile.",
        )
    return FINE
