"""One memory over time, as a chart draws it."""

from __future__ import annotations

from tensorboard_memleak.analysis.timeline import growth_line, timeline
from tensorboard_memleak.errors import BadRequest
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.trace import HostTrace
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.steps import steps_in
from tensorboard_memleak.service.wire import (
    JSON,
    Payload,
    known,
    known_floats,
    moment_ns,
    moment_ps,
    since_start_ns,
)

_PS_PER_NS = 1000


def memory_over_time(
    finder: LeakFinder,
    session: str,
    host: str,
    memory: str,
    start_ns: int | None = None,
    end_ns: int | None = None,
    pixels: int = 1200,
) -> Payload:
    """Return the allocator's counters in a range, thinned so that no extreme of a pixel is lost.

    Ends that are not given are those of `drawn_range`.
    """
    analysed = finder.host(session, host, named=False)
    trace, analysis = analysed.trace, analysed.memory(memory)
    start_ps, end_ps = drawn_range(analysis, trace, start_ns, end_ns)
    drawn = timeline(analysis.memory.events, start_ps, end_ps, pixels)
    return {
        "memory_id": memory,
        "start_ns": moment_ns(start_ps, trace),
        "end_ns": moment_ns(end_ps, trace),
        "events": drawn.events,
        "points": len(drawn.time_ps),
        "sampled": drawn.sampled,
        "columns": {
            "time_ns": since_start_ns(drawn.time_ps, trace),
            "stack_bytes": known(drawn.stack_bytes),
            "heap_bytes": known(drawn.heap_bytes),
            "free_bytes": known(drawn.free_bytes),
            "fragmentation": known_floats(drawn.fragmentation),
        },
        "steps": steps_in(analysed.diagnosis.steps, trace, start_ps, end_ps),
        "growth": _growth(analysis, trace),
        "peak": _peak(analysis, trace),
    }


def busy_range(analysis: MemoryAnalysis, trace: HostTrace) -> tuple[int, int]:
    """Return the part of the window that holds all of a memory's events and all steps."""
    events, steps = analysis.memory.events, analysis.steps
    starts = [times[0] for times in (events.time_ps, steps.start_ps) if len(times)]
    ends = [times[-1] for times in (events.time_ps, steps.end_ps) if len(times)]
    if not starts:
        return trace.start_ps, trace.end_ps
    # A thousandth more, so that the last event does not fall victim to rounding to nanoseconds.
    start_ps, end_ps = int(min(starts)), int(max(ends))
    return start_ps, end_ps + (end_ps - start_ps) // 1000


def drawn_range(
    analysis: MemoryAnalysis, trace: HostTrace, start_ns: int | None, end_ns: int | None
) -> tuple[int, int]:
    """Return the range that the charts of a memory show, in picoseconds.

    An end that is not given is the busy part's: a capture often waits long before and after the
    work. Where the other end lies beyond the busy part, it is the window's.
    """
    busy_start_ps, busy_end_ps = busy_range(analysis, trace)
    start_ps, end_ps = time_range(trace, start_ns, end_ns)
    if start_ns is None and busy_start_ps <= end_ps:
        start_ps = busy_start_ps
    if end_ns is None and busy_end_ps >= start_ps:
        end_ps = min(busy_end_ps, trace.end_ps)
    return start_ps, end_ps


def time_range(trace: HostTrace, start_ns: int | None, end_ns: int | None) -> tuple[int, int]:
    """Return a range of the window in picoseconds, the whole window where ends are not given."""
    start_ps = trace.start_ps if start_ns is None else moment_ps(start_ns, trace)
    end_ps = trace.end_ps if end_ns is None else moment_ps(end_ns, trace)
    if end_ps < start_ps:
        raise BadRequest("end_ns lies before start_ns.", "Swap the two.")
    return max(start_ps, trace.start_ps), min(max(end_ps, trace.start_ps), trace.end_ps)


def _growth(analysis: MemoryAnalysis, trace: HostTrace) -> JSON:
    line = growth_line(analysis)
    if line is None:
        return None
    return {
        "bytes_per_step": line.bytes_per_step,
        "columns": {
            "time_ns": since_start_ns(line.time_ps, trace),
            "bytes": line.line_bytes.tolist(),
        },
    }


def _peak(analysis: MemoryAnalysis, trace: HostTrace) -> JSON:
    totals = analysis.diagnosis.totals
    if totals.peak_ns is None:
        return None
    # Totals count from the trace's origin, which may lie before its window.
    time_ns = moment_ns(totals.peak_ns * _PS_PER_NS, trace)
    return {"time_ns": time_ns, "bytes": totals.peak_bytes}
