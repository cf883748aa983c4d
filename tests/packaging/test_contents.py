from __future__ import annotations

import configparser
import re
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from tensorboard_memleak import __version__
from tests.packaging.conftest import Built

PACKAGE = "tensorboard_memleak"
_SOURCES_ONLY = {".proto", ".sh"}
"""What the generated modules are made from: for those who change them."""


def files_below(folder: Path) -> set[str]:
    return {one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file()}


def metadata(built: Built) -> Message:
    (name,) = (name for name in built.wheel_names if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(built.wheel) as archive:
        return message_from_bytes(archive.read(name))


def test_the_wheel_holds_the_whole_package_and_nothing_else(built: Built) -> None:
    sources = {
        f"{PACKAGE}/{name}"
        for name in files_below(built.sources / PACKAGE)
        if Path(name).suffix not in _SOURCES_ONLY
    }
    packed = {name for name in built.wheel_names if ".dist-info/" not in name}
    assert packed == sources


def test_the_wheel_runs_the_page_the_readers_and_the_schema(built: Built) -> None:
    wanted = {
        f"{PACKAGE}/{name}"
        for name in (
            "static/index.js",
            "onefile/page.js",
            "schema/report-v1.json",
            "py.typed",
            "loader.py",
            "cli/main.py",
            "readers/proto/xplane_pb2.py",
            "readers/proto/hlo_pb2.py",
            "readers/proto/pprof_pb2.py",
        )
    }
    assert wanted <= built.wheel_names


def test_the_sdist_holds_what_is_needed_to_change_and_test_the_package(built: Built) -> None:
    for folder in (PACKAGE, "frontend", "tests", "docs", "requirements", "scripts"):
        missing = {f"{folder}/{one}" for one in files_below(built.sources / folder)}
        missing -= built.sdist_names
        assert missing == set()
    top = {"setup.py", "pyproject.toml", "MANIFEST.in", "Makefile", "README.md", "LICENSE"}
    assert top | {"CHANGELOG.md", "CONTRIBUTING.md", ".ci/run"} <= built.sdist_names


def test_nothing_that_was_installed_or_built_is_packed(built: Built) -> None:
    for name in built.sdist_names | built.wheel_names:
        parts = set(Path(name).parts)
        assert not parts & {"node_modules", "__pycache__", ".cache", ".venv", "build", "dist"}, name
        assert not name.endswith(".pyc"), name


def test_the_metadata_says_who_we_are_and_what_we_need(built: Built) -> None:
    told = metadata(built)
    assert (told["Name"], told["Version"]) == ("tensorboard-memleak", __version__)
    assert told["Requires-Python"] == ">=3.10"
    needed, later = set(), set()
    for requirement in told.get_all("Requires-Dist", []):
        project, _, condition = str(requirement).partition(";")
        (later if condition else needed).add(re.split("[<>=]", project)[0])
    assert later == {"tomli"}  # for Python 3.10 alone
    assert needed == {
        "tensorboard",
        "tensorboard-plugin-profile",
        "werkzeug",
        "protobuf",
        "numpy",
        "fsspec",
    }


def test_the_licence_is_in_the_wheel(built: Built) -> None:
    assert any(name.endswith("/LICENSE") for name in built.wheel_names)


def test_tensorboard_and_the_shell_find_us(built: Built) -> None:
    (name,) = (name for name in built.wheel_names if name.endswith("/entry_points.txt"))
    points = configparser.ConfigParser()
    with zipfile.ZipFile(built.wheel) as archive:
        points.read_string(archive.read(name).decode())
    assert dict(points["tensorboard_plugins"]) == {
        "leak_finder": f"{PACKAGE}.loader:LeakFinderLoader"
    }
    assert dict(points["console_scripts"]) == {"memleak": f"{PACKAGE}.cli:main"}
