"""`make accuracy`: judge everything, write docs/accuracy.md, and fail under the bar."""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")  # XProf's own log, before it is imported

from tests.accuracy import simulated, third_party
from tests.accuracy.real import Case, judge_all
from tests.accuracy.tables import case_table, score_table
from tests.captures import truth, unpack

PAGE = Path(__file__).parents[2] / "docs" / "accuracy.md"

INTRODUCTION = """\
# Accuracy

This page is written by `make accuracy`, which fails where a bar is missed. Every figure comes from
captures with a known truth: the truth is derived from the program that was recorded, never from
what Leak Finder says.

**Precision** is the part of what is called a leak that is one; **recall** is the part of the leaks
that is called one. Both count captures with one right verdict. Where a window cannot be judged (one
step, two steps, a cache that is not full yet) the right answer is *inconclusive*, and saying so is
checked but not scored.

Beside our answer stands what XProf's own guide to memory leaks gives on the same file, by the
installed `xprof`: whether the Memory Profile page counts more allocations than deallocations, which
the guide reads as a leak, and whether the first row of its breakdown table is the op that leaks.
"""

BUNDLED = """\
Recorded by the scripts in `tests/captures/record` on a CPU, each leak beside the same program with
the fix: {pairs} programs, {captures} captures. `make record` records them again.
"""

REPLAYS = "Public bug reports, replayed and recorded; kept outside this repository.\n"
OTHERS = "Profiles that other projects published; kept outside this repository.\n"
SIMULATED = """\
{histories} allocator histories from seeded generators (`tests/accuracy/simulate.py`): uneven steps,
several threads, address reuse, lags, periods, caches, bursts, noise, dropped events, windows cut
anywhere. A *statement* is a site that a growth finding names with the confidence from which the
verdict says "leak"; precision and recall count statements. A window of five steps is meant to end
in *inconclusive*. "Undecidable" histories hold a cache that is larger than the window.
"""
HISTORIES = 3000

ABSENT = "They were not there when this page was written: **skipped**.\n"


def section(title: str, text: str, cases: list[Case]) -> str:
    """One chapter of the page."""
    body = f"{score_table(cases)}\n\n{case_table(cases)}\n" if cases else ABSENT
    return f"## {title}\n\n{text}\n{body}"


def main() -> None:
    """Judge, write, and leave with 1 if anything is wrong."""
    truths = truth()
    bundled = judge_all((name, unpack(name) / "host0.xplane.pb", truths[name]) for name in truths)
    recorded = judge_all(third_party.recorded())
    others = judge_all(third_party.captures())
    histories = simulated.run(HISTORIES)
    sizes = {"pairs": len(bundled) // 2, "captures": len(bundled)}
    chapters = (
        section("Real captures", BUNDLED.format(**sizes), bundled),
        f"## Simulated histories\n\n{SIMULATED.format(histories=histories.histories)}\n"
        f"{simulated.tables(histories)}\n",
        section("Replayed bug reports", REPLAYS, recorded),
        section("Captures of others", OTHERS, others),
    )
    PAGE.write_text("\n".join((INTRODUCTION, *chapters)), "utf-8")
    print(f"{score_table(bundled)}\n\nwritten: {PAGE}")
    wrong = [case for case in (*bundled, *recorded, *others) if case.faults]
    faults = [f"{case.name}: {'; '.join(case.faults)}" for case in wrong]
    faults += simulated.missed_bars(histories)
    print("\n".join(faults))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
