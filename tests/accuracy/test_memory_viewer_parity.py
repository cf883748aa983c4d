"""Our lifetimes against those of the installed XProf's Memory Viewer, to the byte.

Where the two differ, the test says by which rule, and why XProf's is the one at fault.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensorboard_memleak.analysis.program.lifetimes import lifetimes
from tensorboard_memleak.analysis.program.totals import main_buffers
from tensorboard_memleak.model.lifetimes import NO_POINT, Lifetimes
from tensorboard_memleak.model.program import AllocationKind, HeapEventKind, Program
from tensorboard_memleak.model.trace import Int64
from tensorboard_memleak.readers.hlo import read_program
from tests.captures import DATA, unpack
from tests.shared_data import captures, needs_shared_data, shared

raw_to_tool_data = pytest.importorskip("xprof.convert.raw_to_tool_data")

MIB = 1 << 20
SPACES = range(8)


@dataclass(frozen=True)
class Answer:
    """What XProf says of one memory space of one module, and what we do."""

    name: str
    theirs: dict[str, Any]
    program: Program
    ours: Lifetimes

    def bytes_of(self, key: str) -> int:
        """Return one of XProf's figures; they are exact, being bytes divided by 2**20."""
        value = self.theirs.get(key, 0) * MIB
        assert value == int(value)
        return int(value)

    def column(self, key: str) -> list[int]:
        return [int(value * MIB) for value in self.theirs.get(key, [])]


def session(capture: Path, folder: Path) -> Path:
    """Copy a capture, and let XProf take the modules out of it."""
    place = folder / "plugins/profile/s"
    place.mkdir(parents=True)
    copied = place / capture.name
    copied.write_bytes(capture.read_bytes())
    raw_to_tool_data.xspace_to_tool_names([str(copied)])
    return copied


def answers(copied: Path) -> Iterator[Answer]:
    for path in sorted(copied.parent.glob("*.hlo_proto.pb")):
        if path.name == "NO_MODULE.hlo_proto.pb":
            continue
        program = read_program(path.read_bytes(), path=path.name)
        name = path.name.removesuffix(".hlo_proto.pb")
        for space in SPACES:
            text, _ = raw_to_tool_data.xspace_to_tool_data(
                [str(copied)], "memory_viewer", {"module_name": name, "memory_space": str(space)}
            )
            assert text is not None, f"XProf has no answer for {name}"
            yield Answer(name, json.loads(text), program, lifetimes(program, space))


def compared(captures: Iterable[Path], folder: Path) -> int:
    """Compare every module of every capture; return how many of them hold memory."""
    count = 0
    for number, capture in enumerate(captures):
        for answer in answers(session(capture, folder / str(number))):
            assert differences(answer) == {}, f"{capture} {answer.name}"
            count += bool(answer.theirs.get("totalBufferAllocationMib"))
    return count


@needs_shared_data
def test_every_module_of_every_shared_capture(tmp_path: Path) -> None:
    assert compared(captures(), tmp_path) > 100


def test_every_module_of_every_bundled_capture(tmp_path: Path) -> None:
    folders = [unpack(path.name, logdir=tmp_path / "packed") for path in sorted(DATA.iterdir())]
    found = [path for folder in folders for path in sorted(folder.glob("*.xplane.pb"))]
    assert compared(found, tmp_path) > 50


@needs_shared_data
def test_the_dump_of_a_real_train_step(tmp_path: Path) -> None:
    dump = "module_0016.jit_train_step.sm_9.0_gpu_after_optimizations.hlo.pb"
    copied = session(shared("edge/tiny/plugins/profile/r1/vm.xplane.pb"), tmp_path)
    for rubbish in copied.parent.glob("*.hlo_proto.pb"):
        rubbish.unlink()
    target = copied.with_name("jit_train_step(16).hlo_proto.pb")
    shutil.copyfile(shared(f"third_party/jax_toolbox_maxtext_dump/{dump}"), target)
    found = list(answers(copied))
    assert [differences(answer) for answer in found] == [{}] * len(SPACES)
    allocated = found[0].ours.allocated
    assert allocated.parameter == 2_007_726_092
    assert allocated.output == 2_007_644_484
    allocations = found[0].program.allocations
    thread_local = allocations.size_bytes[allocations.kind == AllocationKind.THREAD_LOCAL].sum()
    assert allocated.temporary + thread_local == 3_871_612_218
    assert len(found[0].ours) == 2_260


def differences(answer: Answer) -> dict[str, tuple[object, object]]:
    """Return every figure in which the two differ, ours first."""
    ours, allocated = answer.ours, answer.ours.allocated
    # XProf leaves temporaries that no heap trace mentions out of its line and its peak, though
    # they are in its total: they do take memory, for a time that nobody told.
    untraced = allocated.untraced
    base = allocated.whole_program - untraced
    bare = bare_line(answer, base)
    heap, unpadded = answer.column("heapSizes"), answer.column("unpaddedHeapSizes")
    pairs = {
        "total": (allocated.total, answer.bytes_of("totalBufferAllocationMib")),
        "indefinite": (base, answer.bytes_of("indefiniteBufferAllocationMib")),
        "parameters": (allocated.parameter, answer.bytes_of("entryComputationParametersMib")),
        "outputs": (allocated.output, answer.bytes_of("maybeLiveOutMib")),
        "peak": (ours.peak_bytes - untraced, answer.bytes_of("peakHeapMib")),
        "unpadded peak": (
            bare[ours.peak_point] if bare else base,
            answer.bytes_of("peakUnpaddedHeapMib"),
        ),
        "peak point": (max(ours.peak_point, 0), answer.theirs.get("peakHeapSizePosition", 0)),
        # XProf gives the state before each event and one more.
        "line": ((ours.heap_bytes - untraced).tolist(), heap[1:]),
        "start": (base if heap else 0, heap[0] if heap else 0),
        "unpadded line": (bare, unpadded[1:]),
        "instructions": (instructions(answer), answer.theirs.get("hloInstructionNames", [])[:-1]),
        "spans": (spans(answer), their_spans(answer)),
        "peak buffers": (peak_buffers(answer), their_peak_buffers(answer)),
    }
    return {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}


def bare_line(answer: Answer, base: int) -> list[int]:
    """Return our line without padding, with two faults of XProf put in.

    XProf adds the *padded* size of what lives all the time; the other is `part_fault`.
    """
    ours = answer.ours
    line = ours.unpadded_heap_bytes - ours.allocated.whole_program_unpadded + base
    change = np.sign(np.diff(ours.heap_bytes, prepend=ours.allocated.whole_program))
    fault = part_fault(answer.program)[ours.holder[ours.buffer]]
    faulty: list[int] = (line + np.cumsum(change * fault)).tolist()
    return faulty


def part_fault(program: Program) -> Int64:
    """Return by how much XProf errs in the unpadded size of each buffer.

    Of a buffer in a tuple within a tuple it takes the part of the outer tuple that the last
    number of its index names, or the whole where there is none.
    """
    buffers = program.buffers
    fault = np.zeros(len(buffers), np.int64)
    for row, index in enumerate(buffers.shape_index):
        if len(index) > 1:
            shape = program.shapes[program.instructions.shape[buffers.instruction[row]]]
            wrong = (shape.part(index[-1:]) or shape).unpadded_bytes
            assert wrong is not None
            fault[row] = wrong - buffers.unpadded_bytes[row]
    return fault


def instructions(answer: Answer) -> list[str]:
    program = answer.program
    rows = answer.ours.instruction
    return [program.strings[text] for text in program.instructions.name[rows].tolist()]


def spans(answer: Answer) -> dict[int, tuple[int, int]]:
    """Return the lives of the buffers that hold memory.

    Where a buffer takes up memory again that an earlier one left, XProf ends its bar with its own
    FREE, although those it shares with still use the memory: there we look for that FREE.
    """
    ours, program = answer.ours, answer.program
    own_free = {
        buffer: point
        for point, (kind, buffer) in enumerate(zip(ours.kind, ours.buffer.tolist(), strict=True))
        if kind == HeapEventKind.FREE
    }
    began_by_sharing = {
        buffer
        for kind, buffer in zip(ours.kind, ours.buffer.tolist(), strict=True)
        if kind == HeapEventKind.SHARE
    }
    found = {}
    for buffer in np.flatnonzero(ours.born != NO_POINT).tolist():
        if ours.holder[buffer] == buffer:
            end = own_free[buffer] if buffer in began_by_sharing else int(ours.freed[buffer])
            found[int(program.buffers.id[buffer])] = (int(ours.born[buffer]), end)
    return found


def their_spans(answer: Answer) -> dict[int, tuple[int, int]]:
    found = answer.theirs.get("logicalBufferSpans", {})
    return {int(key): (span.get("start", 0), span.get("limit", 0)) for key, span in found.items()}


def peak_buffers(answer: Answer) -> dict[int, tuple[int, int, str]]:
    """Return size, size without padding and kind of what XProf should list at the peak.

    XProf lists what lives all the time for memory space 0 only, and nothing below 16 KiB.
    """
    ours, program = answer.ours, answer.program
    buffers, allocations = program.buffers, program.allocations
    unpadded = buffers.unpadded_bytes + part_fault(program)
    live = {
        row: AllocationKind.TEMPORARY
        for row in np.flatnonzero(
            (ours.born != NO_POINT)
            & (ours.born <= ours.peak_point)
            & (ours.freed > ours.peak_point)
        ).tolist()
        if ours.holder[row] == row
    }
    if ours.memory_space == 0:
        for allocation, row in enumerate(main_buffers(program).tolist()):
            kind = AllocationKind(int(allocations.kind[allocation]))
            here = allocations.memory_space[allocation] == 0
            if here and row >= 0 and kind != AllocationKind.TEMPORARY:
                live[row] = kind
    return {
        int(buffers.id[row]): (
            int(buffers.size_bytes[row]),
            int(unpadded[row]),
            kind.name,
        )
        for row, kind in live.items()
        if buffers.size_bytes[row] >= 16 * 1024
    }


def their_peak_buffers(answer: Answer) -> dict[int, tuple[int, int, str]]:
    return {
        item.get("logicalBufferId", 0): (  # left out where it is 0
            int(item["logicalBufferSizeMib"] * MIB),
            int(item.get("unpaddedShapeMib", 0) * MIB),
            item["groupName"].upper().replace("-", "_"),
        )
        for item in answer.theirs.get("maxHeap", [])
        if "groupName" in item  # else it stands for all the small ones
    }
