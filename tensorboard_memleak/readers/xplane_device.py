"""Device lines that tell what ran when: steps and executions of compiled modules."""

from __future__ import annotations

from typing import Final

import numpy as np

from tensorboard_memleak.model.trace import UNKNOWN
from tensorboard_memleak.readers.xplane_lines import Line, batches
from tensorboard_memleak.readers.xplane_programs import id_in_name
from tensorboard_memleak.readers.xplane_spans import SpanRows
from tensorboard_memleak.readers.xplane_tables import Tables

STEPS_LINE: Final = "Steps"
MODULES_LINE: Final = "XLA Modules"


def read_device_line(view: memoryview, line: Line, number: int, tables: Tables) -> SpanRows:
    """Read the spans of one line: the name's own number is the step or the program id."""
    rows = SpanRows()
    for batch in batches(view, line):
        timed = np.flatnonzero(batch.timed)
        event_row = tables.event_ids.rows(batch.metadata_id)[timed]
        start = batch.offset_ps[timed]
        end = start + batch.duration_ps[timed]
        distinct, where = np.unique(event_row, return_inverse=True)
        numbers = [_number_of(tables.event_names[row]) for row in distinct.tolist()]
        ids = np.array(numbers, np.int64)[where]
        level = np.zeros(len(timed), np.int32)
        rows.add(number, tables.event_texts(event_row), start, end, ids, level)
    return rows


def _number_of(name: str) -> int:
    if name.isdecimal():
        return int(name) if len(name) < 19 else UNKNOWN
    program_id = id_in_name(name)
    return UNKNOWN if program_id is None else program_id
