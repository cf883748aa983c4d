"""What the wheel and the sdist hold: all of it, and nothing else."""

from __future__ import annotations

import tarfile
import zipfile
from email.parser import Parser

import pytest

from tests.packaging.built import REPOSITORY, Distributions

PREFIX = "tensorboard_memleak/"


@pytest.fixture(scope="module")
def in_wheel(distributions: Distributions) -> set[str]:
    with zipfile.ZipFile(distributions.wheel) as wheel:
        return set(wheel.namelist())


@pytest.fixture(scope="module")
def in_sdist(distributions: Distributions) -> set[str]:
    with tarfile.open(distributions.sdist) as sdist:
        return {entry.name.partition("/")[2] for entry in sdist if entry.isfile()}


def test_it_builds_without_node(distributions: Distributions) -> None:
    assert not distributions.node_was_called


def test_the_wheel_holds_the_whole_package(
    in_wheel: set[str], distributions: Distributions
) -> None:
    sources = (".proto", ".sh")  # what the generated modules were made from and with
    wanted = {
        name
        for name in distributions.sources
        if name.startswith(PREFIX) and not name.endswith(sources)
    }
    assert {f"{PREFIX}static/index.js", f"{PREFIX}py.typed"} <= wanted
    assert wanted <= in_wheel


@pytest.mark.parametrize("name", ["static/index.js", "schema/report-v1.json", "py.typed"])
def test_the_wheel_holds_what_is_no_module(in_wheel: set[str], name: str) -> None:
    assert PREFIX + name in in_wheel


@pytest.mark.parametrize("name", ["xplane", "hlo", "pprof"])
def test_the_wheel_holds_the_generated_modules(in_wheel: set[str], name: str) -> None:
    assert f"{PREFIX}readers/proto/{name}_pb2.py" in in_wheel


def test_every_chunk_that_the_page_imports_is_there(
    in_wheel: set[str], distributions: Distributions
) -> None:
    built = {name for name in distributions.sources if name.startswith(f"{PREFIX}static/")}
    chunks = {name.rpartition("/")[2] for name in built}
    with zipfile.ZipFile(distributions.wheel) as wheel:
        scripts = [name for name in in_wheel if name.startswith(f"{PREFIX}static/")]
        texts = {name: wheel.read(name).decode() for name in scripts if name.endswith(".js")}
    assert {name.rpartition("/")[2] for name in texts} == chunks
    imported = {
        part.partition(".js")[0] + ".js"
        for text in texts.values()
        for part in text.split("./chunks/")[1:]
    }
    assert imported <= chunks


def test_the_wheel_holds_nothing_else(in_wheel: set[str]) -> None:
    tops = {name.partition("/")[0] for name in in_wheel}
    assert {top for top in tops if not top.endswith(".dist-info")} == {PREFIX.rstrip("/")}
    assert not [name for name in in_wheel if "__pycache__" in name or name.endswith(".map")]


def test_the_wheel_tells_what_it_needs(distributions: Distributions) -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(name).decode())
        entries = wheel.read(name.replace("METADATA", "entry_points.txt")).decode()
        licences = [one for one in wheel.namelist() if one.endswith("LICENSE")]
    required = {line.split(">")[0].split("<")[0] for line in metadata.get_all("Requires-Dist", [])}
    assert required == {
        "tensorboard",
        "tensorboard-plugin-profile",
        "werkzeug",
        "protobuf",
        "numpy",
        "fsspec",
    }
    assert metadata["Requires-Python"] == ">=3.10"
    assert "leak_finder = tensorboard_memleak.loader:LeakFinderLoader" in entries
    assert "memleak = tensorboard_memleak.cli:main" in entries
    assert licences


def test_the_sdist_holds_what_a_developer_needs(
    in_sdist: set[str], distributions: Distributions
) -> None:
    assert distributions.sources - in_sdist == set()


def test_the_sdist_holds_nothing_installed_or_built(in_sdist: set[str]) -> None:
    assert not [name for name in in_sdist if "node_modules" in name or "__pycache__" in name]
    assert not [name for name in in_sdist if name.startswith((".venv", "build/", "dist/"))]


def test_the_licence_is_apache_2() -> None:
    text = (REPOSITORY / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0" in text
