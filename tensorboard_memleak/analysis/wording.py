"""Numbers and names in plain words.

One rule for the terminal, for reports and for the page, whose `lib/numbers.ts` says the same. Both
are held to one table of cases (`frontend/test/golden/words.json`); docs/page.md says it in words.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from tensorboard_memleak.model.counts import MINUS, THIN_SPACE, count_text, grouped
from tensorboard_memleak.model.findings import Site

__all__ = [
    "THIN_SPACE",
    "about",
    "bytes_text",
    "count_text",
    "duration_text",
    "exact_bytes",
    "grouped",
    "moment_text",
    "ordinal",
    "percent_text",
    "site_text",
]

_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_SHORT_NS: Final = ((10**9, "s"), (10**6, "ms"), (10**3, "µs"))
_MINUTE_NS: Final = 60 * 10**9
_LONG_NS: Final = (
    (24 * 60 * _MINUTE_NS, "d"),
    (60 * _MINUTE_NS, "h"),
    (_MINUTE_NS, "min"),
    (10**9, "s"),
)
_FEW: Final = 10
"""Of fewer than so many days, hours or minutes the next smaller unit is told too."""


def bytes_text(size_bytes: float) -> str:
    """Say an amount of bytes with three significant figures: 128 KiB, 1.5 GiB."""
    size, unit = abs(float(size_bytes)), 0
    while size >= 1023.5 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    digits = 0 if unit == 0 else _digits(size)
    sign = MINUS if size_bytes < 0 else ""
    return f"{sign}{_without_zeros(grouped(size, digits))} {_UNITS[unit]}"


def exact_bytes(size_bytes: float) -> str:
    """Say bytes to the byte: 65 536 B."""
    return f"{grouped(size_bytes)} B"


def moment_text(time_ns: float) -> str:
    """Say a moment of the window: three significant figures, in seconds at most: 12.3 ms."""
    for size, unit in _SHORT_NS:
        amount = time_ns / size
        if amount >= 0.9995:
            return f"{_without_zeros(grouped(amount, _digits(amount)))} {unit}"
    return f"{grouped(time_ns)} ns" if time_ns else "0"


def duration_text(duration_ns: float) -> str:
    """Say how long something takes: 12.3 ms; from a minute on 1 min 30 s, 13 min, 9 h 20 min."""
    return _long_text(duration_ns) if duration_ns >= 59.95e9 else moment_text(duration_ns)


def _long_text(duration_ns: float) -> str:
    """Say it in the largest unit, with the next smaller where there are few of it.

    It is rounded to the smallest unit that is told, which may carry into the largest.
    """
    for (size, unit), (small_size, small_unit) in pairwise(_LONG_NS):
        parts = int(duration_ns / small_size + 0.5)
        each = size // small_size
        if parts < each:
            continue
        if parts < _FEW * each:
            whole, rest = divmod(parts, each)
            return f"{whole} {unit}" + (f" {rest} {small_unit}" if rest else "")
        return f"{grouped(duration_ns / size)} {unit}"
    return f"{grouped(duration_ns / 10**9)} s"


def _digits(amount: float) -> int:
    """Return the places after the point that make three significant figures."""
    return 0 if amount >= 99.95 else 1 if amount >= 9.995 else 2


def _without_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent_text(share: float) -> str:
    """Say a share as a whole percentage, never rounded up to certainty nor down to nothing."""
    if 0.99 < share < 1:
        return "> 99 %"
    if 0 < share < 0.01:
        return "< 1 %"
    return f"{int(share * 100 + 0.5)} %"


def about(count: float) -> int:
    """Return a count for a sentence with "about": three leading figures."""
    scale = 1
    while count / scale >= 999.5:
        scale *= 10
    return int(count / scale + 0.5) * scale


def ordinal(number: float) -> str:
    """Say which one: 1st, 2nd, 3rd, 4th, 11th; what is not whole is rounded."""
    whole = round(number)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole}{'th' if whole % 100 in (11, 12, 13) else ending}"


def site_text(site: Site) -> str:
    """Name a site in one line: op, shape and type as far as they are known."""
    name = site.op or "an unknown origin"
    return " ".join(part for part in (name, site.shape, site.dtype) if part)
