"""The simulated histories: the runs that are made, their tables, and the bars they are held to."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

from tests.accuracy import simulate_score as scoring
from tests.accuracy.simulate_score import WINDOWS, Outcome, Score
from tests.accuracy.tables import table

BAR = 0.99
RECALL_FROM_STEPS = 20
CONFIDENCES = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99)


@dataclass(frozen=True)
class Runs:
    """The outcomes by window length; `undecidable` holds what no window can tell from a leak."""

    by_steps: dict[int, list[Outcome]]
    undecidable: dict[int, list[Outcome]]

    @property
    def histories(self) -> int:
        """How many histories were diagnosed."""
        parts = (*self.by_steps.values(), *self.undecidable.values())
        return sum(len(part) for part in parts)

    @property
    def all(self) -> list[Outcome]:
        """Every outcome of a decidable history."""
        return [one for part in self.by_steps.values() for one in part]


def run(histories: int) -> Runs:
    """Diagnose `histories` seeded histories a window length, and a tenth of that undecidable."""
    with ProcessPoolExecutor() as pool:
        told = pool.map(scoring.outcomes, WINDOWS, [histories] * len(WINDOWS))
        few = [histories // 10] * len(WINDOWS)
        untold = pool.map(scoring.outcomes, WINDOWS, few, [True] * len(WINDOWS))
        return Runs(dict(zip(WINDOWS, told, strict=True)), dict(zip(WINDOWS, untold, strict=True)))


def missed_bars(runs: Runs) -> list[str]:
    """Each bar that is missed, in words."""
    faults = []
    for steps, outcomes in runs.by_steps.items():
        score = scoring.score(outcomes)
        if score.precision is not None and score.precision < BAR:
            faults.append(f"{steps} steps: precision {score.precision:.4f} is under {BAR}")
        if steps >= RECALL_FROM_STEPS and (score.recall or 0.0) < BAR:
            faults.append(f"{steps} steps: recall {score.recall} is under {BAR}")
    return faults


def tables(runs: Runs) -> str:
    """The chapter's tables: by window length, by rate, by confidence."""
    return "\n\n".join(
        (
            "### By length of the window",
            _by_steps(runs),
            "### By leak rate relative to all that is allocated, from 20 steps on",
            _by_rate(runs),
            "### What a confidence means: of the growth findings said with it, how many were right",
            _reliability(runs),
        )
    )


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"


def _score_row(score: Score) -> tuple[object, ...]:
    return (score.right, score.wrong, score.missed, _figure(score.precision), _figure(score.recall))


def _by_steps(runs: Runs) -> str:
    rows = []
    for steps, outcomes in runs.by_steps.items():
        score = scoring.score(outcomes)
        undecided = score.verdicts.get("inconclusive", 0)
        never = scoring.score(runs.undecidable[steps]).verdicts.get("leak", 0)
        rows.append((steps, score.histories, *_score_row(score), undecided, never))
    head = ("steps", "histories", "right", "wrong", "missed", "precision", "recall")
    return table((*head, "inconclusive", "undecidable ones called a leak"), rows)


def _by_rate(runs: Runs) -> str:
    long = [
        one
        for steps, outcomes in runs.by_steps.items()
        if steps >= RECALL_FROM_STEPS
        for one in outcomes
    ]
    rows = [
        (f"{low:g} to {high:g}", score.histories, *_score_row(score))
        for (low, high), score in scoring.by_rate(long).items()
    ]
    head = ("leaked bytes / allocated bytes", "histories", "right", "wrong", "missed")
    return table((*head, "precision", "recall"), rows)


def _reliability(runs: Runs) -> str:
    edges = [*CONFIDENCES, 1.0]
    rows = [
        (f"{low:g} to {high:g}", said, right, _figure(right / said if said else None))
        for (low, said, right), high in zip(
            scoring.reliability(runs.all, CONFIDENCES), edges[1:], strict=True
        )
    ]
    return table(("confidence", "findings", "right", "share"), rows)
