"""What a confidence means here: the rule of succession.

Take the steps in which a site could have kept something for good as trials of one unknown chance,
about which nothing is known beforehand (uniform prior). After `kept` occasions that were never
given back, and `given_back` that were, the posterior mean of that chance is

    (kept + 1) / (kept + given_back + 2)

and that is the confidence that the next occasion will be kept too: that the growth goes on. Six
occasions in a row give 0.875, twelve 0.93, fifty 0.98.

Assumptions and blind spots: steps are taken as exchangeable. They are not where blocks are
gathered and released together: if the release period is longer than the window, no release can be
seen and the confidence is too high. Ceilings keep it honest where the window itself says that it
cannot tell: steps that were inferred, a collector's older generation, lost events, blocks from
before the window that may be what the new ones replace.
"""

from __future__ import annotations

from typing import Final

SURE: Final = 0.87
"""Growth is called a leak from this confidence on: six steps in a row that keep and never free."""
SUSPICION: Final = 0.8
"""Confidence is at most this where the window cannot tell growth from something harmless."""
EXPLAINED: Final = 0.1
"""Confidence is at most this where the window shows something harmless that explains as much.

The harmless is far commoner: of such growth in simulated histories, 3 in 100 were leaks.
"""
QUIET: Final = 0.75
"""Something kept counts as kept once if at least two steps after it kept nothing more."""
CEILING: Final = {
    "markers": 1.0,
    "modules": 0.95,
    "pattern": SUSPICION,
    "slices": 0.6,
    "none": 0.5,
}
"""How sure growth can be, by where the steps come from: what recurs may be a loop inside a step."""


def succession(kept: int, given_back: int = 0) -> float:
    """Return the chance that the next occasion is kept too."""
    return (kept + 1) / (kept + given_back + 2)
