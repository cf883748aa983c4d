"""The place of a stack in a device-memory profile, in words and as a site."""

from __future__ import annotations

from tensorboard_memleak.analysis.own_code import place_of
from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.snapshot import SnapshotSite


def place_text(stack: tuple[str, ...]) -> str:
    """Say where a stack (innermost first) stands: function, file and the line that ran."""
    if not stack:
        return "an unknown place"
    return place_of(stack[0]) or stack[0]


def site_of(site: SnapshotSite) -> Site:
    """Return the site of a finding: the line of the person's own code, with the whole stack."""
    known = bool(site.stack)
    return Site(
        op=place_text(site.own_stack),
        shape="",
        dtype="",
        region=site.kind.name.lower(),
        thread="",
        stack=site.stack,
        source="stack" if known else "unknown",
        unknown_why="" if known else "the profile has no stack for it",
    )
