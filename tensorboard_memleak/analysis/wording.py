"""Numbers and names in plain words."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.model.findings import Site

_UNITS: Final = ("B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
_TYPES: Final = {"float": "float32", "double": "float64", "half": "float16"}
"""What TensorFlow calls a type, said as everybody else says it."""


def bytes_text(size_bytes: float) -> str:
    """Say an amount of bytes with three significant digits: 128 KiB, 1.5 GiB."""
    size, unit = abs(float(size_bytes)), 0
    while size >= 1023.5 and unit < len(_UNITS) - 1:
        size, unit = size / 1024, unit + 1
    digits = f"{size:.3g}" if size < 1000 else f"{size:.0f}"
    return f"{'-' if size_bytes < 0 else ''}{digits} {_UNITS[unit]}"


def count_text(count: int, noun: str, plural: str = "") -> str:
    """Say a count with its noun: 1 block, 12 blocks."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def ordinal(number: float) -> str:
    """Say which one: 1st, 2nd, 3rd, 4th, 11th; what is not whole is rounded."""
    whole = round(number)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(whole % 10, "th")
    return f"{whole}{'th' if whole % 100 in (11, 12, 13) else ending}"


def site_text(site: Site) -> str:
    """Name a site in one line: op, shape and type as far as they are known."""
    name = site.op or "an unknown origin"
    return " ".join(part for part in (name, site.shape, _TYPES.get(site.dtype, site.dtype)) if part)
