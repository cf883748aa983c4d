"""Blocks as a picture, address by time, and one block in full."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tensorboard_memleak.analysis.blockmap import BlockMap, block_map, regions_of_blocks
from tensorboard_memleak.analysis.compact_axis import Region
from tensorboard_memleak.analysis.steps import step_numbers
from tensorboard_memleak.errors import BadRequest, NotFound
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import UNKNOWN, HostTrace, Int64
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.blocks import age_steps, block_columns, end_names
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.timeline import drawn_range
from tensorboard_memleak.service.wire import JSON, Payload

_PS_PER_NS = 1000


def blockmap(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    start_ns: int | None = None,
    end_ns: int | None = None,
    low: int | None = None,
    high: int | None = None,
    width: int = 1200,
    height: int = 400,
) -> Payload:
    """Return the rectangles of a range of time and of the compact address axis.

    Ends that are not given are those of `drawn_range`, as in the timeline above the picture.
    """
    if high is not None and high < (low or 0):
        raise BadRequest("high lies below low.", "Swap the two.")
    analysed = finder.host(session, host)
    trace, analysis = analysed.trace, analysed.memory(memory)
    start_ps, end_ps = drawn_range(analysis, trace, start_ns, end_ns)
    found = block_map(analysis, start_ps, end_ps, low, high, width, height)
    return {
        "start_ns": wire.moment_ns(start_ps, trace),
        "end_ns": wire.moment_ns(end_ps, trace),
        "low": low or 0,
        "high": found.length_bytes if high is None else high,
        "blocks": found.blocks,
        "rects": len(found),
        "merged": len(found) < found.blocks,
        "cell_ns": found.cell_ps // _PS_PER_NS,
        "cell_bytes": found.cell_bytes,
        "regions": address_regions(found.regions),
        "region_names": region_names(analysis, trace),
        "columns": _columns(analysis, trace, found),
    }


def address_regions(regions: Iterable[Region]) -> JSON:
    """Return the stretches of addresses that a compact axis is made of."""
    return [
        {"address": f"{one.address:#x}", "offset": one.offset, "size_bytes": one.size_bytes}
        for one in regions
    ]


def region_names(analysis: MemoryAnalysis, trace: HostTrace) -> list[str]:
    """Return the regions of the memory by name: all of them, so that each keeps its place."""
    told = np.unique(regions_of_blocks(analysis)).tolist()
    return sorted({trace.strings[one] for one in told if one != UNKNOWN} - {""})


def region_places(analysis: MemoryAnalysis, trace: HostTrace, region: Int64) -> list[int | None]:
    """Return for each region where it stands in `region_names`, `None` where it is not told."""
    place = {name: index for index, name in enumerate(region_names(analysis, trace))}
    told = np.unique(region).tolist()
    at = {one: place.get(trace.strings[one]) for one in told if one != UNKNOWN}
    return [at.get(one) for one in region.tolist()]


def _columns(analysis: MemoryAnalysis, trace: HostTrace, found: BlockMap) -> JSON:
    single = (found.count == 1).tolist()
    return {
        "start_ns": wire.since_start_ns(found.start_ps, trace),
        "end_ns": wire.since_start_ns(found.end_ps, trace),
        "offset": found.offset.tolist(),
        "size_bytes": found.size_bytes.tolist(),
        "site": found.site.tolist(),
        "region": region_places(analysis, trace, found.region),
        "born_step": born_steps(analysis, found.block),
        "age_steps": wire.known(age_steps(analysis, found.block)),
        "end": end_names(analysis, found.block),
        "count": found.count.tolist(),
        "block": [
            row if alone else None for row, alone in zip(found.block.tolist(), single, strict=True)
        ],
    }


def born_steps(analysis: MemoryAnalysis, rows: Int64) -> list[JSON]:
    """Return the number of the step that each block was born in, `None` outside all steps."""
    numbers = step_numbers(analysis.steps)
    birth = analysis.block_steps.birth[rows].tolist()
    return [None if step == UNKNOWN else numbers[step] for step in birth]


def block(finder: LeakFinder, session: str, host: str, memory: str, index: int) -> Payload:
    """Return one block: its columns as single values, and its site."""
    analysed = finder.host(session, host)
    analysis = analysed.memory(memory)
    if index >= len(analysis.blocks):
        raise NotFound(f"There is no block {index} in {memory}.", "Load the page again.")
    columns = block_columns(analysis, analysed.trace, np.array([index], np.int64))
    values: Payload = {
        name: column[0] for name, column in columns.items() if isinstance(column, list)
    }
    site = int(analysis.sites.of_block[index])
    values["site_index"] = site
    values["site"] = wire.site(analysis.sites.sites[site]) if site != UNKNOWN else None
    return values
