"""What snapshots hold, grouped by the place in the person's own code that made it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise

from tensorboard_memleak.analysis.own_code import LIBRARY, own_stack
from tensorboard_memleak.model.snapshot import SampleKind, Snapshot, SnapshotSite

_Key = tuple[SampleKind, tuple[str, ...]]


class _Holding:
    """What one site holds in one snapshot: how many things of each size."""

    def __init__(self) -> None:
        self.of_size: Counter[int] = Counter()
        self.devices: set[str] = set()
        self.stacks: Counter[tuple[str, ...]] = Counter()


def snapshot_sites(snapshots: Sequence[Snapshot]) -> tuple[SnapshotSite, ...]:
    """Return every site of ordered snapshots, the one with most bytes in the last one first.

    Buffers are grouped by their innermost own frame: the same line is reached through other
    frames of the framework on its first call, and from another line of a script after each
    snapshot. Executables are grouped by the frames down from there: one line may compile several
    operations, each once. Devices are added up.
    """
    held = [_holdings(snapshot) for snapshot in snapshots]
    keys = dict.fromkeys(key for holdings in held for key in holdings)
    totals = [_totals(holdings) for holdings in held]
    sites = [_site(key, [holdings.get(key) for holdings in held], totals) for key in keys]
    return tuple(
        sorted(sites, key=lambda site: (-site.size_bytes[-1], -site.counts[-1], site.own_stack))
    )


def _holdings(snapshot: Snapshot) -> dict[_Key, _Holding]:
    samples = snapshot.samples
    paths = {
        node: tuple(snapshot.strings[frame] for frame in snapshot.stacks.path(node))
        for node in set(samples.stack.tolist())
    }
    found: dict[_Key, _Holding] = defaultdict(_Holding)
    columns = (samples.kind, samples.stack, samples.device, samples.count, samples.size_bytes)
    for number, node, device, count, size in zip(*(c.tolist() for c in columns), strict=True):
        kind = SampleKind(number)
        stack = paths[node]
        holding = found[kind, _place(kind, stack)]
        holding.of_size[size // count if count else 0] += count
        holding.stacks[stack] += count
        holding.devices.add(snapshot.strings[device])
    return found


def _place(kind: SampleKind, stack: tuple[str, ...]) -> tuple[str, ...]:
    """Return what of a stack identifies a site."""
    own = next((place for place, frame in enumerate(stack) if not LIBRARY.search(frame)), 0)
    return stack[own : own + 1] if kind == SampleKind.BUFFER else stack[: own + 1]


def _totals(holdings: dict[_Key, _Holding]) -> dict[SampleKind, Counter[int]]:
    """Return how many things of each size one snapshot holds in all."""
    totals: dict[SampleKind, Counter[int]] = defaultdict(Counter)
    for (kind, _), holding in holdings.items():
        totals[kind].update(holding.of_size)
    return totals


def _site(
    key: _Key, held: list[_Holding | None], totals: list[dict[SampleKind, Counter[int]]]
) -> SnapshotSite:
    kind = key[0]
    sizes = [holding.of_size if holding else Counter() for holding in held]
    present = [holding for holding in held if holding is not None]
    devices = {device for holding in present for device in holding.devices} - {""}
    stack = present[-1].stacks.most_common(1)[0][0]
    more = [
        _more(sizes[i], sizes[i + 1], totals[i][kind], totals[i + 1][kind])
        for i in range(len(held) - 1)
    ]
    return SnapshotSite(
        kind=kind,
        device=f"{len(devices)} devices" if len(devices) > 1 else "".join(devices),
        stack=stack,
        own_stack=own_stack(stack),
        counts=tuple(sum(of_size.values()) for of_size in sizes),
        size_bytes=tuple(sum(size * n for size, n in of_size.items()) for of_size in sizes),
        more_counts=tuple(count for count, _ in more),
        more_bytes=tuple(size for _, size in more),
    )


def _more(
    before: Counter[int], after: Counter[int], all_before: Counter[int], all_after: Counter[int]
) -> tuple[int, int]:
    """Return by how many things and bytes a site grew.

    Of each size no more is counted than the whole snapshot has more of it: an array that is
    replaced by an equal one from another line has moved, and nothing grew.
    """
    count = size_bytes = 0
    for size in before.keys() | after.keys():
        change = after[size] - before[size]
        if change > 0:
            change = min(change, max(0, all_after[size] - all_before[size]))
        count += change
        size_bytes += change * size
    return count, size_bytes


def are_of_one_program(snapshots: Sequence[Snapshot]) -> bool:
    """Whether every snapshot has a file of the person's own code in common with the one before.

    Empty snapshots, and those without stacks, go with everything.
    """
    files = [found for found in map(_own_files, snapshots) if found]
    return all(not before.isdisjoint(after) for before, after in pairwise(files))


def _own_files(snapshot: Snapshot) -> set[str]:
    frames = {snapshot.strings[frame] for frame in snapshot.stacks.frame[1:].tolist()}
    own = (frame for frame in frames if not LIBRARY.search(frame))
    return {frame.partition(" ")[0].rpartition(":")[0] for frame in own}
