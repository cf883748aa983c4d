"""Exit statuses."""

from __future__ import annotations

from typing import Final

FINE: Final = 0
LEAK: Final = 1
COULD_NOT: Final = 2
UNDECIDED: Final = 3
INTERRUPTED: Final = 130
"""What shells give a process that Ctrl-C ended."""
