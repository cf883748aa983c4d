"""What lived on the devices at one moment: a JAX device-memory profile."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from tensorboard_memleak.model.findings import Finding
from tensorboard_memleak.model.trace import Int32, Int64, Notice, Stacks, UInt8


class SampleKind(IntEnum):
    """What a sample counts."""

    OTHER = 0
    BUFFER = 1
    EXECUTABLE = 2


@dataclass(frozen=True, slots=True)
class Samples:
    """One row for what was made by one stack, on one device, of one size.

    `size_bytes` is the total of the `count` things; for executables the generated code, which is
    0 on the CPU. `device` indexes `Snapshot.strings`, `stack` is a node of `Snapshot.stacks`.
    """

    kind: UInt8
    device: Int32
    stack: Int32
    count: Int64
    size_bytes: Int64

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One device-memory profile; `modified_ns` is the file's, `None` if not known."""

    name: str
    path: str
    modified_ns: int | None
    strings: tuple[str, ...]
    stacks: Stacks
    samples: Samples
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class SnapshotSite:
    """What was made at one place, and how much of it lived in each snapshot, in order of time.

    `stack` is that of most of the latest, innermost first; `own_stack` leaves out the frames of
    libraries, unless nothing would be left. `device` names one, or says on how many they live.

    `counts` and `size_bytes` are totals of each snapshot, `more_counts` and `more_bytes` what each
    has more than the one before it, without what merely moved here from another place.
    """

    kind: SampleKind
    device: str
    stack: tuple[str, ...]
    own_stack: tuple[str, ...]
    counts: tuple[int, ...]
    size_bytes: tuple[int, ...]
    more_counts: tuple[int, ...]
    more_bytes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SnapshotComparison:
    """Several snapshots in order of time, what each site held, and what grew.

    `ordered_by` says what the order rests on: `names`, `numbers`, `time` or `alphabet`. Sites with
    most bytes in the last snapshot stand first.
    """

    snapshots: tuple[Snapshot, ...]
    ordered_by: str
    sites: tuple[SnapshotSite, ...]
    findings: tuple[Finding, ...]
    notices: tuple[Notice, ...]
