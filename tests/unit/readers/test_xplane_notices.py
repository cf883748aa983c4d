"""What a capture warns of."""

from __future__ import annotations

import pytest

from tensorboard_memleak.readers.xplane import read_host_trace
from tests.xspace_builder import XSpace


def codes(*allocators: str) -> list[str]:
    """The codes of a capture in which each of the allocators allocated once."""
    space = XSpace()
    line = space.plane("/host:CPU").line("python")
    for at_ps, allocator in enumerate(allocators):
        line.allocation(
            at_ps=at_ps,
            address=0x1000,
            requested=100,
            allocated=256,
            in_use=256,
            allocator=allocator,
        )
    return [notice.code for notice in read_host_trace(space.encode(), "host0", "x").notices]


@pytest.mark.parametrize(
    ("allocators", "warned"),
    [
        (("mklcpu",), True),
        (("mklcpu", "bfc_cpu_allocator_for_gpu"), False),
        (("GPU_0_bfc",), False),
    ],
)
def test_capture_with_nothing_but_work_space_warns(
    allocators: tuple[str, ...], warned: bool
) -> None:
    assert ("scratch_memory_only" in codes(*allocators)) == warned
