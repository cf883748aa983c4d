"""`make bench`: our speed and memory beside XProf's, written to docs/performance.md.

`python -m bench --huge` reads a capture larger than 2 GiB instead, and writes nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

from bench.big_capture import build
from bench.measure import in_turn
from bench.page import Measured, write
from tensorboard_memleak.readers.wire import Field, read_fields
from tests.captures import unpack

OUT = Path(__file__).parent / "out"
SOURCE = "activation_kept"
TIMES = 5
LARGE_REPETITIONS = 900
SMALL_BYTES = 1_000_000
HUGE_BYTES = 2**31 + 2**28


def main() -> int:
    """Measure, write the page, and fail where a bar is missed."""
    (source_path,) = unpack(SOURCE).glob("*.xplane.pb")
    source = source_path.read_bytes()
    if "--huge" in sys.argv:
        return _huge(source)
    large = _capture("large", source, LARGE_REPETITIONS)
    small = _capture("small", source, SMALL_BYTES // len(source))
    print(f"{large.stat().st_size / 1e6:.0f} MB")
    beside = in_turn(["ours", "xprof"], large, TIMES)
    print(f"{small.stat().st_size / 1e6:.1f} MB")
    alone = in_turn(["ours"], small, TIMES)
    events, memory_events = _count(source)
    measured = Measured(
        large_bytes=large.stat().st_size,
        large_events=events * LARGE_REPETITIONS,
        memory_events=memory_events * LARGE_REPETITIONS,
        ours=beside["ours"],
        xprof=beside["xprof"],
        small_bytes=small.stat().st_size,
        small=alone["ours"],
    )
    write(measured)
    for words in measured.missed():
        print(f"bar missed: {words}", file=sys.stderr)
    return 1 if measured.missed() else 0


def _capture(name: str, source: bytes, repetitions: int) -> Path:
    """Return a repeated capture, made once."""
    path = OUT / name / "plugins" / "profile" / "bench" / f"host{repetitions}.xplane.pb"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_bytes(build(source, range(repetitions)))
        part.replace(path)
    return path


def _huge(source: bytes) -> int:
    """Read a capture larger than protobuf allows: many chunks one behind another."""
    path = OUT / "huge" / "plugins" / "profile" / "bench" / "host.xplane.pb"
    path.parent.mkdir(parents=True, exist_ok=True)
    repetitions = range(LARGE_REPETITIONS)
    with path.open("wb") as file:
        while file.tell() < HUGE_BYTES:
            file.write(build(source, repetitions))
            repetitions = range(repetitions.stop, repetitions.stop + LARGE_REPETITIONS)
    print(f"{path.stat().st_size / 1e6:.0f} MB")
    for converter, runs in in_turn(["ours", "xprof"], path, 1).items():
        print(f"{converter}: {runs.outcome}")
    return 0


def _count(source: bytes) -> tuple[int, int]:
    """Return how many events a capture has, and how many of them are memory events."""
    view = memoryview(source)
    events = memory = 0
    for plane in _within(view, Field(0, 2, 0, 0, 0, len(view)), 1):
        names = {}
        for entry in _within(view, plane, 4):
            parts = {part.number: part for part in read_fields(view, entry.start, entry.end)}
            named = next(iter(_within(view, parts[2], 2)), None)
            if named is not None:
                names[parts[1].value] = bytes(view[named.start : named.end])
        for line in _within(view, plane, 3):
            for event in _within(view, line, 4):
                first = next(iter(read_fields(view, event.start, event.end)))
                events += 1
                memory += names.get(first.value) in (b"MemoryAllocation", b"MemoryDeallocation")
    return events, memory


def _within(view: memoryview, message: Field, number: int) -> list[Field]:
    fields = read_fields(view, message.start, message.end)
    return [field for field in fields if field.number == number]


if __name__ == "__main__":
    sys.exit(main())
