"""What the person must know about a capture, each with the next step to take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from tensorboard_memleak.model.counts import count_text
from tensorboard_memleak.model.trace import EventKind, Int32, Memory, Notice, only_work_space
from tensorboard_memleak.readers.xplane_evidence import Evidence
from tensorboard_memleak.readers.xplane_host import HostRows
from tensorboard_memleak.readers.xplane_space import Space

NO_EVENTS: Final = "no_memory_events"

_LOWEST_LEVEL: Final = 2


def notices(
    space: Space,
    evidence: Evidence,
    memories: Sequence[Memory],
    rows: HostRows,
    dropped: int,
    pieces: Int32,
) -> Iterator[Notice]:
    """Yield everything worth saying, the gravest first; `pieces` are `threads_in_pieces`."""
    if not memories:
        yield no_events(evidence)
    elif only_work_space(memories):
        yield _SCRATCH_ONLY
    for text in space.errors:
        yield Notice("capture_error", f"The profiler reported an error: {text}", _INCOMPLETE)
    for text in space.warnings:
        yield Notice("capture_warning", f"The profiler reported: {text}", _INCOMPLETE)
    if dropped:
        yield Notice(
            "dropped_events",
            f"The profiler dropped {count_text(dropped, 'trace event')}.",
            _INCOMPLETE,
        )
    if rows.untimed_memory_events:
        yield Notice(
            "untimed_events",
            f"{count_text(rows.untimed_memory_events, 'memory event')} with a count instead of a "
            "time left out.",
            "Capture again without aggregation of events.",
        )
    if rows.lines_without_stacks:
        yield Notice(
            "stacks_left_out",
            f"Events of {count_text(rows.lines_without_stacks, 'large thread')} are not in order "
            "of time: their allocations are shown without a stack.",
            "Capture again with the profiler of a current release, which sorts what it saves.",
        )
    cut = sum(bool(np.isin(one, pieces)) for one in _allocating_threads(memories))
    if cut:
        yield Notice(
            "threads_in_pieces",
            f"The events of {count_text(cut, 'allocating thread')} lie in pieces that overlap in "
            "time: stacks name only what stands on the piece of the allocation.",
            "Open the captures that were put together one by one.",
        )
    homeless = sum(int(np.count_nonzero(m.events.address == 0)) for m in memories)
    if homeless:
        yield Notice(
            "events_without_address",
            f"{count_text(homeless, 'memory event')} without an address: the blocks cannot be "
            "followed.",
            "Capture with a current release of the framework.",
        )


def _allocating_threads(memories: Sequence[Memory]) -> list[int]:
    threads = [m.events.thread[m.events.kind == EventKind.ALLOCATION] for m in memories]
    distinct: list[int] = np.unique(np.concatenate(threads)).tolist() if threads else []
    return distinct


_INCOMPLETE: Final = "Numbers may be incomplete. Capture again with fewer steps."


_SCRATCH_ONLY: Final = Notice(
    "scratch_memory_only",
    "Only oneDNN's work space (mklcpu) is in this capture: TensorFlow's allocator for tensors on "
    "CPU devices writes no memory events, so a leak of tensors cannot show here.",
    "Set TF_CPU_ALLOCATOR_USE_BFC=true before TensorFlow is imported and capture again.",
)


def no_events(evidence: Evidence) -> Notice:
    """Say why a capture holds no memory events, as far as it shows, and what to capture instead."""
    return Notice(NO_EVENTS, *_why_no_events(evidence))


def _why_no_events(evidence: Evidence) -> tuple[str, str]:
    level = evidence.host_tracer_level
    if not evidence.host_plane:
        return (
            "The capture has no host plane (/host:CPU), where allocators write their events.",
            f"Capture on the host itself with host_tracer_level {_LOWEST_LEVEL} or higher.",
        )
    if level is not None and level < _LOWEST_LEVEL:
        return (
            f"The capture was made with host_tracer_level {level}, which leaves memory events out.",
            f"Capture with host_tracer_level {_LOWEST_LEVEL} or higher.",
        )
    if evidence.gpu or evidence.async_allocator:
        return (
            "No allocator wrote memory events although a GPU was used: cuda_malloc_async and the "
            "platform allocator write none.",
            "Use the BFC allocator: unset TF_GPU_ALLOCATOR (TensorFlow) or "
            "XLA_PYTHON_CLIENT_ALLOCATOR (JAX), and capture while steps run.",
        )
    if evidence.tpu:
        return (
            "No memory events were written on this host.",
            "Capture on the host that runs the step, while steps run.",
        )
    if evidence.frameworks == {"jax"}:
        return (
            "JAX writes no memory events for CPU devices.",
            "Save device-memory profiles before, between and after some steps with "
            "jax.profiler.save_device_memory_profile into the session's folder, or capture on an "
            "accelerator.",
        )
    if "tensorflow" in evidence.frameworks:
        return (
            "TensorFlow's allocator for CPU devices writes no memory events.",
            "Set TF_CPU_ALLOCATOR_USE_BFC=true before TensorFlow is imported and capture again, or "
            "capture on an accelerator.",
        )
    return (
        "No allocator wrote memory events while this capture ran.",
        "Capture while steps run, on an accelerator or with TF_CPU_ALLOCATOR_USE_BFC=true; for JAX "
        "on the CPU save device-memory profiles with jax.profiler.save_device_memory_profile.",
    )
