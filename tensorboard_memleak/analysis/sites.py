"""Where blocks come from: the framework op, else the enclosing stack, else the thread.

A site is named by the first of these that the birth tells. Its second level, the variant, tells
apart shape, type, region and *requested* bytes; allocated bytes depend on the allocator's mood and
identify nothing. A deallocation's own annotation belongs to whatever ran then and is not used.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.analysis.frames import naming_frame
from tensorboard_memleak.analysis.grouping import group_rows
from tensorboard_memleak.analysis.naming import NUMBER, without_counters
from tensorboard_memleak.analysis.stack_keys import stack_keys
from tensorboard_memleak.model.blocks import Blocks, BlockSteps
from tensorboard_memleak.model.findings import Site, Sites, SiteSource, Variants
from tensorboard_memleak.model.trace import (
    NO_STACK,
    NO_STRING,
    UNKNOWN,
    HostTrace,
    Int32,
    Int64,
    MemoryEvents,
)

_WHY: Final = {
    "stack": "the profile names no op here; this is the trace event around the allocation",
    "thread": "the profile names neither an op nor an enclosing trace event; this is the thread",
    "unknown": "the profile names neither an op, nor an enclosing trace event, nor a thread",
}


def find_sites(
    trace: HostTrace, events: MemoryEvents, blocks: Blocks, block_steps: BlockSteps
) -> Sites:
    """Group the blocks that were born in the window."""
    born = np.flatnonzero(blocks.birth_event != UNKNOWN)
    birth = blocks.birth_event[born]
    op, names = _named_ops(trace, events.op[birth], block_steps.birth[born])
    stack = stack_keys(trace, events.stack[birth], block_steps.birth[born])
    thread = events.thread[birth].astype(np.int64)
    source = np.select([op >= 0, stack != NO_STACK, thread >= 0], [0, 1, 2], 3)
    key = np.select([source == 0, source == 1, source == 2], [op, stack, thread], 0)
    site, first = group_rows([source, key])
    described = _describe(trace, events, birth, site, len(first))
    sites = tuple(
        _site(trace, int(source[row]), int(key[row]), names, *described[index])
        for index, row in enumerate(first.tolist())
    )
    return _with_variants(sites, events, birth, site, born, len(blocks))


def _named_ops(trace: HostTrace, op: Int32, step: Int32) -> tuple[Int64, list[str]]:
    """Return a code an event (-1: no op) and the name of each code, counters taken off."""
    used, where = np.unique(op, return_inverse=True)
    texts = [trace.strings[index] for index in used.tolist()]
    stripped = without_counters(texts, where.astype(np.int64), step)
    stripped = without_counters(stripped, where.astype(np.int64), step, NUMBER, "*")
    names = list(dict.fromkeys(stripped))
    place = {name: index for index, name in enumerate(names)}
    code = np.array([place[name] for name in stripped], np.int64)
    code[used == NO_STRING] = UNKNOWN
    return code[where], names


Described = tuple[int, int, int, int, int]


def _describe(
    trace: HostTrace, events: MemoryEvents, birth: Int64, site: Int64, count: int
) -> list[Described]:
    """Return region, dtype and shape that a site's blocks share, and its usual thread and stack."""
    shared = [
        _shared(column[birth].astype(np.int64), site, count)
        for column in (events.shape, events.dtype, events.region)
    ]
    usual = [
        _usual(column[birth].astype(np.int64), site, count)
        for column in (events.thread, events.stack)
    ]
    return list(zip(*(column.tolist() for column in (*shared, *usual)), strict=True))


def _shared(value: Int64, group: Int64, count: int) -> Int64:
    """Return the value that all rows of a group have, 0 where they differ."""
    low, high = np.full(count, np.iinfo(np.int64).max), np.full(count, -1, np.int64)
    np.minimum.at(low, group, value)
    np.maximum.at(high, group, value)
    return np.where(low == high, high, 0)


def _usual(value: Int64, group: Int64, count: int) -> Int64:
    """Return the most frequent value of each group, the smallest of those if several are."""
    order = np.lexsort((value, group))
    value, group = value[order], group[order]
    new = np.append(True, (value[1:] != value[:-1]) | (group[1:] != group[:-1]))[: len(value)]
    start = np.flatnonzero(new)
    length = np.diff(np.append(start, len(value)))
    best = np.lexsort((value[start], -length, group[start]))
    owner = group[start][best]
    head = np.append(True, owner[1:] != owner[:-1])[: len(owner)]
    found = np.zeros(count, np.int64)
    found[owner[head]] = value[start][best][head]
    return found


def _site(
    trace: HostTrace,
    source: int,
    key: int,
    names: list[str],
    shape: int,
    dtype: int,
    region: int,
    thread: int,
    stack: int,
) -> Site:
    frames = tuple(trace.strings[frame] for frame in trace.stacks.path(stack))
    thread_name = trace.threads[thread].name if 0 <= thread < len(trace.threads) else ""
    named: tuple[SiteSource, str] = (
        ("op", names[key] if source == 0 else ""),
        ("stack", naming_frame(frames)),
        ("thread", thread_name),
        ("unknown", ""),
    )[source]
    return Site(
        op=named[1],
        shape=trace.strings[shape],
        dtype=trace.strings[dtype],
        region=trace.strings[region],
        thread=thread_name,
        stack=frames,
        source=named[0],
        unknown_why=_why(named[0], frames),
    )


def _why(source: SiteSource, frames: tuple[str, ...]) -> str:
    """Say why there is no op, and why no line of Python where that is so."""
    why = _WHY.get(source, "")
    if source == "stack" and not any(frame.startswith("$") for frame in frames):
        return f"{why}; its thread has no Python frames"
    return why


def _with_variants(
    sites: tuple[Site, ...],
    events: MemoryEvents,
    birth: Int64,
    site: Int64,
    born: Int64,
    block_count: int,
) -> Sites:
    columns = (events.shape, events.dtype, events.region, events.requested_bytes)
    kinds = [site, *(column[birth].astype(np.int64) for column in columns)]
    variant, first = group_rows(kinds)
    of_block = np.full(block_count, UNKNOWN, np.int32)
    variant_of_block = of_block.copy()
    of_block[born], variant_of_block[born] = site, variant
    site_of, shape, dtype, region, requested = (column[first] for column in kinds)
    variants = Variants(
        site_of.astype(np.int32),
        shape.astype(np.int32),
        dtype.astype(np.int32),
        region.astype(np.int32),
        requested,
    )
    return Sites(sites, of_block, variants, variant_of_block)
