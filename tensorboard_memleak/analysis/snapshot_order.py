"""The order of snapshots in time, told from what people call them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.model.snapshot import Snapshot

_STAGES: Final = tuple(
    frozenset(words.split())
    for words in (
        "before start begin first baseline initial init pre warmup",
        "mid middle during half halfway between",
        "after end last final later post done",
    )
)
_WORD: Final = re.compile(r"[a-z]+")
_NUMBER: Final = re.compile(r"\d+")


def in_time_order(snapshots: Sequence[Snapshot]) -> tuple[tuple[Snapshot, ...], str]:
    """Return snapshots by time, and what told their order.

    Names that tell a stage (before, mid, after) or are numbered (step_9, step_10) go first: the
    time of a file is that of its last copy. Then the times, if they differ; else the alphabet.
    """
    stages = [_stage(snapshot.name) for snapshot in snapshots]
    numbers = [_numbers(snapshot.name) for snapshot in snapshots]
    if all(stage is not None for stage in stages) and len(set(stages)) > 1:
        keys = {
            id(s): (stage or 0, number)
            for s, stage, number in zip(snapshots, stages, numbers, strict=True)
        }
        return tuple(sorted(snapshots, key=lambda one: (keys[id(one)], one.name))), "names"
    if all(numbers) and len(set(numbers)) == len(numbers) and _one_series(snapshots):
        return tuple(sorted(snapshots, key=_key)), "numbers"
    times = [snapshot.modified_ns for snapshot in snapshots]
    if None not in times and len(set(times)) == len(times):
        return tuple(sorted(snapshots, key=lambda one: one.modified_ns or 0)), "time"
    return tuple(sorted(snapshots, key=lambda one: one.name)), "alphabet"


def _stage(name: str) -> int | None:
    words = set(_WORD.findall(name.lower()))
    found = [stage for stage, known in enumerate(_STAGES) if words & known]
    return found[0] if len(found) == 1 else None


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(int(digits) for digits in _NUMBER.findall(name))


def _key(snapshot: Snapshot) -> tuple[tuple[int, ...], str]:
    return _numbers(snapshot.name), snapshot.name


def _one_series(snapshots: Sequence[Snapshot]) -> bool:
    """Whether the names differ in nothing but their numbers."""
    return len({_NUMBER.sub("#", snapshot.name) for snapshot in snapshots}) == 1
