"""A block's HLO buffer as a site, for blocks that carry no framework op of their own."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.join import BufferOrigin

_MOST_NAMED: Final = 3


def origin_site(origin: BufferOrigin, thread: str, stack: tuple[str, ...]) -> Site | None:
    """Return the site of a buffer, `None` where no candidate tells one.

    Several candidates are all named, a few at most. The source stack of the HLO buffer, with the
    exact lines, stands for the runtime's where there is one for all candidates.
    """
    sites = [candidate.site for candidate in origin.candidates]
    if not sites:
        return None
    ops = list(dict.fromkeys(site.op for site in sites))
    more = len(ops) > _MOST_NAMED or origin.candidate_count > len(sites)
    return Site(
        op=" or ".join(ops[:_MOST_NAMED]) + (" or others" if more else ""),
        shape=_shared([site.shape for site in sites]),
        dtype=_shared([site.dtype for site in sites]),
        region=_shared([site.region for site in sites]),
        thread=thread,
        stack=sites[0].stack
        if len({site.stack for site in sites}) == 1 and sites[0].stack
        else stack,
        source="hlo",
        unknown_why=_why(origin, len(ops)),
    )


def _shared(texts: list[str]) -> str:
    return texts[0] if len(set(texts)) == 1 else ""


def _why(origin: BufferOrigin, names: int) -> str:
    if names > 1:
        return f"{origin.candidate_count} buffers of {origin.module} have this size"
    if origin.basis == "function":
        return f"told by the size and by {origin.module} on the stack, not by a run of it"
    return ""
