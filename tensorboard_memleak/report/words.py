"""The words and figures of the terminal page."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.analysis.wording import (
    about,
    bytes_text,
    count_text,
    duration_text,
    exact_bytes,
    grouped,
    percent_text,
)
from tensorboard_memleak.model.findings import FindingKind, VerdictName
from tensorboard_memleak.report.types import FindingPayload, MemoryPayload, StepsPayload

VERDICTS: Final[dict[VerdictName | None, str]] = {
    "leak": "LEAK",
    None: "UNREADABLE",
    "inconclusive": "CANNOT TELL",
    "no_events": "no memory events",
    "no_leak": "nothing leaks",
}
"""What the person must look at first stands first; `None` is a host that could not be read."""

KINDS: Final[dict[FindingKind, str]] = {
    "growth": "grows",
    "retained": "kept once",
    "bounded": "levels off",
    "delayed_free": "freed late",
    "in_flight": "in flight",
    "fragmentation": "fragmentation",
    "program_long_buffer": "lives long in its program",
    "missing_donation": "could be donated",
    "recompilation": "compiled again and again",
    "snapshot_growth": "grows between snapshots",
}
_COUNTED: Final[dict[FindingKind, str]] = {
    "program_long_buffer": "buffer",
    "missing_donation": "buffer",
    "recompilation": "version",
    "snapshot_growth": "array",
}
_STEP_SOURCES: Final = {
    "markers": "",
    "modules": ", taken from the launches of its main program",
    "pattern": ", inferred from what recurs: there are no step markers",
    "slices": ", which are equal slices of time: there are no step markers",
}


def both_bytes(size_bytes: int | None) -> str:
    """Say bytes for reading and to the byte: 64 KiB (65 536 B)."""
    if size_bytes is None:
        return "unknown"
    rounded = bytes_text(size_bytes)
    return rounded if abs(size_bytes) < 1024 else f"{rounded} ({exact_bytes(size_bytes)})"


def sure_text(confidence: float | None) -> str:
    """Say a confidence; it is never rounded up to certainty."""
    return "" if confidence is None else f"{percent_text(confidence)} sure"


def steps_text(steps: StepsPayload) -> str:
    """Say what steps there are and how long one takes."""
    if not steps["count"]:
        return "no steps"
    pace = f" of {duration_text(steps['median_ns'])}" if steps["median_ns"] else ""
    return f"{count_text(steps['count'], 'step')}{pace}{_STEP_SOURCES.get(steps['source'], '')}"


def forecast_text(memory: MemoryPayload, steps: StepsPayload) -> str:
    """Say when the memory is used up at the rate found; "" where nothing grows.

    Time is steps at their median pace. Bytes that are expected fill the memory like any others.
    """
    totals = memory["totals"]
    left = totals["steps_to_oom"]
    if left is None or not totals["growth_bytes_per_step"]:
        return ""
    text = f"The memory is full after about {count_text(about(left), 'more step')}"
    text += _range_text(totals["steps_to_oom_low"], totals["steps_to_oom_high"])
    if steps["median_ns"]:
        text += f", {duration_text(left * steps['median_ns'])} at this pace"
    expected = sum(one["bytes_per_step"] or 0 for one in memory["findings"] if one["expected"])
    if expected:
        text += f", counting the {bytes_text(expected)} a step that are expected"
    return f"{text}."


def _range_text(low: int | None, high: int | None) -> str:
    if low is None:
        return ""
    soonest = grouped(about(low))
    if high is None:
        return f" ({soonest} at the soonest)"
    latest = grouped(about(high))
    return f" ({soonest} to {latest})" if soonest != latest else ""


def kind_text(finding: FindingPayload) -> str:
    """Say what kind of finding it is, with the rhythm of what grows."""
    words = KINDS.get(finding["kind"], finding["kind"].replace("_", " "))
    if finding["kind"] == "growth":
        return f"{words} {finding['pattern']}".rstrip()
    return finding["pattern"] or words


def held_text(finding: FindingPayload) -> str:
    """Say how many of what a finding speaks of, and their bytes; what is nothing is left out."""
    count, size_bytes = finding["blocks"], finding["bytes"]
    counted = count_text(count, _COUNTED.get(finding["kind"], "block")) if count else ""
    return ", ".join(
        part for part in (counted, bytes_text(size_bytes) if size_bytes else "") if part
    )


def rate_text(finding: FindingPayload) -> str:
    """Say the rate of a finding with its bounds; "" where it has none."""
    rate = finding["bytes_per_step"]
    if rate is None:
        return ""
    text = f"{both_bytes(rate)} a step"
    low, high = finding["rate_low_bytes"], finding["rate_high_bytes"]
    if low is None or high is None or bytes_text(low) == bytes_text(high):
        return text
    return f"{text}, between {bytes_text(low)} and {bytes_text(high)}"


def span_text(finding: FindingPayload, steps: StepsPayload) -> str:
    """Say which steps made the blocks of a finding."""
    first, last = finding["first_step"], finding["last_step"]
    made = finding["steps_with_survivors"]
    if first is None or last is None:
        return ""
    if first == last:
        return f"born in step {first}"
    of_how_many = f", {made} of {steps['count']}" if made else ""
    return f"born in steps {first} to {last}{of_how_many}"
