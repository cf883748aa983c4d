"""The installed wheel at work: TensorBoard lists the tab and serves it, the command reports."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.parse
import urllib.request
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import tensorboard
from tests.packaging.built import Distributions, Installed
from tests.xspace_builder import XSpace

SESSION = "2026_01_02_03_04_05"
KEPT_BYTES = 4096
STEPS = 12


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    """A logdir whose one capture keeps a block of each step."""
    space = XSpace()
    python = space.plane("/host:CPU").line("python")
    for step in range(STEPS):
        begin = step * 1_000_000_000
        python.event("train", begin, lasts_ps=900_000_000, step_num=step, _r=1)
        python.allocation(
            begin + 1_000,
            address=0x10000 + step * KEPT_BYTES,
            requested=KEPT_BYTES,
            allocated=KEPT_BYTES,
            in_use=(step + 1) * KEPT_BYTES,
            available=2**30 - (step + 1) * KEPT_BYTES,
            op="Relu",
        )
    folder = tmp_path / "logs" / "train" / "plugins" / "profile" / SESSION
    folder.mkdir(parents=True)
    (folder / "host0.xplane.pb").write_bytes(space.encode())
    return tmp_path / "logs"


def fetch(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=60) as reply:
        body: bytes = reply.read()
        return body


def fetch_json(url: str) -> Any:
    return json.loads(fetch(url))


def run(command: list[str | Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120
    )


def test_it_is_the_wheel_that_is_imported(installed: Installed, tmp_path: Path) -> None:
    asked = run(
        [installed.python, "-c", "import tensorboard_memleak as m; print(m.__file__)"], tmp_path
    )
    assert asked.returncode == 0, asked.stderr
    assert installed.folder in Path(asked.stdout.strip()).parents


def test_tensorboard_lists_and_serves_the_tab(
    installed: Installed, logdir: Path, tmp_path: Path
) -> None:
    with tensorboard(logdir, python=installed.python, cwd=tmp_path) as address:
        entry = fetch_json(f"{address}/data/plugins_listing")["leak_finder"]
        assert entry["enabled"] is True
        assert entry["tab_name"] == "Leak Finder"
        page = fetch(address + entry["loading_mechanism"]["module_path"])
        assert b"render" in page

        data = f"{address}/data/plugin/leak_finder"
        (session,) = fetch_json(f"{data}/sessions")["sessions"]
        assert session["id"] == f"train/{SESSION}"
        asked = urllib.parse.urlencode({"session": session["id"]})
        (host,) = fetch_json(f"{data}/report?{asked}")["sessions"][0]["hosts"]
        (memory,) = host["memories"]
        assert memory["verdict"] == "leak"
        assert memory["totals"]["growth_bytes_per_step"] == KEPT_BYTES


def test_the_command_finds_the_leak(installed: Installed, logdir: Path, tmp_path: Path) -> None:
    told = run([installed.script("memleak"), "report", logdir, "--format", "json"], tmp_path)
    assert told.returncode == 0, told.stderr
    memory = json.loads(told.stdout)["sessions"][0]["hosts"][0]["memories"][0]
    assert memory["findings"][0]["bytes_per_step"] == KEPT_BYTES
    assert run([installed.script("memleak"), "check", logdir], tmp_path).returncode == 1


@pytest.mark.skipif(
    not os.environ.get("MEMLEAK_FULL_INSTALL"),
    reason="fetches every dependency, which takes minutes (set MEMLEAK_FULL_INSTALL=1)",
)
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_everything_installs_from_nothing(
    distributions: Distributions, kind: str, logdir: Path, tmp_path: Path
) -> None:
    fresh = Installed(tmp_path / "fresh")
    venv.create(fresh.folder, with_pip=True, symlinks=True)
    what = {"wheel": distributions.wheel, "sdist": distributions.sdist}[kind]
    subprocess.run([fresh.python, "-m", "pip", "install", "--quiet", what], check=True)
    with tensorboard(logdir, python=fresh.python, cwd=tmp_path) as address:
        assert fetch_json(f"{address}/data/plugins_listing")["leak_finder"]["enabled"] is True
