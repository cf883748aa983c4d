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

    The range is that of the rates of the growth findings; time is steps at their median pace.
    """
    left, rate = memory["totals"]["steps_to_oom"], memory["totals"]["growth_bytes_per_step"]
    if left is None or not rate:
        return ""
    text = f"The memory is full after about {count_text(about(left), 'more step')}"
    low, high = rate_range(memory["findings"])
    if low and high and low != high:
        soonest, latest = (grouped(about(left * rate // bound)) for bound in (high, low))
        text += f" ({soonest} to {latest})" if soonest != latest else ""
    if steps["median_ns"]:
        text += f", {duration_text(left * steps['median_ns'])} at this pace"
    return f"{text}."


def rate_range(findings: list[FindingPayload]) -> tuple[int | None, int | None]:
    """Return the sums of the bounds of the rates that grow, `None` where one is not known."""
    growing = [one for one in findings if one["kind"] == "growth" and one["severity"] == "high"]
    lows = [one["rate_low_bytes"] for one in growing]
    highs = [one["rate_high_bytes"] for one in growing]
    return _sum(lows), _sum(highs)


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known and len(known) == len(values) else None


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
