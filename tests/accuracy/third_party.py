"""Captures of others, read from outside the repository, and what is known to be true of each.

Their source, licence and truth are told in the README beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests import shared_data

NO_LEAK = {"accept": ["no_leak"]}
#: A part of a step, or a handful of calls: growth can neither be said nor be ruled out.
CANNOT_JUDGE = {"accept": ["inconclusive"]}
NOT_A_LEAK = {"accept": ["no_leak", "inconclusive"]}

TRUTHS: dict[str, Mapping[str, Any]] = {
    "xprof_gpu_multi_worker": CANNOT_JUDGE,
    "xprof_tpu_inference": NO_LEAK,
    "tracelens_mi300/conv_legacy": NOT_A_LEAK,
    "tracelens_mi300/attention": NOT_A_LEAK,
    "tracelens_mi300/gemm": NO_LEAK,
    "reactant": {"accept": ["leak", "inconclusive"]},
}


def captures() -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """Each readable capture with its truth; nothing where the folder is absent."""
    for folder, truth in TRUTHS.items():
        for xplane in shared_data.captures(f"third_party/{folder}"):
            yield f"{folder}/{xplane.parent.name}", xplane, truth


def recorded() -> Iterator[tuple[str, Path, Mapping[str, Any]]]:
    """Captures of this project's kinds that are kept outside, with their `truth.json`."""
    if not (shared_data.ROOT / "captures" / "truth.json").is_file():
        return
    for name, truth in shared_data.truth().items():
        for xplane in shared_data.captures(f"captures/{name}"):
            yield name, xplane, truth
