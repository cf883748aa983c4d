"""Precision, recall and reliability over simulated histories.

A *statement* is a site that a growth finding names with at least the confidence from which the
verdict says "leak". It is right if that site leaks. Precision is the share of statements that are
right, recall the share of leaking sites that are stated.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.findings import Finding
from tests.accuracy.simulate import Simulated, Truth, simulate
from tests.accuracy.simulate_dress import plain_name

WINDOWS = (5, 10, 20, 50, 200)
RATES = (0.0, 1e-4, 1e-3, 1e-2, 1e-1, 1.0)


@dataclass(frozen=True)
class Outcome:
    """One history's answer: what each named site was said with, and the verdict."""

    truth: Truth
    said: dict[str, float]
    verdict: str

    @property
    def stated(self) -> set[str]:
        """The sites called leaks."""
        return {op for op, confidence in self.said.items() if confidence >= SURE}


@dataclass
class Score:
    """Counts of right and wrong statements, and of leaks that were missed."""

    histories: int = 0
    right: int = 0
    wrong: int = 0
    missed: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)

    def add(self, outcome: Outcome) -> None:
        """Count one history."""
        leaking = set(outcome.truth.leaking)
        self.histories += 1
        self.right += len(outcome.stated & leaking)
        self.wrong += len(outcome.stated - leaking)
        self.missed += len(leaking - outcome.stated)
        self.verdicts[outcome.verdict] = self.verdicts.get(outcome.verdict, 0) + 1

    @property
    def precision(self) -> float | None:
        """Right statements among all, `None` if nothing was stated."""
        stated = self.right + self.wrong
        return self.right / stated if stated else None

    @property
    def recall(self) -> float | None:
        """Leaks stated among all leaks, `None` if nothing leaked."""
        leaks = self.right + self.missed
        return self.right / leaks if leaks else None


def run(simulated: Simulated) -> Outcome:
    """Diagnose one history."""
    diagnosis = diagnose(simulated.trace).memories[0].diagnosis
    said: dict[str, float] = {}
    for finding in _growth(diagnosis.findings):
        op = plain_name(finding.site.op)
        said[op] = max(said.get(op, 0.0), finding.confidence or 0.0)
    return Outcome(simulated.truth, said, diagnosis.verdict)


def _growth(findings: Iterable[Finding]) -> Iterator[Finding]:
    for one in findings:
        if one.kind == "growth":
            yield from one.parts or (one,)


def outcomes(steps: int, histories: int, undecidable: bool = False) -> list[Outcome]:
    """Run seeded histories of one window length; two of five have no leak at all."""
    leaks = (0, 0, 1, 1, 2)
    return [
        run(simulate(seed, steps, 0 if undecidable else leaks[seed % len(leaks)], undecidable))
        for seed in range(histories)
    ]


def score(results: Iterable[Outcome]) -> Score:
    """Sum up outcomes."""
    total = Score()
    for one in results:
        total.add(one)
    return total


def by_rate(results: Iterable[Outcome]) -> dict[tuple[float, float], Score]:
    """Sum up the outcomes of leaking histories by leak rate relative to churn."""
    table = {pair: Score() for pair in itertools.pairwise(RATES)}
    for one in results:
        for (low, high), row in table.items():
            if one.truth.leaking and low <= one.truth.rate_to_churn < high:
                row.add(one)
    return table


def reliability(results: Iterable[Outcome], edges: Iterable[float]) -> list[tuple[float, int, int]]:
    """Return, by lowest confidence of a bin, how many statements were made and were right."""
    bins = sorted(edges)
    rows = {edge: [0, 0] for edge in bins}
    for one in results:
        for op, confidence in one.said.items():
            edge = max((e for e in bins if e <= confidence), default=bins[0])
            rows[edge][0] += 1
            rows[edge][1] += op in one.truth.leaking
    return [(edge, said, right) for edge, (said, right) in rows.items()]
