"""The docs name every verb, option, flag, route and parameter, and show what is really printed.

`MEMLEAK_WRITE_DOCS=1 pytest tests/unit/test_docs.py` prints the examples anew.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from tensorboard_memleak.catalog import Format
from tensorboard_memleak.cli.main import _parser, main
from tensorboard_memleak.loader import LeakFinderLoader
from tensorboard_memleak.web import respond, routes
from tensorboard_memleak.web.params import Params
from tests.captures import DEMO, unpack

DOCS = Path(__file__).parents[2] / "docs"
CLI = DOCS / "cli.md"
HTTP = DOCS / "http.md"
EXAMPLE = re.compile(r"(?<=<!-- example -->\n```console\n)\$ (.+)\n([\s\S]*?)(?=```)")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def verbs() -> dict[str, argparse.ArgumentParser]:
    (found,) = (a for a in _parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


def options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (text for text in action.option_strings if text.startswith("--"))


@pytest.mark.parametrize("verb", verbs())
def test_every_verb_has_a_section(verb: str) -> None:
    assert f"\n## `memleak {verb}`\n" in text_of(CLI)


@pytest.mark.parametrize("verb", verbs())
def test_every_option_is_told(verb: str) -> None:
    told = set(re.findall(r"--[a-z_-]+", text_of(CLI)))
    assert set(options(verbs()[verb])) | set(options(_parser())) <= told


def test_every_flag_of_tensorboard_is_told() -> None:
    parser = argparse.ArgumentParser()
    LeakFinderLoader().define_flags(parser)
    flags = set(options(parser)) - {"--help"}
    assert flags
    assert all(f"| `{flag} " in text_of(CLI) for flag in flags)


def section(route: str) -> str:
    found = re.search(rf"\n## `{route}`\n([\s\S]*?)(?=\n## |\Z)", text_of(HTTP))
    assert found, f"docs/http.md has no section on {route}"
    return found[1]


@pytest.mark.parametrize("route", [path.strip("/") for path in routes.ROUTES])
def test_every_route_has_a_section_with_its_parameters(route: str) -> None:
    assert parameters(route) <= set(re.findall(r"`(\w+)`", section(route)))


class _Asked(Params):
    """Parameters that remember what they are asked for."""

    def __init__(self) -> None:
        super().__init__({})
        self.names: set[str] = set()

    def text(self, name: str) -> str:
        self.names.add(name)
        return name

    def optional_text(self, name: str) -> None:
        self.names.add(name)

    def whole(self, name: str, lowest: int = 0, highest: int = 0) -> int:
        self.names.add(name)
        return lowest


def parameters(route: str) -> set[str]:
    """The names of the parameters that a route reads before it turns to the service."""
    asked = _Asked()
    with suppress(Exception):  # whatever the service makes of nonsense
        routes.ROUTES[f"/{route}"](MagicMock(), asked)
    return asked.names


def test_parameters_are_found() -> None:
    assert parameters("sessions") == set()
    assert parameters("timeline") == {
        "session",
        "host",
        "memory",
        "start_ns",
        "end_ns",
        "pixels",
    }


def test_every_status_and_code_of_an_error_is_told() -> None:
    for kind, status in respond._STATUS.items():
        assert f"| {status} | `{kind.code}` |" in text_of(HTTP)


def test_every_format_is_told() -> None:
    told = section("sessions")
    assert all(f"`{name}`" in told for name in Format.__args__)  # type: ignore[attr-defined]


def test_examples_are_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for run, name in DEMO.items():
        unpack(name, run, tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    before = text_of(CLI)

    after = EXAMPLE.sub(lambda found: f"$ {found[1]}\n{printed(found[1])}", before)

    if os.environ.get("MEMLEAK_WRITE_DOCS"):
        CLI.write_text(after, encoding="utf-8")
    else:
        assert after == before, "run: MEMLEAK_WRITE_DOCS=1 pytest tests/unit/test_docs.py"


def printed(command: str) -> str:
    program, *arguments = shlex.split(command)
    assert program == "memleak"
    out = io.StringIO()
    with redirect_stdout(out):
        main(arguments)
    return out.getvalue()


def test_every_page_that_is_linked_is_there() -> None:
    for page in sorted(DOCS.glob("*.md")):
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text_of(page)):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_the_page_and_the_docs_capture_pytorch_alike() -> None:
    page = text_of(DOCS.parent / "frontend" / "src" / "views" / "Capture.tsx")
    recipe = re.search(r'framework: "PyTorch/XLA",\s+code: `([^`]+)`', page)
    assert recipe is not None
    assert "step_num=step" in recipe[1]
    assert f"```python\n{recipe[1]}\n```" in text_of(DOCS / "capturing.md")
