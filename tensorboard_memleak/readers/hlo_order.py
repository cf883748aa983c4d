"""Program order: the schedules of all computations as one sequence of instructions."""

from __future__ import annotations

import numpy as np

from tensorboard_memleak.model.program import NO_ROW
from tensorboard_memleak.model.trace import Int32
from tensorboard_memleak.readers.hlo_faults import Faults
from tensorboard_memleak.readers.proto import hlo_pb2

_HINT = (
    "A module dumped before scheduling has none: record a profile of the running program, or dump "
    "with --xla_dump_to and take the file named *_after_optimizations.hlo.pb."
)


def program_order(
    schedule: hlo_pb2.Schedule,
    entry_id: int,
    protos: list[hlo_pb2.Instruction],
    row_of_id: dict[int, int],
    faults: Faults,
) -> Int32:
    """Return the place of each instruction in program order, `NO_ROW` if it has none.

    The schedule of a called computation (loop body, branch) is laid out just before the
    instruction that calls it first, as XLA's own heap simulation does.
    """
    position = np.full(len(protos), NO_ROW, np.int32)
    if entry_id not in schedule.sequences:
        faults.tell(
            "no_schedule", "The module has no schedule: its program order is unknown.", _HINT
        )
        return position
    entered = {entry_id}
    pending = [iter(schedule.sequences[entry_id].instruction_ids)]
    waiting: list[int] = []  # the caller of each computation in `pending` but the first
    place = 0
    while pending:
        number = next(pending[-1], None)
        if number is None:
            pending.pop()
            row = waiting.pop() if waiting else NO_ROW
        else:
            row = row_of_id.get(number, NO_ROW)
            if row == NO_ROW:
                faults.add("scheduled instructions that do not exist")
                continue
            callees = [
                callee
                for callee in protos[row].called_computation_ids
                if callee in schedule.sequences and callee not in entered
            ]
            if callees:
                entered.update(callees)
                # Only the innermost of several callees hands the turn back to the caller.
                waiting.extend([row, *(NO_ROW for _ in callees[1:])])
                pending.extend(
                    iter(schedule.sequences[callee].instruction_ids) for callee in reversed(callees)
                )
                continue
        if row != NO_ROW:
            position[row] = place
            place += 1
    return position
