"""Functions that are compiled again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.differences import Differences, differences
from tensorboard_memleak.analysis.program.functions import function_name, origin
from tensorboard_memleak.analysis.program.totals import kind_bytes
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.blocks import Steps
from tensorboard_memleak.model.findings import Finding, Severity, Site
from tensorboard_memleak.model.join import Usage
from tensorboard_memleak.model.program import AllocationKind, Program

_LEAST_VERSIONS: Final = 3
_LEAST_OF_FRAMEWORK: Final = 8
"""Operations of the framework are compiled once for each shape: many shapes are told, few are
what any model has."""
_MANY_VERSIONS: Final = 5
"""Fewer may well be train and eval, whole and last batch."""
_FEW_RUNS: Final = 2
"""A version that ran no more often than this in the window is thrown away after use."""

_SHAPES: Final = (
    "Every new shape is compiled anew and kept. Pad or bucket the inputs to a few fixed shapes, "
    "and drop the remainder of the last batch."
)
_CONSTANTS: Final = (
    "A Python value that changes is built in as a constant, and each value is compiled anew. Pass "
    "it as an array argument instead of a static or closed-over value."
)
_SAME: Final = (
    "The versions do not differ: the function object is new each time, so that the cache cannot "
    "find the old one. Make jax.jit(f) once, outside of the loop, not of a new lambda or partial."
)
_GROWS: Final = (
    "Each version is longer than the one before: the graph grows from step to step. Cut it each "
    "step (torch_xla.sync() or xm.mark_step(), detach what is carried over), and roll Python loops "
    "into lax.scan or fori_loop."
)


def recompilation(
    versions: Sequence[Program], usages: Sequence[Usage] | None = None, steps: Steps | None = None
) -> Finding | None:
    """Return the finding about the versions of one function, `None` if they are few.

    The versions stand in order of their ids, which is that of compilation. Blind spot: versions
    whose executables were dropped meanwhile are still in the profile.
    """
    framework = origin(versions[-1]) == "framework"
    if len(versions) < (_LEAST_OF_FRAMEWORK if framework else _LEAST_VERSIONS):
        return None
    what = differences(versions)
    new_in = _steps_with_new(usages, steps)
    runs = [usage.runs for usage in usages or () if usage.runs]
    thrown_away = bool(runs) and float(np.median(runs)) <= _FEW_RUNS
    sure = len(versions) >= _MANY_VERSIONS and (thrown_away or what.grows)
    function = function_name(versions[-1])
    return static_finding(
        kind="recompilation",
        severity="info" if framework else _severity(len(versions), sure, len(new_in)),
        confidence=0.9 if sure else 0.6,
        title=f"{function} was compiled {len(versions)} times",
        detail=_detail(versions, what, runs, new_in),
        advice=_advice(what),
        site=_site(versions[-1]),
        blocks=len(versions),
        size_bytes=sum(_held(version) for version in versions),
    )


def _held(version: Program) -> int:
    """Bytes a version holds as long as it is loaded: generated code and constants."""
    return (version.generated_code_bytes or 0) + kind_bytes(version, AllocationKind.CONSTANT)


def _steps_with_new(usages: Sequence[Usage] | None, steps: Steps | None) -> set[int]:
    """Return the steps in which a version ran for the first time."""
    if usages is None or steps is None or not len(steps):
        return set()
    first = np.array([one.first_run_ps for one in usages if one.first_run_ps is not None], np.int64)
    place = np.searchsorted(steps.start_ps, first, side="right") - 1
    inside = (place >= 0) & (first <= steps.end_ps[np.maximum(place, 0)])
    return set(place[inside].tolist())


def _severity(count: int, sure: bool, new_steps: int) -> Severity:
    if not sure:
        return "low"
    return "high" if max(count // 2, new_steps) >= _LEAST_OF_FRAMEWORK else "medium"


def _detail(
    versions: Sequence[Program], what: Differences, runs: Sequence[int], new_in: set[int]
) -> str:
    temporary = max(kind_bytes(version, AllocationKind.TEMPORARY) for version in versions)
    held = sum(_held(version) for version in versions)
    parts = [f"The versions differ in {what.words}." if what.words else "The versions are equal."]
    if what.argument_texts:
        parts.append("; ".join(what.argument_texts) + ".")
    if what.grows:
        first, last = what.instruction_counts[0], what.instruction_counts[-1]
        parts.append(f"Each has more instructions than the one before: {first} to {last}.")
    if runs:
        parts.append(f"The median version ran {count_text(int(np.median(runs)), 'time')}.")
    if new_in:
        parts.append(f"{count_text(len(new_in), 'step')} ran a version for the first time.")
    if held:
        parts.append(f"Together they hold {bytes_text(held)} of code and constants.")
    if temporary:
        parts.append(f"While one runs it takes up to {bytes_text(temporary)} of temporaries.")
    return " ".join(parts)


def _advice(what: Differences) -> str:
    if what.grows and not what.argument_shapes:
        return _GROWS
    if what.argument_shapes or what.argument_types or what.argument_count or what.results:
        return _SHAPES
    return _CONSTANTS if what.words else _SAME


def _site(version: Program) -> Site:
    name = version.name.partition("(")[0]
    return Site(name, "", "", "", "", (), "hlo")
