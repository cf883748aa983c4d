"""The labelled real captures: our answer on each beside what XProf's guide gives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.accuracy import judge, xprof_guide


@dataclass(frozen=True)
class Case:
    """One capture with its truth, our answer to it, what is wrong with that, and the guide's."""

    name: str
    truth: Mapping[str, Any]
    answer: judge.Answer
    faults: list[str]
    guide: xprof_guide.GuideAnswer

    @property
    def leaks(self) -> bool:
        """A leak that the window lets anyone tell."""
        return list(self.truth["accept"]) == ["leak"]

    @property
    def clean(self) -> bool:
        """A program without a leak, in a window that lets anyone tell."""
        return list(self.truth["accept"]) == ["no_leak"]

    @property
    def guide_is_right(self) -> bool:
        """The guide's rule of the two counts gives what is true of the program."""
        return self.guide.says_leak == self.leaks

    @property
    def guide_names_it(self) -> bool:
        """The top row of XProf's breakdown table is an op that leaks."""
        return self.guide.names(tuple(self.truth.get("ops", ())))


def judge_all(sessions: Iterable[tuple[str, Path, Mapping[str, Any]]]) -> list[Case]:
    """Ask us and XProf about each capture."""
    return [
        Case(name, truth, answer, judge.faults(answer, truth), xprof_guide.ask(xplane))
        for name, xplane, truth in sessions
        for answer in [judge.ask(xplane)]
    ]


@dataclass(frozen=True)
class Score:
    """Counts over the captures where there is one right verdict, `leak` or `no_leak`."""

    leaks: int
    found: int
    named: int
    clean: int
    false_alarms: int

    @property
    def precision(self) -> float:
        """Of what is called a leak, how much is one."""
        called = self.found + self.false_alarms
        return self.found / called if called else 1.0

    @property
    def recall(self) -> float:
        """Of the leaks, how many are called one."""
        return self.found / self.leaks if self.leaks else 1.0


def our_score(cases: list[Case]) -> Score:
    """How we do."""
    found = [case for case in cases if case.leaks and case.answer.verdict == "leak"]
    return Score(
        leaks=sum(case.leaks for case in cases),
        found=len(found),
        named=sum(not judge.misnamed(case.answer, case.truth) for case in found),
        clean=sum(case.clean for case in cases),
        false_alarms=sum(case.clean and case.answer.verdict == "leak" for case in cases),
    )


def guide_score(cases: list[Case]) -> Score:
    """How XProf's guide does on the same captures."""
    leaks = [case for case in cases if case.leaks]
    return Score(
        leaks=len(leaks),
        found=sum(case.guide.says_leak for case in leaks),
        named=sum(case.guide_names_it for case in leaks),
        clean=sum(case.clean for case in cases),
        false_alarms=sum(case.clean and case.guide.says_leak for case in cases),
    )
