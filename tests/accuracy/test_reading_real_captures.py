"""What is known of real captures of others, read from where they lie."""

from __future__ import annotations

import pytest

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.model.trace import EventKind, HostTrace
from tensorboard_memleak.readers.xplane import read_host_trace
from tests.shared_data import needs_shared_data, shared

pytestmark = needs_shared_data


def read(folder: str) -> HostTrace:
    (path,) = sorted(shared(folder).rglob("*.xplane.pb"))
    return read_host_trace(path.read_bytes(), "host0", str(path))


def counts(trace: HostTrace) -> dict[str, tuple[int, int]]:
    found = {}
    for memory in trace.memories:
        births = int((memory.events.kind == EventKind.ALLOCATION).sum())
        found[memory.memory_id] = births, len(memory.events) - births
    return found


def frames_of_births(trace: HostTrace) -> list[list[str]]:
    """Return the stack of every allocation, innermost first."""
    return [
        [trace.strings[frame] for frame in trace.stacks.path(int(node))]
        for memory in trace.memories
        for node in memory.events.stack[memory.events.kind == EventKind.ALLOCATION]
    ]


def test_tensorflow_on_many_gpus() -> None:
    trace = read("third_party/xprof_gpu_multi_worker")
    assert counts(trace) == {
        "GPU_1_bfc": (19, 0),
        "GPU_4_bfc": (761, 208),
        "GPU_6_bfc": (761, 208),
        "gpu_host_bfc": (318, 218),
    }
    assert trace.frameworks == ("tensorflow",)
    assert any("/-1199079105" in thread.name for thread in trace.threads)
    ops = {trace.strings[op] for memory in trace.memories for op in memory.events.op}
    assert "SameWorkerRecvDone" in ops


def test_jax_on_tpus() -> None:
    trace = read("third_party/xprof_tpu_inference")
    assert counts(trace) == {"0": (117, 117), "1": (112, 112), "2": (112, 112), "3": (112, 112)}
    assert len(trace.programs) == 4
    assert len(trace.module_runs) == 105 + 3 * 103
    assert set(trace.module_runs.number.tolist()) == {p.program_id for p in trace.programs}
    assert not any(memory.events.op.any() for memory in trace.memories), "only dummy ops"
    assert len(trace.step_marks) == 0


@pytest.mark.parametrize(
    ("folder", "events", "programs", "runs"),
    [
        ("attention", (144, 144), 31, 81),
        ("gemm", (81, 81), 16, 42),
        ("conv_legacy", (230, 230), 8, 80),
    ],
)
def test_jax_on_mi300(folder: str, events: tuple[int, int], programs: int, runs: int) -> None:
    trace = read(f"third_party/tracelens_mi300/{folder}")
    births, frees = zip(*counts(trace).values(), strict=True)
    assert (sum(births), sum(frees)) == events
    assert len(trace.programs) == programs
    assert len(trace.module_runs) == runs
    assert trace.frameworks == ("jax",)
    assert not any(memory.events.op.any() for memory in trace.memories)


def test_a_jax_allocation_is_told_by_its_stack() -> None:
    stacks = frames_of_births(read("third_party/tracelens_mi300/attention"))
    launched = [stack for stack in stacks if stack[0] == "Build buffer allocations"]
    assert launched
    for stack in launched:
        assert any(frame.startswith("PjitFunction(") for frame in stack)
        assert any(frame.startswith("$") for frame in stack)


def test_lines_of_several_time_bases_pair_up() -> None:
    trace = read("third_party/tracelens_mi300/conv_legacy")
    for memory in trace.memories:
        live: set[int] = set()
        unmatched = 0
        for kind, address in zip(memory.events.kind, memory.events.address.tolist(), strict=True):
            if kind == EventKind.ALLOCATION:
                assert address not in live, "an address is given out twice"
                live.add(address)
            elif address in live:
                live.remove(address)
            else:
                unmatched += 1
        assert len(live) == unmatched, "what was freed from before was replaced"
        assert unmatched == 1


def test_xla_without_a_framework() -> None:
    (first, second) = sorted(shared("third_party/reactant").rglob("*.xplane.pb"))
    for path in (first, second):
        trace = read_host_trace(path.read_bytes(), "host0", str(path))
        assert counts(trace) == {"GPU_0_bfc": (5, 2), "GPU_1_bfc": (5, 2)}
        assert [trace.strings[name] for name in trace.module_runs.name] == ["reactant_fn"] * 2


@pytest.mark.parametrize(
    ("folder", "message"),
    [
        ("edge/zero", "is empty"),
        ("edge/cut", "is cut short"),
        ("edge/utf8", "was re-encoded as UTF-8"),
        ("edge/gzmis", "is gzip-compressed"),
        ("third_party/xprof_tpu_inference_damaged", "was re-encoded as UTF-8"),
    ],
)
def test_damaged_files_are_refused_by_name(folder: str, message: str) -> None:
    with pytest.raises(UnreadableFile) as caught:
        read(folder)
    assert "xplane.pb " + message in caught.value.message


def test_a_python_frame_of_the_program_is_on_every_stack() -> None:
    trace = read("captures/t219_append_pred")
    stacks = frames_of_births(trace)
    assert len(stacks) == 168
    assert all("$tf_cases.py:15 append_pred" in stack for stack in stacks)
    assert all(stack[-1] == "train" for stack in stacks), "the step encloses all of it"
