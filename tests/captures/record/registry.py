"""Scenarios: small programs with a known truth, each leak beside the same program with the fix.

A scenario is one function `f(window, fixed)`. It is recorded twice, as `f` and as `f_fixed`; the
code under `if fixed` is the whole difference. What is right of each is declared beside the code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

#: Folder beside this one (`.venv-<name>`) with the framework that records the scenario.
FRAMEWORKS = "record"
WITH_PYTHON_FRAMES = "record-frames"


@dataclass(frozen=True)
class Truth:
    """What a right report says. Names and meanings are those of `truth.json`.

    `accept`: the verdicts that are right. `ops`: one of them stands in the first finding's site.
    `also`: each of them stands in some growth finding. `survivors`: blocks born in the window and
    alive at its end, in all. `requested_bytes_per_step`: the growth. `frame`: a function on the
    first finding's stack. `kind`: that of some finding. `warning`: the code of one. The last four
    are for JAX captures without memory events: growth between snapshots, a module compiled again,
    donation, and the bytes that could be donated.
    """

    accept: tuple[str, ...]
    ops: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    survivors: int | None = None
    requested_bytes_per_step: int | None = None
    frame: str | None = None
    kind: str | None = None
    warning: str | None = None
    snapshot_growth: dict[str, Any] | None = None
    recompiled: str | None = None
    donation: str | None = None
    donatable_bytes: int | None = None

    def as_json(self, note: str, twin: str) -> dict[str, Any]:
        """The entry of `truth.json`: what is not told is left out."""
        told = {key: value for key, value in asdict(self).items() if value not in (None, ())}
        return {**told, "twin": twin, "note": note}


def leak(*ops: str, **told: Any) -> Truth:
    """Something grows without end; `ops` are right names of where it comes from."""
    return Truth(accept=told.pop("accept", ("leak",)), ops=ops, **told)


def clean(survivors: int | None = 0, **told: Any) -> Truth:
    """Nothing grows without end."""
    return Truth(accept=told.pop("accept", ("no_leak",)), survivors=survivors, **told)


def no_events(**told: Any) -> Truth:
    """The allocator of this capture reports nothing."""
    return Truth(accept=("no_events",), **told)


@dataclass(frozen=True)
class Scenario:
    """One program, recorded with and without its fix."""

    record: Callable[[Any, bool], None]
    note: str
    leaky: Truth
    fixed: Truth
    environment: str = FRAMEWORKS
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The capture's name; the twin's is `<name>_fixed`."""
        return self.record.__name__

    def truths(self) -> dict[str, dict[str, Any]]:
        """Both entries of `truth.json`."""
        name, twin = self.name, f"{self.name}_fixed"
        return {
            name: self.leaky.as_json(self.note, twin),
            twin: self.fixed.as_json(f"the fix of {name}", name),
        }


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    note: str,
    *,
    leaky: Truth,
    fixed: Truth,
    environment: str = FRAMEWORKS,
    variables: dict[str, str] | None = None,
) -> Callable[[Callable[[Any, bool], None]], Callable[[Any, bool], None]]:
    """Register a scenario; `note` says in words what leaks and what the fix is."""

    def register(record: Callable[[Any, bool], None]) -> Callable[[Any, bool], None]:
        entry = Scenario(record, note, leaky, fixed, environment, variables or {})
        assert entry.name not in SCENARIOS, f"two scenarios are called {entry.name}"
        SCENARIOS[entry.name] = entry
        return record

    return register
