"""Everything that can go wrong with a person's input, as one tree.

    LeakFinderError
    ├── BadRequest          a parameter is missing or malformed
    ├── NotFound            no such session, host, memory, site or module
    ├── UnreadableFile      a file cannot be opened or does not hold what its name says
    │   └── UnsupportedFile the format is known, and known to be unsupported
    └── Fault               something in Leak Finder itself is wrong

`Stopped` stands beside it: nothing is wrong, so nothing may be made of it on its way to whoever
asked for the stop.

Each error carries what the page, the terminal and JSON show alike: a stable `code`, one sentence
that names the thing, and the next step to take.
"""

from __future__ import annotations


class LeakFinderError(Exception):
    """A problem that the person can understand and act on."""

    code = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BadRequest(LeakFinderError):
    """A parameter is missing or malformed."""

    code = "bad_request"


class NotFound(LeakFinderError):
    """What was asked for is not in the logdir."""

    code = "not_found"


class UnreadableFile(LeakFinderError):
    """A file cannot be opened or does not hold what its name says."""

    code = "unreadable_file"


class UnsupportedFile(UnreadableFile):
    """A file's format is recognised and cannot be read by this version."""

    code = "unsupported_file"


class Fault(LeakFinderError):
    """Something in Leak Finder itself is wrong, found while it read one file."""

    code = "internal"


class Stopped(Exception):
    """The reading of a host ended early because all who waited for it asked for that."""

    code = "stopped"
    hint = "Ask again to start it anew."

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.message = f"The reading of {host} was stopped."
