"""Findings about survivors that do not grow: many sites, told in few words.

Kinds that ask for no action stand in one finding each, over all their sites; its parts are the
largest of them. The others stand alone unless they are many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from tensorboard_memleak.analysis.judging import Judgements
from tensorboard_memleak.analysis.scene import Scene
from tensorboard_memleak.analysis.settling import PATTERNS
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.findings import Finding, FindingKind
from tensorboard_memleak.model.judgement import Judgement, Pattern
from tensorboard_memleak.model.trace import Int64

MOST_PARTS: Final = 20
"""Sites that are listed one by one; the numbers of a finding are always over all of them."""
MOST_ALONE: Final = 8
KINDS: Final[dict[Pattern, FindingKind]] = {
    Pattern.RECENT: "retained",
    Pattern.LATE: "delayed_free",
    Pattern.LEVELS_OFF: "bounded",
    Pattern.REPLACED: "bounded",
    Pattern.ONCE: "retained",
    Pattern.YOUNG: "in_flight",
}
"""What does not grow, in the order in which it is worth reading."""
_SHARED: Final = (Pattern.RECENT, Pattern.ONCE, Pattern.YOUNG)
_TOGETHER: Final = {
    Pattern.RECENT: "were kept too recently to tell whether more will follow",
    Pattern.LATE: "are freed late",
    Pattern.LEVELS_OFF: "have levelled off",
    Pattern.REPLACED: "replaced as many from before the capture",
    Pattern.ONCE: "are kept",
    Pattern.YOUNG: "were still in use when the capture ended",
}


def resting_findings(scene: Scene, judgements: Judgements) -> Iterator[Finding]:
    """Yield the findings about sites that left survivors and do not grow."""
    sites = judgements.resting
    pattern = judgements.settled.pattern[sites]
    rows, begin = _survivors_by_site(scene)
    for wanted in KINDS:
        mine = sites[pattern == PATTERNS.index(wanted)]
        groups = [rows[begin[site] : begin[site + 1]] for site in mine.tolist()]
        held = np.array([int(scene.sizes(group).sum()) for group in groups], np.int64)
        order = np.argsort(-held, kind="stable").tolist()
        together = wanted in _SHARED or len(order) > MOST_ALONE
        listed = order[:MOST_PARTS] if together else order
        parts = [
            scene.finding(int(mine[i]), _judgement(judgements, int(mine[i]), wanted, groups[i]))
            for i in listed
        ]
        if together and len(order) > 1:
            quiet = judgements.settled.quiet[mine]
            yield _whole(scene, parts, np.sort(np.concatenate(groups)), mine, quiet, wanted)
        else:
            yield from parts


def _survivors_by_site(scene: Scene) -> tuple[Int64, Int64]:
    """Return the survivors in order of their site, and where each site begins."""
    of_block = scene.sites.of_block
    rows = np.flatnonzero((scene.blocks.end == BlockEnd.SURVIVED) & (of_block >= 0))
    rows = rows[np.argsort(of_block[rows], kind="stable")]
    begin = np.searchsorted(of_block[rows], np.arange(len(scene.sites.sites) + 1))
    return rows, begin


def _judgement(judgements: Judgements, site: int, pattern: Pattern, rows: Int64) -> Judgement:
    quiet = float(judgements.settled.quiet[site])
    return Judgement(
        group=site,
        kind=KINDS[pattern],
        pattern=pattern,
        confidence=None if np.isnan(quiet) else quiet,
        survivors=rows,
        occasions=np.zeros(0, np.int64),
        eligible=0,
        period=float(max(int(judgements.lag[site]) + 1, 1)),
    )


def _whole(
    scene: Scene,
    parts: list[Finding],
    rows: Int64,
    sites: Int64,
    quiet: np.ndarray[tuple[int], np.dtype[np.float64]],
    pattern: Pattern,
) -> Finding:
    known = quiet[~np.isnan(quiet)]
    whole = scene.counted(parts[0], rows)
    held = f"{count_text(whole.blocks, 'block')}, {bytes_text(whole.bytes)}"
    largest = "" if len(sites) <= len(parts) else f" The {len(parts)} largest are listed."
    return replace(
        whole,
        confidence=float(known.min()) if len(known) else None,
        title=f"{held} from {count_text(len(sites), 'site')} {_TOGETHER[pattern]}, most of it "
        f"{site_text(parts[0].site)}",
        detail=f"{held} over all {count_text(len(sites), 'site')}.{largest}",
        site_indices=tuple(sites.tolist()),
        parts=tuple(parts),
    )
