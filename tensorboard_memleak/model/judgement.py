"""What the evidence of one group of blocks amounts to, before it is put into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tensorboard_memleak.model.findings import FindingKind
from tensorboard_memleak.model.trace import Int64


class Pattern(Enum):
    """How blocks come to stay."""

    EVERY_STEP = "every step"
    EVERY_KTH = "every k-th step"
    IRREGULAR = "now and then"
    BY_SIZE = "by size"
    ONCE = "once"
    LEVELS_OFF = "levels off"
    REPLACED = "replaced"
    LATE = "freed late"
    YOUNG = "in flight"


@dataclass(frozen=True, slots=True)
class Judgement:
    """One group judged. Rates are allocated bytes a step; steps are positions in `Steps`.

    `period` is the number of steps between occasions (growth) or until release (delayed free).
    `occasions` are the steps that count as evidence, `eligible` how many could have.
    `survivors` are the blocks it speaks of.
    """

    group: int
    kind: FindingKind
    pattern: Pattern
    confidence: float | None
    survivors: Int64
    first_step: int | None
    last_step: int | None
    period: float
    occasions: int
    eligible: int
    rate: int | None = None
    rate_low: int | None = None
    rate_high: int | None = None
