"""Temporaries that live long: what they hold at the peak, and how much lower it would be without.

Two kinds are told apart. Activations are made in the forward pass and wait for the backward pass;
op names give both away. Other temporaries simply live through most of the program.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.program.autodiff import is_backward, is_forward
from tensorboard_memleak.analysis.program.functions import function_name
from tensorboard_memleak.analysis.program.live import live_temporaries
from tensorboard_memleak.analysis.program.sites import buffer_site, named_buffers
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.findings import Finding, Severity
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import HeapEventKind, Program
from tensorboard_memleak.model.trace import NO_STRING, Bool

_LEAST_SHARE: Final = 0.05
"""A group is told from this share of the peak on."""
_LEAST_POINTS: Final = 16
"""In a program of fewer points, to live through most of them means nothing."""
LONG_LIFE: Final = 0.5
"""A temporary is long-lived if it lives through this share of the points."""
_MOST_PARTS: Final = 10

_REMATERIALISE: Final = (
    "They are made in the forward pass and wait for the backward pass. Compute them again instead "
    "of keeping them (jax.checkpoint with a policy, tf.recompute_grad, "
    "torch.utils.checkpoint), split the batch into microbatches, or keep them in a narrower type."
)
_SHORTEN: Final = (
    "See whether what uses them last can come earlier, whether what makes them can come later, or "
    "whether they can be computed again where they are used."
)


def long_buffer_findings(program: Program, lives: Lifetimes) -> list[Finding]:
    """Return what long-lived temporaries cost, the largest saving first."""
    if len(lives) < _LEAST_POINTS or lives.peak_point == NO_POINT:
        return []
    at_peak = live_temporaries(program, lives, lives.peak_point)
    kept = _activations(program, lives)
    age = (lives.freed - lives.born) / len(lives)
    groups = (
        (at_peak & kept, "activations kept for the backward pass", _REMATERIALISE, 0.9),
        (at_peak & ~kept & (age >= LONG_LIFE), "temporaries that live long", _SHORTEN, 0.7),
    )
    findings = [
        finding
        for chosen, what, advice, confidence in groups
        if (finding := _group(program, lives, chosen, what, advice, confidence)) is not None
    ]
    return sorted(findings, key=lambda finding: -finding.bytes)


def peak_without(program: Program, lives: Lifetimes, chosen: Bool) -> int:
    """Return the peak of the program if the chosen buffers took no memory."""
    change = np.zeros(len(lives) + 1, np.int64)
    size = program.buffers.size_bytes
    rows = np.flatnonzero(chosen)
    np.add.at(change, lives.born[rows], size[rows])
    np.subtract.at(change, lives.freed[rows], size[rows])
    return int((lives.heap_bytes - np.cumsum(change)[:-1]).max(initial=0))


def _activations(program: Program, lives: Lifetimes) -> Bool:
    """Return the buffers made by the forward pass that wait for the backward pass.

    The two passes overlap where the compiler moved operations; they part at the point that has
    most forward allocations before it and most backward ones behind it.
    """
    rows = program.instructions
    backward = np.array([is_backward(text) for text in program.strings])
    forward = np.array([is_forward(text) for text in program.strings])
    op_at = np.append(rows.op_name, NO_STRING)[lives.instruction]
    counts = np.where(lives.kind == HeapEventKind.FREE, 0, 1)
    lead = np.cumsum(counts * forward[op_at]) - np.cumsum(counts * backward[op_at])
    if not (counts * backward[op_at]).any():
        return np.zeros(len(lives.born), np.bool_)
    parting = int(np.argmax(lead))
    made_by = np.append(rows.op_name, NO_STRING)[program.buffers.instruction]
    # A stack of activations begins as zeros and is filled by those that share its memory.
    holds_forward = np.zeros(len(lives.born), np.bool_)
    holds_forward[lives.holder[forward[made_by] & (lives.born != NO_POINT)]] = True
    kept: Bool = holds_forward & (lives.born <= parting) & (lives.freed > parting)
    return kept


def _group(
    program: Program, lives: Lifetimes, chosen: Bool, what: str, advice: str, confidence: float
) -> Finding | None:
    rows = np.flatnonzero(chosen)
    held = int(program.buffers.size_bytes[rows].sum())
    if not len(rows) or held < _LEAST_SHARE * lives.peak_bytes:
        return None
    saved = lives.peak_bytes - peak_without(program, lives, chosen)
    life = (lives.freed[rows] - lives.born[rows]).astype(np.int64)
    ranked = rows[np.argsort(-program.buffers.size_bytes[rows] * life, kind="stable")]
    names = named_buffers(program, lives)
    parts = tuple(
        _part(program, lives, int(row), int(names[row]), advice) for row in ranked[:_MOST_PARTS]
    )
    more = len(rows) - len(parts)
    return static_finding(
        kind="program_long_buffer",
        severity=_severity(saved, lives.peak_bytes),
        confidence=confidence,
        title=f"{function_name(program)}: {bytes_text(held)} of {what} at the peak",
        detail=(
            f"{count_text(len(rows), 'buffer')} of {bytes_text(held)}; without them the peak would "
            f"be {bytes_text(saved)} lower than {bytes_text(lives.peak_bytes)}."
            + (f" The {len(parts)} that cost most are listed." if more else "")
        ),
        advice=advice,
        site=parts[0].site,
        blocks=len(rows),
        size_bytes=held,
        parts=parts,
    )


def _part(program: Program, lives: Lifetimes, row: int, named: int, advice: str) -> Finding:
    size = int(program.buffers.size_bytes[row])
    alone = np.zeros(len(lives.born), np.bool_)
    alone[row] = True
    saved = lives.peak_bytes - peak_without(program, lives, alone)
    site = buffer_site(program, named)
    return static_finding(
        kind="program_long_buffer",
        severity=_severity(saved, lives.peak_bytes),
        confidence=None,
        title=f"{site_text(site)}: {bytes_text(size)}",
        detail=(
            f"Lives from point {lives.born[row]} to {lives.freed[row]} of {len(lives)}; without it "
            f"the peak would be {bytes_text(saved)} lower."
        ),
        advice=advice,
        site=site,
        blocks=1,
        size_bytes=size,
    )


def _severity(saved_bytes: int, peak_bytes: int) -> Severity:
    share = saved_bytes / max(peak_bytes, 1)
    return "medium" if share >= 0.2 else "low" if share >= 0.05 else "info"
