"""XProf's own answer for a TPU training run, whose capture is not to be had.

The module is built anew from what the answer tells of it (sizes, lives, attributes), and our replay
must come to the answer's figures: nobody could tune this to a file that we have.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np

from tensorboard_memleak.analysis.program.lifetimes import lifetimes
from tensorboard_memleak.model.lifetimes import Lifetimes
from tensorboard_memleak.model.program import Program
from tensorboard_memleak.readers.hlo import read_program
from tests.hlo_builder import U8, Hlo, array
from tests.shared_data import needs_shared_data, shared

pytestmark = needs_shared_data

GOLDEN = (
    "third_party/xprof_golden_tpu_training/"
    "data_tpu-training_memory_viewer_tpu_training_jit_train_step_2041036616644817336_.json.gz"
)
MIB = 1 << 20


@cache
def golden() -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(gzip.decompress(shared(GOLDEN).read_bytes()))
    return answer


def bytes_of(value: float) -> int:
    assert value * MIB == int(value * MIB)
    return int(value * MIB)


def changes(key: str) -> list[int]:
    line = [bytes_of(value) for value in golden()[key]]
    return np.diff(line).tolist()


@cache
def rebuilt() -> tuple[Program, Lifetimes, dict[int, str]]:
    """Build the module: each rise of the line is a buffer, each fall the end of one."""
    answer = golden()
    hlo = Hlo(answer["moduleName"])
    main = hlo.computation(answer["entryComputationName"])
    begins = {span.get("start", 0): key for key, span in answer["logicalBufferSpans"].items()}
    ends = {span.get("limit", 0): key for key, span in answer["logicalBufferSpans"].items()}
    events: list[tuple[str, int]] = []
    holds: dict[str, int] = {}  # who holds the memory of a buffer that is alive now
    taken_up: dict[int, list[str]] = defaultdict(list)  # free for a moment, by size
    sizes: dict[str, int] = {}
    first: dict[int, str] = {}
    steps = zip(changes("heapSizes"), changes("unpaddedHeapSizes"), strict=True)
    for point, (size, bare) in enumerate(steps):
        if size < 0:
            # A fall that ends no span: the buffer's memory is taken up again by a later rise, and
            # XProf's span goes on to the end of that.
            key = ends.get(point) or next(
                key for key in holds if sizes[key] == -size and key not in taken_up[-size]
            )
            if point not in ends:
                taken_up[-size].append(key)
            events.append(("free", holds.pop(key)))
            continue
        made = main.add("fusion", f"v{point}", array(U8, bare))
        buffer = hlo.buffer(made, size)  # of 0 bytes where the event changes nothing
        events.append(("alloc", buffer))
        if point in begins:
            holds[begins[point]], sizes[begins[point]] = buffer, size
            first[buffer] = begins[point]
        elif size:
            holds[taken_up[size].pop(0)] = buffer
    temporary = answer["totalBufferAllocationMib"] - answer["indefiniteBufferAllocationMib"]
    hlo.allocation(bytes_of(temporary), [(buffer, 0) for kind, buffer in events if kind == "alloc"])
    for number, one in enumerate(answer["indefiniteLifetimes"]):
        what = one.get("attributes", [])
        hlo.allocation(
            bytes_of(one["sizeMib"]),
            parameter=number if "entry computation parameter" in what else None,
            live_out="may-be live out" in what,
            constant=not what,
        )
    hlo.trace(*events)
    program = read_program(hlo.encode())
    return program, lifetimes(program), first


def test_the_line_and_its_peak() -> None:
    answer, (_, lives, _) = golden(), rebuilt()
    heap = [bytes_of(value) for value in answer["heapSizes"]]
    assert lives.heap_bytes.tolist() == heap[1:]
    assert lives.allocated.whole_program == heap[0]
    assert lives.peak_bytes == bytes_of(answer["peakHeapMib"])
    assert lives.peak_point == answer["peakHeapSizePosition"] == 451


def test_the_line_without_padding() -> None:
    answer, (_, lives, _) = golden(), rebuilt()
    bare = [bytes_of(value) for value in answer["unpaddedHeapSizes"]]
    assert lives.unpadded_heap_bytes.tolist() == bare[1:]
    assert lives.peak_unpadded_bytes == bytes_of(answer["peakUnpaddedHeapMib"])


def test_totals_by_use() -> None:
    answer, (_, lives, _) = golden(), rebuilt()
    allocated = lives.allocated
    assert allocated.total == bytes_of(answer["totalBufferAllocationMib"])
    assert allocated.parameter == bytes_of(answer["entryComputationParametersMib"])
    assert allocated.output == bytes_of(answer["maybeLiveOutMib"])
    assert allocated.whole_program == bytes_of(answer["indefiniteBufferAllocationMib"])


def test_lives_of_the_buffers() -> None:
    answer, (program, lives, keys) = golden(), rebuilt()
    ids = program.buffers.id.tolist()
    named = [row for row, number in enumerate(ids) if number in keys]
    found = {keys[ids[row]]: (int(lives.born[row]), int(lives.freed[row])) for row in named}
    spans = {
        key: (one.get("start", 0), one.get("limit", 0))
        for key, one in answer["logicalBufferSpans"].items()
    }
    assert len(found) == len(spans) == 258
    apart = {key for key in spans if found[key] != spans[key]}
    assert 0 < len(apart) <= 15  # memory is taken up again 15 times
    assert all(found[key][0] == spans[key][0] and found[key][1] < spans[key][1] for key in apart)
