"""One build of the package for all tests here, made from a copy of the sources."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]

_NOT_SOURCES = shutil.ignore_patterns(
    ".git", ".venv*", ".cache", ".*_cache", ".hypothesis", "node_modules", "build", "dist", "out",
    "*.egg-info", "__pycache__", "*.pyc",
)  # fmt: skip


@dataclass(frozen=True)
class Built:
    """What a build left, with the names inside, those of the sdist without its top folder."""

    sources: Path
    wheel: Path
    sdist: Path
    wheel_names: frozenset[str]
    sdist_names: frozenset[str]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build the sdist, and the wheel from the sdist, with no program but Python at hand.

    The build runs in the test environment (--no-isolation), which holds setuptools: an isolated
    one would ask the network for it. PATH is an empty folder, so neither Node nor git can help.
    """
    top = tmp_path_factory.mktemp("packaging")
    sources, made, nothing = top / "sources", top / "made", top / "nothing"
    shutil.copytree(REPOSITORY, sources, ignore=_NOT_SOURCES)
    nothing.mkdir()
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(made), str(sources)],
        check=True,
        env={**os.environ, "PATH": str(nothing)},
        cwd=top,
        stdout=subprocess.DEVNULL,
    )
    (wheel,), (sdist,) = made.glob("*.whl"), made.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        wheel_names = frozenset(archive.namelist())
    with tarfile.open(sdist) as packed:
        files = [one.name for one in packed.getmembers() if one.isfile()]
    sdist_names = frozenset(name.partition("/")[2] for name in files)
    return Built(sources, wheel, sdist, wheel_names, sdist_names)


@pytest.fixture(scope="session")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the wheel into a fresh environment and return that environment's Python.

    Only our own package is installed there. Its dependencies are not downloaded: a .pth file
    borrows them from the test environment, so this does not prove that the ranges in setup.py can
    be resolved (`make test-oldest` installs their lower ends).
    """
    home = tmp_path_factory.mktemp("fresh") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    target = ["--python", str(python), "install", "--no-index", "--no-deps"]
    subprocess.run([*pip, *target, str(built.wheel)], check=True)
    (site_packages,) = home.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (site_packages / "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    return python
