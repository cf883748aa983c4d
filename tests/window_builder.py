"""A literal builder of captures as the analysis sees them: what each step allocates and frees.

    window = Window(steps=12)
    for step in range(12):
        window.block("Relu", 65536, born=step + 0.2)              # survives
        window.block("Mul", 1024, born=step + 0.3, freed=step + 0.5)
    trace = window.trace()

Moments are in steps: 3.25 is a quarter into step 3. The allocator's counters are those of an
allocator that reports everything, unless events are taken out with `drop`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tensorboard_memleak.model.trace import (
    NO_STACK,
    UNKNOWN,
    EventKind,
    HostTrace,
    Memory,
    MemoryEvents,
    Spans,
    Stacks,
    Thread,
)

STEP_PS = 1_000_000
MARK_PS = 900_000
"""A step's own marker covers nine tenths of it; the rest lies between markers."""
BASELINE_BYTES = 1 << 20
CAPACITY_BYTES = 1 << 30


@dataclass(frozen=True)
class Event:
    """One allocator event; `size` is what the block takes, `requested` what was asked for."""

    moment: float
    kind: EventKind
    address: int
    requested: int
    size: int
    op: str = ""
    shape: str = ""
    dtype: str = ""
    region: str = ""
    stack: tuple[str, ...] = ()
    thread: int = 0


@dataclass
class Window:
    """Events and marks of one memory under construction."""

    steps: int
    marked: bool = True
    events: list[Event] = field(default_factory=list)
    dropped: list[Event] = field(default_factory=list)
    next_address: int = 0x1000

    def block(
        self,
        op: str,
        requested: int,
        born: float | None,
        freed: float | None = None,
        *,
        size: int | None = None,
        address: int | None = None,
        shape: str = "",
        dtype: str = "",
        region: str = "",
        stack: tuple[str, ...] = (),
        thread: int = 0,
    ) -> int:
        """Add one block and return its address; without `born` it is from before the window.

        `stack` is outermost first, as a person would nest spans.
        """
        size = requested if size is None else size
        if address is None:
            address, self.next_address = self.next_address, self.next_address + max(size, 256)
        kept = (op, shape, dtype, region, stack, thread)
        if born is not None:
            self.events.append(Event(born, EventKind.ALLOCATION, address, requested, size, *kept))
        if freed is not None:
            self.events.append(Event(freed, EventKind.DEALLOCATION, address, requested, size))
        return address

    def drop(self, index: int) -> None:
        """Take an event out of the capture; the allocator's counters still count it."""
        self.dropped.append(self.events[index])

    def trace(self, memory_id: str = "GPU_0_bfc") -> HostTrace:
        """Return the capture of one memory."""
        ordered = sorted(self.events, key=lambda event: event.moment)
        strings: dict[str, int] = {"": 0}
        stacks = _StackTree(strings)
        columns = [_row(event, strings, stacks) for event in ordered]
        change = [
            event.size if event.kind == EventKind.ALLOCATION else -event.size for event in ordered
        ]
        in_use = BASELINE_BYTES + np.cumsum(np.array(change, np.int64))
        shown = np.array([event not in self.dropped for event in ordered], bool)
        events = _events(columns, in_use.astype(np.int64), shown)
        starts = np.arange(self.steps if self.marked else 0, dtype=np.int64) * STEP_PS
        marks = spans(
            strings,
            [("train", int(start), int(start) + MARK_PS, n) for n, start in enumerate(starts)],
        )
        return HostTrace(
            host="host0",
            origin_ns=0,
            start_ps=0,
            end_ps=self.steps * STEP_PS,
            strings=tuple(strings),
            stacks=stacks.columns(),
            threads=(Thread(1, "python"), Thread(-2, "worker")),
            memories=(Memory(memory_id, events),),
            step_marks=marks,
            module_runs=spans(strings, []),
            programs=(),
            frameworks=(),
            notices=(),
        )


def intern(strings: dict[str, int], text: str) -> int:
    """Return the index of a string, taking it in if it is new."""
    return strings.setdefault(text, len(strings))


def spans(
    strings: dict[str, int],
    rows: list[tuple[str, int, int, int]],
    thread: int | list[int] = 0,
) -> Spans:
    """Return spans of (name, start_ps, end_ps, number) in order of start."""
    threads = thread if isinstance(thread, list) else [thread] * len(rows)
    order = sorted(range(len(rows)), key=lambda i: (rows[i][1], -rows[i][2]))
    return Spans(
        name=np.array([intern(strings, rows[i][0]) for i in order], np.int32),
        start_ps=np.array([rows[i][1] for i in order], np.int64),
        end_ps=np.array([rows[i][2] for i in order], np.int64),
        number=np.array([rows[i][3] for i in order], np.int64),
        level=np.ones(len(order), np.int32),
        thread=np.array([threads[i] for i in order], np.int32),
    )


def with_spans(
    trace: HostTrace, rows: list[tuple[str, int, int, int]], thread: int | list[int] = 0
) -> HostTrace:
    """Return a trace whose step marks are these."""
    strings = {text: index for index, text in enumerate(trace.strings)}
    marks = spans(strings, rows, thread)
    return replace(trace, step_marks=marks, strings=tuple(strings))


def _row(event: Event, strings: dict[str, int], stacks: _StackTree) -> tuple[int, ...]:
    return (
        round(event.moment * STEP_PS),
        int(event.kind),
        event.address,
        event.requested,
        event.size,
        intern(strings, event.op),
        intern(strings, event.region),
        intern(strings, event.shape),
        intern(strings, event.dtype),
        event.thread,
        stacks.node(event.stack),
    )


def _events(columns: list[tuple[int, ...]], in_use: np.ndarray, shown: np.ndarray) -> MemoryEvents:
    table = np.array(columns, np.int64).reshape(-1, 11)[shown]
    in_use = in_use[shown]
    time, kind, address, requested, size, op, region, shape, dtype, thread, stack = table.T
    count = len(table)
    return MemoryEvents(
        time_ps=time,
        kind=kind.astype(np.uint8),
        address=address.astype(np.uint64),
        requested_bytes=requested,
        allocation_bytes=size,
        bytes_in_use=in_use,
        bytes_reserved=np.zeros(count, np.int64),
        bytes_available=CAPACITY_BYTES - in_use,
        peak_bytes_in_use=np.maximum.accumulate(in_use) if count else in_use,
        fragmentation=np.zeros(count),
        op=op.astype(np.int32),
        region=region.astype(np.int32),
        shape=shape.astype(np.int32),
        dtype=dtype.astype(np.int32),
        step_id=np.full(count, UNKNOWN, np.int64),
        thread=thread.astype(np.int32),
        stack=stack.astype(np.int32),
    )


class _StackTree:
    """Stacks under construction, as `model.trace.Stacks` keeps them."""

    def __init__(self, strings: dict[str, int]) -> None:
        self._strings = strings
        self._nodes: dict[tuple[int, str], int] = {}
        self._parents, self._frames = [NO_STACK], [0]

    def node(self, stack: tuple[str, ...]) -> int:
        """Return the node of a stack given outermost first."""
        node = NO_STACK
        for frame in stack:
            found = self._nodes.get((node, frame))
            if found is None:
                found = self._nodes[node, frame] = len(self._parents)
                self._parents.append(node)
                self._frames.append(intern(self._strings, frame))
            node = found
        return node

    def columns(self) -> Stacks:
        """Return the finished tree."""
        return Stacks(np.array(self._parents, np.int32), np.array(self._frames, np.int32))
