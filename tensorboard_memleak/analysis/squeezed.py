"""The finding that fragmentation is, where it costs something."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.advice import advice_for
from tensorboard_memleak.analysis.fragmentation import Squeeze
from tensorboard_memleak.analysis.scene import Scene
from tensorboard_memleak.analysis.wording import bytes_text, count_text, percent_text, site_text
from tensorboard_memleak.model.findings import Evidence, Finding, Site

_NOBODY = Site(
    op="",
    shape="",
    dtype="",
    region="",
    thread="",
    stack=(),
    source="unknown",
    unknown_why="no block that was born in the window lies between the free pieces",
)
_ASSUMES = "By the allocator's own figures, taking its pool to have grown to its limit."


def squeeze_finding(scene: Scene, squeeze: Squeeze) -> Finding:
    """Return the finding; its blocks are those between free pieces at the tightest moment."""
    rows = squeeze.between
    index = _usual_site(scene, squeeze)
    site = (
        _NOBODY
        if index < 0
        else scene.narrowed(scene.sites.sites[index], rows[scene.sites.of_block[rows] == index])
    )
    bare = Finding(
        id="",
        kind="fragmentation",
        severity="medium" if squeeze.fails else "low",
        confidence=None,
        title=_title(squeeze),
        detail=f"{_held(squeeze, site)} {_ASSUMES}",
        advice=advice_for("fragmentation", scene.framework),
        site=site,
        blocks=0,
        bytes=0,
        requested_bytes=None,
        bytes_per_step=None,
        rate_low=None,
        rate_high=None,
        first_step=None,
        last_step=None,
        steps_with_survivors=None,
        evidence=Evidence(rows, rows, rows),
        site_indices=() if index < 0 else (index,),
        pattern="too small pieces" if squeeze.fails else "pieces get smaller",
    )
    return scene.counted(bare, rows)


def _usual_site(scene: Scene, squeeze: Squeeze) -> int:
    sites = scene.sites.of_block[squeeze.between]
    return int(np.argmax(np.bincount(sites))) if len(sites) else -1


def _title(squeeze: Squeeze) -> str:
    request = bytes_text(squeeze.request_bytes)
    if squeeze.fails:
        return (
            f"{request}, the largest request of the window, would not have fit at one moment: "
            f"{bytes_text(squeeze.free_bytes)} were free, in pieces of at most "
            f"{bytes_text(squeeze.largest_bytes)}"
        )
    return (
        f"The largest free piece shrinks by {bytes_text(squeeze.shrinks_bytes_per_step)} a step: "
        f"in {count_text(squeeze.steps_left or 0, 'step')} {request} no longer fit"
    )


def _held(squeeze: Squeeze, site: Site) -> str:
    share = f"Fragmentation was {percent_text(squeeze.fragmentation)} then."
    count = len(squeeze.between)
    if not count:
        return share
    lie = "lies" if count == 1 else "lie"
    return (
        f"{share} {count_text(count, 'block')} of this window {lie} between free pieces, most "
        f"often from {site_text(site)}."
    )
