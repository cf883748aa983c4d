"""Frameworks, and what the person is told about a capture."""

from __future__ import annotations

import pytest

from tensorboard_memleak.model.trace import Notice
from tests.unit.readers.trace_view import read
from tests.xspace_builder import UInt, XSpace, number_field


def only_notice(space: XSpace) -> Notice:
    (notice,) = read(space).notices
    return notice


def host(*events: str, device: str = "") -> XSpace:
    space = XSpace()
    line = space.plane().line("python")
    for index, name in enumerate(events):
        line.event(name, index * 10, 5)
    if device:
        space.plane(device)
    return space


@pytest.mark.parametrize(
    ("events", "frameworks"),
    [
        (["PjitFunction(train_step)"], ("jax",)),
        (["EagerExecute", "TFE_Py_FastPathExecute_C"], ("tensorflow",)),
        (["ExecutorState::Process"], ("tensorflow",)),
        (["PjRtComputationClient::ExecuteComputation"], ("pytorch_xla",)),
        (["tf.constant", "PjitFunction(f)"], ("jax", "tensorflow")),
        (["train", "MemcpyH2D"], ()),
    ],
)
def test_frameworks_show_by_events_that_only_they_write(
    events: list[str], frameworks: tuple[str, ...]
) -> None:
    assert read(host(*events)).frameworks == frameworks


def test_jax_shows_by_its_version_too() -> None:
    space = XSpace()
    space.plane("/host:metadata").own_stat("jax_version", "0.10.2")
    assert read(space).frameworks == ("jax",)


@pytest.mark.parametrize(
    ("space", "message", "hint"),
    [
        (host("PjitFunction(f)"), "JAX writes no memory", "save_device_memory_profile"),
        (host("EagerExecute"), "TensorFlow's allocator for CPU", "TF_CPU_ALLOCATOR_USE_BFC=true"),
        (host("PjitFunction(f)", device="/device:GPU:0"), "cuda_malloc_async", "TF_GPU_ALLOCATOR"),
        (host("StreamExecutorAllocator::Allocate"), "cuda_malloc_async", "BFC allocator"),
        (host("PjitFunction(f)", device="/device:TPU:0"), "on this host", "while steps run"),
        (host("something"), "No allocator wrote", "TF_CPU_ALLOCATOR_USE_BFC=true"),
    ],
)
def test_a_capture_without_memory_events_says_why_and_what_to_do(
    space: XSpace, message: str, hint: str
) -> None:
    notice = only_notice(space)
    assert notice.code == "no_memory_events"
    assert message in notice.message
    assert hint in notice.hint


def test_a_capture_without_a_host_plane_says_so() -> None:
    space = XSpace()
    space.plane("/device:GPU:0").line("Stream #1").event("kernel", 0, 10)
    notice = only_notice(space)
    assert "/host:CPU" in notice.message
    assert "host_tracer_level 2" in notice.hint


def test_a_low_host_tracer_level_is_the_reason_where_the_options_tell() -> None:
    space = host("PjitFunction(f)")
    environment = space.plane("Task Environment")
    environment.own_stat("profile_options", number_field(5, 1) + number_field(2, 1))
    notice = only_notice(space)
    assert "host_tracer_level 1" in notice.message
    assert notice.hint == "Capture with host_tracer_level 2 or higher."


def test_options_that_cannot_be_read_are_no_reason() -> None:
    space = host("PjitFunction(f)")
    space.plane("Task Environment").own_stat("profile_options", b"\xff\xff")
    assert "JAX writes no memory" in only_notice(space).message


def test_what_the_profiler_says_of_itself_is_passed_on() -> None:
    space = host()
    space.planes[0].lines[0].allocation(1, address=1)
    space.planes[0].own_stat("dropped_traces", UInt(12))
    space.errors.append("Failed to start tracer <script>")
    space.warnings.append("dropped 5 events")
    assert [(notice.code, notice.message) for notice in read(space).notices] == [
        ("capture_error", "The profiler reported an error: Failed to start tracer <script>"),
        ("capture_warning", "The profiler reported: dropped 5 events"),
        ("dropped_events", "The profiler dropped 12 trace events."),
    ]


def test_a_clean_capture_has_nothing_to_say() -> None:
    space = host()
    space.planes[0].lines[0].allocation(1, address=1)
    assert read(space).notices == ()
