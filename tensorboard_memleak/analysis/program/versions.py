"""Versions: the modules that are one function compiled several times."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.analysis.program.functions import compiled_name, plain_name
from tensorboard_memleak.model.program import Program

_COUNTER: Final = re.compile(r"\d+")
_FRAME: Final = re.compile(r"^(?P<file>.*):(?P<line>\d+) (?P<function>.+)$")


def group_versions(programs: Sequence[Program]) -> list[list[int]]:
    """Group the programs that are versions of one function, each in order of their ids.

    Equal names are versions, unless their own frames show different functions (two lambdas).
    JAX's names are the functions'; those of TensorFlow and PyTorch/XLA carry counters, which are
    left out.
    """
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for place, program in enumerate(programs):
        groups[_name(program), _definition(program)].append(place)
    return [sorted(group, key=lambda i: programs[i].program_id) for group in groups.values()]


def _name(program: Program) -> str:
    name = program.name.partition("(")[0]
    return name if name.startswith(("jit_", "pjit_", "pmap_")) else _COUNTER.sub("#", name)


def _definition(program: Program) -> str:
    """Return file and qualified name of the function as its own frames show them, "" if none.

    Of a lambda also the first line: several in one function have the same name.
    """
    wanted = plain_name(compiled_name(program.name))
    found = []
    for index in set(program.stacks.frame[1:].tolist()):
        frame = _FRAME.match(program.strings[index])
        if frame and plain_name(frame["function"]) == wanted:
            line = int(frame["line"]) if frame["function"].endswith("<lambda>") else 0
            found.append((frame["file"], frame["function"], line))
    return " ".join(map(str, min(found))) if found else ""
