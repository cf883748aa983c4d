"""Whose function a module is: the person's own, or one that the framework compiles behind it."""

from __future__ import annotations

import re
from typing import Final, Literal

from tensorboard_memleak.model.program import Program

Origin = Literal["own", "framework", "unknown"]

_PREFIX: Final = re.compile(r"^(?:jit|pjit|pmap|xmap|shard_map)_+")
_NOT_WORD: Final = re.compile(r"\W+")


def function_name(program: Program) -> str:
    """Return the name of the Python function that was compiled, as far as the module keeps it."""
    return compiled_name(program.name)


def compiled_name(module: str) -> str:
    """Return the name of the function behind a module's name: `step` of `jit_step(8)`."""
    return _PREFIX.sub("", module.partition("(")[0])


def origin(program: Program) -> Origin:
    """Tell whether the person wrote the function, by whether it is on its own source stacks.

    Stacks hold the person's frames alone. A function of theirs was entered when its operations
    were traced, so that its name is on them; `jnp.add` called from `main` shows `main`. Blind
    spot: a function compiled under another name than its own counts as the framework's.
    """
    called = {plain_name(text.rpartition(" ")[2]) for text in _frames(program)}
    if not called:
        return "unknown"
    return "own" if plain_name(function_name(program)) in called else "framework"


def _frames(program: Program) -> list[str]:
    """Return the text of every frame, `file:line function`."""
    return [program.strings[index] for index in set(program.stacks.frame[1:].tolist())]


def plain_name(qualified: str) -> str:
    """Reduce a qualified name to how XLA spells it: `f.<locals>.<lambda>` becomes `lambda`."""
    return _NOT_WORD.sub("_", qualified.rpartition(".")[2]).strip("_")
