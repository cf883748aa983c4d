"""The address space at one moment, on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from tensorboard_memleak.analysis.address_picture import (
    MIXED,
    AddressPicture,
    address_picture,
)
from tensorboard_memleak.analysis.addresses import Use
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.blockmap import (
    address_regions,
    born_steps,
    region_names,
    region_places,
)
from tensorboard_memleak.service.blocks import age_steps, end_names
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.moments import moment_of
from tensorboard_memleak.service.wire import JSON, Payload

PIXELS: Final = 9600
"""Eight rows of 1200."""

_USES: Final = {Use.UNKNOWN: "unknown", Use.FREE: "free", Use.IN_USE: "in_use", MIXED: "mixed"}


def addresses(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    at_ns: int | None = None,
    pixels: int = PIXELS,
) -> Payload:
    """Return the address space just after a moment, from end to end: at the peak unless told."""
    analysed = finder.host(session, host)
    trace, analysis = analysed.trace, analysed.memory(memory)
    at_ps = moment_of(analysis, trace, at_ns)
    found = address_picture(analysis, at_ps, pixels)
    return {
        "at_ns": wire.moment_ns(at_ps, trace),
        "length_bytes": found.length_bytes,
        "used_bytes": int(found.used_bytes.sum()),
        "blocks": int(found.count.sum()),
        "pieces": found.pieces,
        "merged": len(found) < found.pieces,
        "cell_bytes": found.cell_bytes,
        "regions": address_regions(found.regions),
        "region_names": region_names(analysis, trace),
        "columns": _columns(analysis, trace, found),
    }


def _columns(analysis: MemoryAnalysis, trace: HostTrace, found: AddressPicture) -> JSON:
    held = found.oldest != UNKNOWN
    rows = found.oldest[held]

    def of_oldest(values: Iterable[JSON]) -> Sequence[JSON]:
        """Put the values of the oldest blocks into their places; `None` where there is no block."""
        each = iter(values)
        return [next(each) if one else None for one in held.tolist()]

    return {
        "offset": found.offset.tolist(),
        "size_bytes": found.size_bytes.tolist(),
        "used_bytes": found.used_bytes.tolist(),
        "use": [_USES[use] for use in found.use.tolist()],
        "site": found.site.tolist(),
        "region": region_places(analysis, trace, found.region),
        "born_step": of_oldest(born_steps(analysis, rows)),
        "age_steps": of_oldest(wire.known(age_steps(analysis, rows))),
        "end": [
            name if shared != UNKNOWN else None
            for name, shared in zip(
                of_oldest(end_names(analysis, rows)), found.end.tolist(), strict=True
            )
        ],
        "count": found.count.tolist(),
        "block": wire.known(found.block),
    }
