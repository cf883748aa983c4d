"""What the window itself leaves open lowers a confidence, and the finding says why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from tensorboard_memleak.analysis.balance import Losses
from tensorboard_memleak.analysis.confidence import CEILING, EXPLAINED
from tensorboard_memleak.analysis.histories import History
from tensorboard_memleak.analysis.replacements import Replacements
from tensorboard_memleak.model.blocks import Blocks
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Int64

LOST: Final = 0.5
"""Share of a group's survivors that lost releases must be able to explain to cast doubt."""

_SIDES: Final[tuple[Literal["left"], Literal["right"]]] = ("left", "right")
_WHY_STEPS: Final = {
    "modules": "the steps are the launches of a program",
    "pattern": "nothing marks the steps, they are inferred from what recurs",
    "slices": "nothing marks the steps, equal slices of time stand for them",
    "none": "nothing marks the steps",
}


@dataclass(frozen=True, slots=True)
class Doubts:
    """What is known of a window that may make growth a mere appearance."""

    blocks: Blocks
    step_source: str
    losses: Losses
    replacements: Replacements

    def applied(self, one: Judgement, history: History) -> Judgement:
        """Return a judgement with its confidence lowered to what the window allows."""
        ceiling, why = self._ceiling(one, history)
        if one.confidence is None or one.confidence <= ceiling:
            return one
        return replace(one, confidence=ceiling, doubt=one.doubt or why)

    def _ceiling(self, one: Judgement, history: History) -> tuple[float, str]:
        if one.pattern is not Pattern.BY_SIZE:
            kept_bytes = self.blocks.allocation_bytes[one.survivors]
            if self.replacements.offset(one.occasions, one.survivors, history.replaceable):
                return EXPLAINED, "as many such blocks from before the capture were freed meanwhile"
            if self._lost(kept_bytes) >= LOST * len(kept_bytes):
                return EXPLAINED, "the capture has lost the release of as many such blocks"
        return CEILING[self.step_source], _WHY_STEPS.get(self.step_source, "")

    def _lost(self, kept_bytes: Int64) -> int:
        """Return how many lost releases have the size of one of these blocks."""
        sizes = np.unique(kept_bytes)
        left, right = (np.searchsorted(self.losses.releases, sizes, side) for side in _SIDES)
        return int((right - left).sum())
