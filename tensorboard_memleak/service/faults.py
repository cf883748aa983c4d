"""A fault of ours while one file is read becomes an error about that file, and stays there."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from tensorboard_memleak.errors import Fault, LeakFinderError, Stopped

logger = logging.getLogger(__name__)


@contextmanager
def faults_about(name: str) -> Iterator[None]:
    """Turn what nobody foresaw into a `Fault` that names the file, its traceback into the log."""
    try:
        yield
    except (LeakFinderError, Stopped):
        raise
    except Exception as error:  # the other hosts and sessions must go on working
        logger.exception("Leak Finder failed on %s", name)
        raise Fault(
            f"Leak Finder failed on {name}: {type(error).__name__}.",
            "The log in the terminal has the details; please report them, with the file if you "
            "may share it.",
        ) from error
