"""Device lines that tell what ran when: steps and executions of compiled modules."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.strings import Strings
from tensorboard_memleak.readers.xplane_batch import batches
from tensorboard_memleak.readers.xplane_lines import Line
from tensorboard_memleak.readers.xplane_programs import base_name, id_in_name
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_tables import Tables

STEPS_LINE: Final = "Steps"
MODULES_LINE: Final = "XLA Modules"


def read_device_line(view: Source, line: Line, tables: Tables, strings: Strings) -> SpanRows:
    """Read the spans of one line: the number in a name is the step or the program's id."""
    rows = SpanRows()
    for batch in batches(view, [line]):
        timed = np.flatnonzero(batch.timed)
        event_row = tables.event_ids.rows(batch.metadata_id)[timed]
        distinct, where = np.unique(event_row, return_inverse=True)
        named = [split_id(tables.event_names[row]) for row in distinct.tolist()]
        names = np.array([strings.intern(name) for name, _ in named], np.int32)[where]
        ids = np.array([number for _, number in named], np.int64)[where]
        rows.add(batch.line[timed], batch.offset_ps[timed], batch.end_ps[timed], names, ids)
    return rows


def split_id(name: str) -> tuple[str, int]:
    """Return a name without its number, and the number: `jit_f(8)` or, for a step, `8`."""
    if name.isascii() and name.isdecimal() and len(name) < 19:
        return name, int(name)
    program_id = id_in_name(name)
    return (name, UNKNOWN) if program_id is None else (base_name(name), program_id)
