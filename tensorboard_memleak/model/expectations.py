"""What a person expects to grow, and from which size on growth matters to them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ExpectedSite:
    """Sites that may grow: `site` and `memory` are shell patterns (`*`, `?`, `[...]`).

    `site` is held against the op and against each frame of the stack. Growth beyond
    `most_bytes_per_step` is a leak all the same (`None`: any growth is expected).
    """

    site: str
    reason: str = ""
    memory: str = "*"
    most_bytes_per_step: int | None = None


@dataclass(frozen=True, slots=True)
class Expectations:
    """All of it, and the file it came from ("": none). Growth below `least_*` is not a leak."""

    sites: tuple[ExpectedSite, ...] = ()
    least_bytes_per_step: int = 0
    source: str = ""

    @property
    def expects_anything(self) -> bool:
        """Whether anything is expected at all."""
        return bool(self.sites or self.least_bytes_per_step)


NO_EXPECTATIONS = Expectations()
