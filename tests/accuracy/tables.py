"""Tables in Markdown, as `docs/accuracy.md` shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.accuracy import judge
from tests.accuracy.real import Case, Score, guide_score, our_score


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """One Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|")


def yes(value: bool) -> str:
    """A tick or a cross that also reads aloud."""
    return "yes" if value else "**no**"


def score_table(cases: list[Case]) -> str:
    """Our figures beside the guide's."""
    ours, guide = our_score(cases), guide_score(cases)
    rows = [("Leak Finder", *_figures(ours)), ("XProf's guide", *_figures(guide))]
    head = ("", "precision", "recall", "leaks found", "site named first", "false alarms")
    return table(head, rows)


def _figures(score: Score) -> tuple[str, ...]:
    return (
        f"{score.precision:.3f}",
        f"{score.recall:.3f}",
        f"{score.found} of {score.leaks}",
        f"{score.named} of {score.leaks}",
        f"{score.false_alarms} of {score.clean}",
    )


def case_table(cases: list[Case]) -> str:
    """One row a capture."""
    head = (
        "capture",
        "right",
        "Leak Finder says",
        "first site",
        "right?",
        "XProf's two counts",
        "its rule is right?",
        "its top row names the leak?",
    )
    return table(head, [_case_row(case) for case in cases])


def _case_row(case: Case) -> tuple[object, ...]:
    answer, scored = case.answer, case.leaks or case.clean
    sure = f" ({answer.confidence:.2f})" if answer.confidence is not None else ""
    finding = answer.findings[0] if answer.findings else None
    return (
        case.name,
        " or ".join(case.truth["accept"]),
        f"{answer.verdict}{sure}",
        f"`{judge.site_text(finding)[:40]}` ({finding.kind})" if finding else "",
        yes(not case.faults),
        f"{case.guide.allocations} / {case.guide.deallocations}",
        yes(case.guide_is_right) if scored else "",
        yes(case.guide_names_it) if case.leaks else "",
    )
