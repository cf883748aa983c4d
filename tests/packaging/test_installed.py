from __future__ import annotations

import json
import subprocess
import urllib.request
from pathlib import Path

import pytest

from tensorboard_memleak import __version__
from tests.e2e.server import tensorboard
from tests.unit.report.example import capture, put


@pytest.fixture(autouse=True)
def away_from_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)


def test_the_installed_package_is_the_one_that_runs(installed: Path) -> None:
    code = "import tensorboard_memleak; print(tensorboard_memleak.__file__)"
    done = subprocess.run([installed, "-c", code], capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()).is_relative_to(installed.parents[1])


def test_memleak_is_on_the_path_and_finds_a_leak(installed: Path, tmp_path: Path) -> None:
    put(tmp_path / "logs", capture())
    memleak = installed.parent / "memleak"
    said = subprocess.run([memleak, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout == f"memleak {__version__}\n"
    done = subprocess.run(
        [memleak, "check", tmp_path / "logs"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert "GPU_0_bfc: Relu [250] float32 leaks 1 KiB" in done.stdout


def test_a_real_tensorboard_lists_the_tab_and_serves_its_page(
    installed: Path, tmp_path: Path
) -> None:
    put(tmp_path / "logs", capture())
    with tensorboard(tmp_path / "logs", python=installed, cwd=tmp_path) as address:
        with urllib.request.urlopen(f"{address}/data/plugins_listing", timeout=60) as reply:
            tab = json.load(reply)["leak_finder"]
        assert tab["tab_name"] == "Leak Finder"
        page = address + tab["loading_mechanism"]["module_path"]
        with urllib.request.urlopen(page, timeout=60) as reply:
            assert reply.status == 200
            assert b"render" in reply.read()
