"""What the person must know about the input, as the report writes it."""

from __future__ import annotations

from collections.abc import Iterable

from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.report.types import WarningPayload


def warning_payloads(notices: Iterable[Notice]) -> list[WarningPayload]:
    """Write notices in their order; several of the same are one."""
    return [
        {"code": one.code, "message": one.message, "hint": one.hint}
        for one in dict.fromkeys(notices)
    ]
