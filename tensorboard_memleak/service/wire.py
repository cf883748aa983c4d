"""How the model's numbers are written in JSON: integers, `null` for unknown, hexadecimal addresses.

Times on the wire are whole nanoseconds since the start of the capture's window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.trace import (
    UNKNOWN,
    Float64,
    HostTrace,
    Int32,
    Int64,
    Notice,
    UInt64,
)
from tensorboard_memleak.report.findings import site_payload
from tensorboard_memleak.report.notices import warning_payloads

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"
Payload: TypeAlias = dict[str, "JSON"]

_PS_PER_NS = 1000


def known(column: Int64 | Int32) -> list[int | None]:
    """Write a column of integers, `null` where the profile does not tell."""
    return [None if value == UNKNOWN else value for value in column.tolist()]


def known_floats(column: Float64, digits: int = 6) -> list[float | None]:
    """Write a column of fractions, `null` where the profile does not tell."""
    return [round(value, digits) if value == value else None for value in column.tolist()]


def addresses(column: UInt64) -> list[str]:
    """Write addresses as hexadecimal text: JavaScript cannot hold them as numbers."""
    return [f"{value:#x}" for value in column.tolist()]


def since_start_ns(time_ps: Int64, trace: HostTrace) -> list[int]:
    """Write a column of times."""
    ns: list[int] = ((time_ps - trace.start_ps) // _PS_PER_NS).tolist()
    return ns


def moment_ns(time_ps: int, trace: HostTrace) -> int:
    """Write one time."""
    return (time_ps - trace.start_ps) // _PS_PER_NS


def moment_ps(since_start_ns: int, trace: HostTrace) -> int:
    """Read one time."""
    return since_start_ns * _PS_PER_NS + trace.start_ps


def texts(column: Int32, trace: HostTrace) -> list[str]:
    """Write a column of interned text."""
    return [trace.strings[index] for index in column.tolist()]


def thread_names(column: Int32, trace: HostTrace) -> list[str]:
    """Write a column of threads by name, by number where a thread has no name."""
    return [
        trace.threads[index].name or str(trace.threads[index].thread_id)
        for index in column.tolist()
    ]


def site(value: Site) -> Payload:
    """Write where blocks come from, as the report does."""
    return cast(Payload, site_payload(value))  # types cannot tell that a TypedDict is JSON


def notices(values: Iterable[Notice]) -> list[JSON]:
    """Write what the person must know about the input, as the report does."""
    return cast("list[JSON]", warning_payloads(values))
