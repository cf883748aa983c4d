"""The shape of the package: rings that import inward only, and modules that fit one idea."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "tensorboard_memleak"
REPOSITORY = PACKAGE.parent
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if not path.name.endswith("_pb2.py"))

RINGS = {
    "model": {"model"},
    "analysis": {"model", "analysis"},
    "readers": {"model", "readers", "errors"},
}
"""What each inner ring may import of the package; the outer modules may import every ring."""

EDGES = {"web", "plugin", "loader", "cli"}
"""Thin faces: nothing else may import them."""


FORBIDDEN_IN_CORE = {
    "os",
    "io",
    "pathlib",
    "time",
    "datetime",
    "threading",
    "random",
    "tensorboard",
}
"""No files, no clock, no threads, no TensorBoard where numbers are made."""


def imports_of(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the ring"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def ring_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if parts[0] == "tensorboard_memleak" and len(parts) > 1 else None


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_inward(path: Path) -> None:
    ring = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    imported = {ring_of(name) for name in imports_of(path)} - {None, "__version__"}
    if ring in RINGS:
        assert imported <= RINGS[ring]
    elif ring not in EDGES:
        assert not imported & EDGES


@pytest.mark.parametrize(
    "path", [p for p in MODULES if name_of(p).startswith(("model/", "analysis/"))], ids=name_of
)
def test_the_core_is_pure(path: Path) -> None:
    roots = {name.split(".")[0] for name in imports_of(path)}
    assert not roots & FORBIDDEN_IN_CORE


@pytest.mark.parametrize(
    "path",
    [
        *MODULES,
        *(p for p in (REPOSITORY / "frontend/src").rglob("*.ts*")),
        *(p for p in (REPOSITORY / "tests").rglob("*.py")),
    ],
    ids=lambda path: path.relative_to(REPOSITORY).as_posix(),
)
def test_a_module_holds_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400
