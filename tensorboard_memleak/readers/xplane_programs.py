"""Where the HLO modules of a capture lie: extents only, since one module may be many megabytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from tensorboard_memleak.model.trace import ProgramRef
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import LENGTH, read_fields, signed
from tensorboard_memleak.readers.xplane_space import Extent, Plane, text_of
from tensorboard_memleak.readers.xplane_tables import parse_head

METADATA_PLANE: Final = "/host:metadata"

_HLO_STAT: Final = "hlo proto"
"""Compared without case: libtpu writes "HLO Proto", everybody else "Hlo Proto"."""
_PROGRAM_ID_STAT: Final = "program_id"
_ID_IN_NAME: Final = re.compile(r"\(([0-9]{1,20})\)\s*$")

_KEY, _VALUE = 1, 2
_NAME, _STATS = 2, 5
_STAT_ID, _STAT_BYTES = 1, 6
_STAT_NUMBERS: Final = (3, 4)


def id_in_name(name: str) -> int | None:
    """Return the program id in a name such as `jit_step(8)`, as int64, or None."""
    found = _ID_IN_NAME.search(name)
    return _as_int64(int(found.group(1))) if found else None


def base_name(name: str) -> str:
    """Return a module's name without the program id behind it."""
    return _ID_IN_NAME.sub("", name)


def ids_by_name(programs: Iterable[ProgramRef]) -> dict[str, list[int]]:
    """Return the ids of the programs of each base name."""
    ids: dict[str, list[int]] = {}
    for program in programs:
        ids.setdefault(base_name(program.name), []).append(program.program_id)
    return ids


def _as_int64(value: int) -> int:
    return signed(value & (1 << 64) - 1)


def read_programs(view: Source, plane: Plane, path: str) -> list[ProgramRef]:
    """Return the modules of a metadata plane.

    A program's id is its stat, else the number in its name, else the key of its metadata. Ids are
    hashes of 64 bits that producers write signed or unsigned: here they are always int64.
    """
    names = {
        key: text_of(stat.name).lower()
        for key, stat in parse_head(view, plane.head).stat_metadata.items()
    }
    refs = []
    for entry in _entries(view, plane.event_metadata):
        ref = _read_program(view, entry, names, path)
        if ref is not None:
            refs.append(ref)
    return refs


def _entries(view: Source, runs: list[Extent]) -> Iterator[Extent]:
    for start, end in runs:
        for item in read_fields(view, start, end):
            if item.kind == LENGTH:
                yield item.start, item.end


def _read_program(
    view: Source, entry: Extent, names: dict[int, str], path: str
) -> ProgramRef | None:
    key, name, program_id = 0, "", None
    module: Extent | None = None
    for item in read_fields(view, *entry):
        if item.number == _KEY:
            key = signed(item.value)
        elif item.number == _VALUE and item.kind == LENGTH:
            for part in read_fields(view, item.start, item.end):
                if part.number == _NAME and part.kind == LENGTH:
                    name = text_of(bytes(view[part.start : part.end]))
                elif part.number == _STATS and part.kind == LENGTH:
                    stat_name, number, extent = _read_stat(view, (part.start, part.end), names)
                    if stat_name == _HLO_STAT and extent is not None:
                        module = extent
                    elif stat_name == _PROGRAM_ID_STAT and number is not None:
                        program_id = number
    if module is None:
        return None
    if program_id is None:
        program_id = id_in_name(name)
    start, end = module
    return ProgramRef(name, key if program_id is None else program_id, path, start, end - start)


def _read_stat(
    view: Source, extent: Extent, names: dict[int, str]
) -> tuple[str, int | None, Extent | None]:
    stat_id, number, value = 0, None, None
    for item in read_fields(view, *extent):
        if item.number == _STAT_ID:
            stat_id = signed(item.value)
        elif item.number in _STAT_NUMBERS:
            number = signed(item.value)
        elif item.number == _STAT_BYTES and item.kind == LENGTH:
            value = (item.start, item.end)
    return names.get(stat_id, ""), number, value
