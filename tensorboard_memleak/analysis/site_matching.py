"""Which site of one capture is which site of another, where a fix may lie in between.

Sites are matched by ever looser marks, each pairing only what it names once on either side:
everything that identifies them; origin, shape and type; the origin alone (shapes change with batch
sizes); the origin without its numbers, since a fix moves lines and renumbers layers. What still has
the same loose name then stands together in one match.

Blind spot: an origin that was renamed is one site that went and another that came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tensorboard_memleak.model.findings import Site

MatchedBy = Literal["all", "name and shape", "name", "similar name", "nothing"]

_NUMBERS: Final = re.compile(r"_?\d+")
_Mark = Callable[[Site], Hashable]


@dataclass(frozen=True, slots=True)
class Match:
    """Indices of the sites that are one; a side is empty where nothing there is its like."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    by: MatchedBy


def match_sites(before: Sequence[Site], after: Sequence[Site]) -> list[Match]:
    """Return matches that hold every site once, in the order of the sites after, then before."""
    left, right = dict(enumerate(before)), dict(enumerate(after))
    found: list[Match] = []
    for by, mark in _MARKS:
        old, new = _by_mark(left, mark), _by_mark(right, mark)
        for key in old.keys() & new.keys():
            # The last mark is the loosest: what it cannot tell apart stands together.
            if by == _MARKS[-1][0] or len(old[key]) == len(new[key]) == 1:
                found.append(Match(tuple(old[key]), tuple(new[key]), by))
                for index in old[key]:
                    del left[index]
                for index in new[key]:
                    del right[index]
    found += [Match((), (index,), "nothing") for index in right]
    found += [Match((index,), (), "nothing") for index in left]
    return sorted(found, key=lambda one: (not one.after, one.after or one.before))


def _by_mark(sites: dict[int, Site], mark: _Mark) -> dict[Hashable, list[int]]:
    found: dict[Hashable, list[int]] = {}
    for index, site in sites.items():
        found.setdefault(mark(site), []).append(index)
    return found


def _all(site: Site) -> Hashable:
    return (site.source, site.op, site.shape, site.dtype, site.region, site.stack)


def _name_and_shape(site: Site) -> Hashable:
    return (site.source, site.op, site.shape, site.dtype)


def _name(site: Site) -> Hashable:
    return (site.source, site.op)


def _similar_name(site: Site) -> Hashable:
    return (site.source, _NUMBERS.sub("", site.op))


_MARKS: Final[tuple[tuple[MatchedBy, _Mark], ...]] = (
    ("all", _all),
    ("name and shape", _name_and_shape),
    ("name", _name),
    ("similar name", _similar_name),
)
