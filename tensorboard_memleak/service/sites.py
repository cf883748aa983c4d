"""The sites of a memory as a table, and one site or finding with its blocks."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.handed_on import handed_on
from tensorboard_memleak.analysis.site_table import byte_seconds, site_table
from tensorboard_memleak.analysis.steps import step_numbers
from tensorboard_memleak.analysis.timeline import live_series
from tensorboard_memleak.errors import BadRequest, NotFound
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.findings import Finding, Site
from tensorboard_memleak.model.trace import UNKNOWN, Float64, HostTrace, Int64
from tensorboard_memleak.service import wire
from tensorboard_memleak.service.blocks import block_columns
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.wire import Payload

LIVE_POINTS = 400


def sites(finder: LeakFinder, session: str, host: str, memory: str) -> Payload:
    """Return one row a site with what it allocated, freed and kept."""
    analysis = finder.memory(session, host, memory)
    table = site_table(analysis)
    rows = analysis.sites.sites
    owner = _finding_of_each_site(analysis)
    return {
        "columns": {
            "index": list(range(len(rows))),
            "op": [row.op for row in rows],
            "shape": [row.shape for row in rows],
            "dtype": [row.dtype for row in rows],
            "region": [row.region for row in rows],
            "source": [row.source for row in rows],
            "unknown_why": [row.unknown_why for row in rows],
            "stack": [list(row.stack) for row in rows],
            "thread": [row.thread for row in rows],
            "allocations": table.allocations.tolist(),
            "deallocations": table.deallocations.tolist(),
            "survivors": table.survivors.tolist(),
            "survivor_bytes": table.survivor_bytes.tolist(),
            "survivor_requested_bytes": table.survivor_requested_bytes.tolist(),
            "allocated_bytes": table.allocated_bytes.tolist(),
            "rounding_bytes": table.rounding_bytes.tolist(),
            "peak_live_bytes": table.peak_live_bytes.tolist(),
            "byte_seconds": _byte_seconds(analysis).tolist(),
            "bytes_per_step": [one.bytes_per_step if one else None for one in owner],
            "kind": [one.kind if one else None for one in owner],
            "finding": [one.id if one else None for one in owner],
        },
        "total": len(rows),
    }


def _byte_seconds(analysis: MemoryAnalysis) -> Float64:
    site = analysis.sites.of_block
    born = np.flatnonzero(site >= 0)
    weight = byte_seconds(analysis.blocks, born)
    return np.round(np.bincount(site[born], weight, minlength=len(analysis.sites.sites)), 6)


def _finding_of_each_site(analysis: MemoryAnalysis) -> list[Finding | None]:
    owner: list[Finding | None] = [None] * len(analysis.sites.sites)
    for finding in reversed(analysis.diagnosis.findings):  # the most urgent one has the last word
        for part in finding.parts or (finding,):
            for index in part.site_indices:
                owner[index] = part if part.bytes_per_step is not None else finding
    return owner


def site(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    site_index: int | None = None,
    finding_id: str | None = None,
    offset: int = 0,
    limit: int = 200,
) -> Payload:
    """Return the evidence of a finding, or of a site: survivors by step, bytes held, blocks."""
    analysed = finder.host(session, host)
    analysis = analysed.memory(memory)
    if finding_id is not None:
        finding = find(analysis, finding_id)
        subject, rows = finding.site, finding.evidence.blocks
        # What was replaced on the way is no evidence, and yet a part of the site's history.
        living = np.flatnonzero(np.isin(analysis.sites.of_block, finding.site_indices))
    else:
        subject, rows = _site_rows(analysis, site_index)
        living = rows
    told = evidence(analysis, analysed.trace, subject, rows, offset, limit)
    told["live"] = _live(analysis, analysed.trace, living)
    told["handed_on"] = _handed_on(analysis, living)
    return told


def find(analysis: MemoryAnalysis, finding_id: str) -> Finding:
    """Return a finding or a part of one by its id."""
    for finding in analysis.diagnosis.findings:
        for one in (finding, *finding.parts):
            if one.id == finding_id:
                return one
    raise NotFound(
        f"There is no finding {finding_id} in {analysis.memory.memory_id}.", "Load the page again."
    )


def _site_rows(analysis: MemoryAnalysis, index: int | None) -> tuple[Site, Int64]:
    if index is None:
        raise BadRequest(
            "The parameter site or finding is missing.", "Name one of the sites or findings."
        )
    if not 0 <= index < len(analysis.sites.sites):
        raise NotFound(
            f"There is no site {index} in {analysis.memory.memory_id}.", "Load the page again."
        )
    return analysis.sites.sites[index], np.flatnonzero(analysis.sites.of_block == index)


def _live(analysis: MemoryAnalysis, trace: HostTrace, rows: Int64) -> Payload:
    """Write what some blocks hold over time."""
    live = live_series(analysis.blocks, rows, LIVE_POINTS)
    return {
        "time_ns": wire.since_start_ns(live.time_ps, trace),
        "bytes": live.live_bytes.tolist(),
        "sampled": live.sampled,
    }


def _handed_on(analysis: MemoryAnalysis, rows: Int64) -> Payload:
    """Write what each step leaves to the next, aligned with `survivors_by_step`."""
    found = handed_on(analysis, rows)
    return {
        "blocks": found.blocks.tolist(),
        "bytes": found.held_bytes.tolist(),
        "requested_bytes": found.requested_bytes.tolist(),
    }


def evidence(
    analysis: MemoryAnalysis,
    trace: HostTrace,
    subject: Site,
    rows: Int64,
    offset: int,
    limit: int,
) -> Payload:
    """Write a group of blocks: survivors first, the oldest first."""
    blocks = analysis.blocks
    order = np.lexsort((blocks.born_ps[rows], blocks.end[rows] != BlockEnd.SURVIVED))
    rows = rows[order]
    kept = rows[blocks.end[rows] == BlockEnd.SURVIVED]
    birth = analysis.block_steps.birth[kept]
    inside = birth != UNKNOWN
    size = np.maximum(blocks.allocation_bytes[kept], 0)[inside]
    count = len(analysis.steps)
    return {
        "site": wire.site(subject),
        "survivors_by_step": {
            "number": step_numbers(analysis.steps),
            "blocks": np.bincount(birth[inside], minlength=count).tolist(),
            "bytes": np.bincount(birth[inside], size, minlength=count).astype(np.int64).tolist(),
            "outside": int(np.count_nonzero(~inside)),
        },
        "blocks": {
            "total": len(rows),
            "offset": offset,
            "columns": block_columns(analysis, trace, rows[offset : offset + limit]),
        },
    }
