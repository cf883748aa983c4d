"""What is built and where it is installed, from a copy of the tree, where Node is a trap."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "tensorboard_memleak"
NODE_TOOLS = ("node", "npm", "npx", "esbuild")


@dataclass(frozen=True)
class Distributions:
    """What `python -m build` made of which files, and whether it asked for Node on the way."""

    wheel: Path
    sdist: Path
    sources: frozenset[str]
    node_was_called: bool


@dataclass(frozen=True)
class Installed:
    """An environment that holds the wheel."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.script("python")

    def script(self, name: str) -> Path:
        """One of its commands."""
        return Path(sysconfig.get_path("scripts", "venv", {"base": str(self.folder)})) / name


def files_of_the_tree() -> list[str]:
    """Everything that a commit of the tree as it is now would hold."""
    if not (REPOSITORY / ".git").exists():
        pytest.skip("what belongs to the tree is known in a git checkout only")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
        text=True,
    )
    names = [name for name in listed.stdout.split("\0") if name]
    return [name for name in names if (REPOSITORY / name).is_file()]


def copy_tree(target: Path) -> frozenset[str]:
    """Copy the tree and return the names of what was copied."""
    # Megabytes of captures are left out: no distribution needs them for being whole.
    names = [one for one in files_of_the_tree() if not one.startswith("tests/captures/data/")]
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, target / name)
    return frozenset(names)


def set_traps(folder: Path, mark: Path) -> None:
    """Put commands of Node's names into a folder: whoever calls one leaves a mark and fails."""
    folder.mkdir()
    for tool in NODE_TOOLS:
        trap = folder / tool
        trap.write_text(f"#!/bin/sh\necho {tool} >> '{mark}'\nexit 1\n", encoding="utf-8")
        trap.chmod(0o755)
