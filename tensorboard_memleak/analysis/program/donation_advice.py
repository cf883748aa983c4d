"""Findings about donation: what to give away, and what was given away in vain."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Final

from tensorboard_memleak.analysis.program.arguments import parameter_leaves
from tensorboard_memleak.analysis.program.donation import Donation, missing_donations
from tensorboard_memleak.analysis.program.functions import function_name, origin
from tensorboard_memleak.analysis.program.graph import Graph
from tensorboard_memleak.analysis.program.sites import instruction_site
from tensorboard_memleak.analysis.static_finding import static_finding
from tensorboard_memleak.analysis.wording import bytes_text, count_text
from tensorboard_memleak.model.findings import Finding, Severity
from tensorboard_memleak.model.program import Program

_LEAST_BYTES: Final = 4096
_LEAST_SHARE: Final = 0.01
"""Advice is given from this size and from this share of the program's peak on."""

_CONFIDENCE: Final = {"own": 0.95, "unknown": 0.6, "framework": 0.6}
_PLAIN_CONFIDENCE: Final = 0.6
"""Of one array in and one array out nobody can tell a state from an input."""
_POSITIONAL: Final = re.compile(r"args\[(\d+)\]$")
IN_VAIN: Final = "donated in vain"
_CAUTION: Final = (
    "Afterwards the caller must not use the old value again: rebind the name to what the function "
    "returns, and keep no other reference to it."
)


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument that could be donated, with the arrays of it that an output could take over."""

    name: str
    donations: tuple[Donation, ...]

    @property
    def size_bytes(self) -> int:
        """Bytes saved on each device: a module's shapes are those of one device."""
        return sum(donation.size_bytes for donation in self.donations)


def donatable_arguments(program: Program) -> tuple[Argument, ...]:
    """Group what could be donated by argument, the largest first."""
    groups: dict[str, list[Donation]] = defaultdict(list)
    for donation in missing_donations(program):
        groups[donation.leaf.argument or donation.leaf.label].append(donation)
    arguments = (Argument(name, tuple(found)) for name, found in groups.items())
    return tuple(sorted(arguments, key=lambda one: -one.size_bytes))


def donation_findings(program: Program, peak_bytes: int) -> list[Finding]:
    """Return what is worth donating, and what was donated although no output could take it.

    Functions that the framework compiles behind an operation (`jnp.add`) cannot be given
    donations by the person and are left out, unless an argument of several arrays comes back
    updated: no such operation has one.
    """
    whose = origin(program)
    arguments = [
        argument
        for argument in donatable_arguments(program)
        if argument.size_bytes >= max(_LEAST_BYTES, _LEAST_SHARE * peak_bytes)
        and (whose != "framework" or len(argument.donations) > 1)
    ]
    findings = [_in_vain(program)] if program.donors else []
    if arguments:
        confidence = _PLAIN_CONFIDENCE if _is_plain(program) else _CONFIDENCE[whose]
        findings.insert(0, _missing(program, arguments, peak_bytes, confidence))
    return findings


def _is_plain(program: Program) -> bool:
    return len(parameter_leaves(program)) == 1 and sum(1 for _ in Graph(program).outputs()) == 1


def _missing(
    program: Program, arguments: list[Argument], peak_bytes: int, confidence: float
) -> Finding:
    saved = sum(argument.size_bytes for argument in arguments)
    names = " and ".join(argument.name for argument in arguments)
    function = function_name(program)
    parts = tuple(_part(program, argument, peak_bytes, confidence) for argument in arguments)
    return static_finding(
        kind="missing_donation",
        severity=_severity(saved, peak_bytes, confidence),
        confidence=confidence,
        title=f"{function} could write its outputs over {names}: {bytes_text(saved)} a device",
        detail=(
            f"{function} returns the next value of {names} and keeps the old one beside it while "
            f"it runs. Donated, the two share {bytes_text(saved)} of the {bytes_text(peak_bytes)} "
            "that the program takes at its peak."
        ),
        advice=f"{_how(program, arguments)} {_CAUTION}",
        site=parts[0].site,
        blocks=sum(len(argument.donations) for argument in arguments),
        size_bytes=saved,
        parts=parts if len(parts) > 1 else (),
    )


def _part(program: Program, argument: Argument, peak_bytes: int, confidence: float) -> Finding:
    donations = argument.donations
    shape = donations[0].leaf.shape.text if len(donations) == 1 else ""
    site = instruction_site(program, donations[0].leaf.row, shape, "parameter")
    labels = [donation.leaf.label for donation in donations]
    shown = ", ".join(labels[:6]) + (f" and {len(labels) - 6} more" if len(labels) > 6 else "")
    return static_finding(
        kind="missing_donation",
        severity=_severity(argument.size_bytes, peak_bytes, confidence),
        confidence=confidence,
        title=f"{argument.name}: {count_text(len(donations), 'array')}, "
        f"{bytes_text(argument.size_bytes)}",
        detail=f"Arrays that an output could take over: {shown}.",
        advice=f"{_how(program, [argument])} {_CAUTION}",
        site=replace(site, op=argument.name, shape=shape, unknown_why=""),
        blocks=len(donations),
        size_bytes=argument.size_bytes,
    )


def _severity(saved_bytes: int, peak_bytes: int, confidence: float) -> Severity:
    share = saved_bytes / max(peak_bytes, 1)
    if confidence <= _PLAIN_CONFIDENCE:
        return "low"
    return "medium" if share >= 0.05 else "low"


def _how(program: Program, arguments: list[Argument]) -> str:
    """Return the line to write."""
    function = function_name(program)
    names = [argument.name for argument in arguments]
    if not program.name.startswith(("jit_", "pjit_")):
        return f"Donate {', '.join(names)} where {function} is compiled."
    comma = "," if len(names) == 1 else ""
    positions = [_POSITIONAL.match(name) for name in names]
    numbers = ", ".join(match[1] for match in positions if match)
    if all(positions):
        return f"Write jax.jit({function}, donate_argnums=({numbers}{comma}))."
    if not all(name.isidentifier() for name in names):
        return f"Donate {', '.join(names)} with donate_argnums of jax.jit({function}, ...)."
    quoted = ", ".join(f'"{name}"' for name in names)
    order = list(dict.fromkeys(leaf.argument for leaf in parameter_leaves(program)))
    by_position = ", ".join(map(str, sorted(order.index(name) for name in names)))
    return (
        f"Write jax.jit({function}, donate_argnames=({quoted}{comma})). By position that is "
        f"donate_argnums=({by_position}{comma})"
        ", unless an argument before them is static or unused."
    )


def _in_vain(program: Program) -> Finding:
    """Tell of arguments given away that no output took."""
    donors = set(program.donors)
    leaves = [leaf for leaf in parameter_leaves(program) if (leaf.number, leaf.index) in donors]
    labels = ", ".join(leaf.label for leaf in leaves[:6]) or "a parameter"
    size = sum(leaf.shape.unpadded_bytes or 0 for leaf in leaves)
    row = leaves[0].row if leaves else -1
    site = instruction_site(program, row, region="parameter")
    return static_finding(
        kind="missing_donation",
        severity="low",
        confidence=1.0,
        title=f"{function_name(program)} is given {labels} and has no output to put there",
        detail=(
            f"{count_text(len(donors), 'array')} of {bytes_text(size)} are donated, but no output "
            "has their shape, type, layout and memory space: nothing is saved, and the caller has "
            "lost them."
        ),
        advice=(
            "Take them off the donated arguments, or return their next value with the same shape, "
            "type and sharding."
        ),
        site=site,
        blocks=len(donors),
        size_bytes=size,
        pattern=IN_VAIN,
    )
