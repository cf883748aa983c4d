"""What the evidence of one group of blocks amounts to, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tensorboard_memleak.model.findings import FindingKind
from tensorboard_memleak.model.trace import Int64


class Pattern(Enum):
    """How blocks come to stay, or why they only seem to."""

    EVERY_STEP = "every step"
    EVERY_KTH = "every k-th step"
    IRREGULAR = "now and then"
    NET = "more than is freed"
    BY_SIZE = "by size"
    RECENT = "too recent to tell"
    ONCE = "once"
    LEVELS_OFF = "levels off"
    REPLACED = "replaced"
    LATE = "freed late"
    YOUNG = "in flight"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One group judged. Rates are allocated bytes a step; steps are positions in `Steps`.

    `survivors` are the blocks it speaks of. `occasions` are the steps that count as evidence,
    `eligible` how many could have. `period` is the usual number of steps between occasions, or
    until release (freed late). `since` is the step a growth began in, if it began in the window.
    `grounds` are the blocks that the rate is computed from. `doubt` says why a confidence was
    lowered.
    """

    group: int
    kind: FindingKind
    pattern: Pattern
    confidence: float | None
    survivors: Int64
    occasions: Int64
    eligible: int
    period: float = 1.0
    since: int | None = None
    rate: int | None = None
    rate_low: int | None = None
    rate_high: int | None = None
    grounds: Int64 | None = None
    doubt: str = ""
