"""Builds the distributions once, from a copy of the tree, where Node is a trap."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
PACKAGE = REPOSITORY / "tensorboard_memleak"
NODE_TOOLS = ("node", "npm", "npx", "esbuild")


@dataclass(frozen=True)
class Distributions:
    """What `python -m build` made, and whether it asked for Node on the way."""

    wheel: Path
    sdist: Path
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
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
        text=True,
    )
    names = [name for name in listed.stdout.split("\0") if name]
    return [name for name in names if (REPOSITORY / name).is_file()]


def copy_tree(target: Path) -> None:
    for name in files_of_the_tree():
        if name.startswith(("tests/captures/data/", "bench/")):
            continue  # megabytes that no distribution needs for being whole
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(REPOSITORY / name, target / name)


def set_traps(folder: Path, mark: Path) -> None:
    """Put commands of Node's names into a folder: whoever calls one leaves a mark and fails."""
    folder.mkdir()
    for tool in NODE_TOOLS:
        trap = folder / tool
        trap.write_text(f"#!/bin/sh\necho {tool} >> '{mark}'\nexit 1\n", encoding="utf-8")
        trap.chmod(0o755)


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Build the sdist from the tree, and the wheel from the sdist, as `python -m build` does.

    The build tools are those of this environment (`--no-isolation`): an isolated build would fetch
    the same setuptools again.
    """
    base = tmp_path_factory.mktemp("distributions")
    source, out, traps, mark = (base / name for name in ("source", "out", "traps", "mark"))
    copy_tree(source)
    set_traps(traps, mark)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)],
        env={**os.environ, "PATH": f"{traps}{os.pathsep}{os.environ['PATH']}"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Distributions(wheel, sdist, mark.exists())


@pytest.fixture(scope="session")
def installed(distributions: Distributions, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel into a fresh environment that borrows its dependencies from this one.

    Borrowed: TensorBoard, numpy and whatever else is imported, by a path file. Not borrowed: this
    package, which is the wheel's. `test_everything_installs_from_nothing` borrows nothing.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(Installed(folder).python)]
    subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--no-index", str(distributions.wheel)],
        check=True,
    )
    site = sysconfig.get_path("purelib", "venv", {"base": str(folder)})
    lenders = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(site) / "borrowed.pth").write_text("\n".join(sorted(lenders)), encoding="utf-8")
    return Installed(folder)
