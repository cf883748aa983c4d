"""Loaded executables: a function that is compiled again and again shows in their number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.analysis.snapshot_growth import confidence_of_growth
from tensorboard_memleak.analysis.snapshot_places import place_text, site_of
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.snapshot import SampleKind, SnapshotSite

_LEAST_OF_TWO: Final = 5
"""Two snapshots show repeated compilation from so many new executables of one stack on."""
_LEAST_OF_ONE: Final = 10
_ADVICE: Final = (
    "The function is compiled anew for every new shape, type or static value. Pad inputs to a few "
    "fixed shapes, pass changing numbers as arrays rather than static arguments, and make jitted "
    "functions once, outside the loop."
)


def compiled_again(sites: Sequence[SnapshotSite]) -> list[Finding]:
    """Return the places that compile more executables in every interval between snapshots.

    Each stack is judged for itself, since a line may well compile several operations once; what
    is found is told by the line. In a single snapshot the mere number is told, for information.
    """
    found: dict[tuple[str, ...], list[SnapshotSite]] = defaultdict(list)
    for site in sites:
        if site.kind == SampleKind.EXECUTABLE and _is_repeated(site):
            found[site.own_stack].append(site)
    return [_finding(same_place) for same_place in found.values()]


def _is_repeated(site: SnapshotSite) -> bool:
    more = site.more_counts
    if len(more) > 1:
        return all(step > 0 for step in more)
    return more[0] >= _LEAST_OF_TWO if more else site.counts[-1] >= _LEAST_OF_ONE


def _code_text(sites: list[SnapshotSite]) -> str:
    """Say how large the code of the last snapshot is, where its runtime tells that."""
    code = sum(site.size_bytes[-1] for site in sites)
    return f"; generated code in the last snapshot: {bytes_text(code)}" if code else ""


def _finding(sites: list[SnapshotSite]) -> Finding:
    more = [sum(steps) for steps in zip(*(site.more_counts for site in sites), strict=True)]
    counts = [sum(numbers) for numbers in zip(*(site.counts for site in sites), strict=True)]
    code = sum(sum(site.more_bytes) if more else site.size_bytes[-1] for site in sites)
    number = sum(more) if more else counts[-1]
    noun = "more executable" if more else "executable"
    return static_finding(
        kind="recompilation",
        severity="medium" if len(more) > 1 else "low" if more else "info",
        confidence=confidence_of_growth(tuple(more)) if more else None,
        title=f"{place_text(sites[0].own_stack)} compiled {count_text(number, noun)}",
        detail=(
            f"Loaded executables that this line compiled, in time order: "
            f"{' → '.join(map(str, counts))}{_code_text(sites)}."
        ),
        advice=_ADVICE,
        site=site_of(sites[0]),
        blocks=number,
        size_bytes=code,
    )
