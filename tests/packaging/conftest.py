"""Builds the distributions once, and installs the wheel once."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.packaging.built import Distributions, Installed, copy_tree, set_traps


@pytest.fixture(scope="session")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> Distributions:
    """Build the sdist from the tree, and the wheel from the sdist, as `python -m build` does.

    The build tools are those of this environment (`--no-isolation`): an isolated build would fetch
    the same setuptools again.
    """
    base = tmp_path_factory.mktemp("distributions")
    source, out, traps, mark = (base / name for name in ("source", "out", "traps", "mark"))
    sources = copy_tree(source)
    set_traps(traps, mark)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)],
        env={**os.environ, "PATH": f"{traps}{os.pathsep}{os.environ['PATH']}"},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    (wheel,), (sdist,) = out.glob("*.whl"), out.glob("*.tar.gz")
    return Distributions(wheel, sdist, sources, mark.exists())


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
