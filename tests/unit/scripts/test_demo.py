"""The demo's process tree ends whole, whichever of its processes is told to end, and how."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[3]
START_TIMEOUT_S = 120
END_TIMEOUT_S = 30

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

#: As the Makefile's demo runs it, without the set-up before it.
RECIPE = "SHELL := /bin/sh\n.SHELLFLAGS := -euc\ndemo:\n\t@exec {python} -m scripts.demo --port 0\n"


class Demo:
    """A demo under make, in a session of its own, with every process that it started."""

    def __init__(self, makefile: Path) -> None:
        makefile.write_text(RECIPE.format(python=sys.executable), "utf-8")
        self.make = subprocess.Popen(
            ["make", "-f", str(makefile), "demo"],
            cwd=REPOSITORY,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
            # pytest in the background of a shell ignores SIGINT, which children inherit.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        assert self.make.stdout
        self.url = ""
        for line in self.make.stdout:
            if "Leak Finder is at" in line:
                self.url = line.split()[-1]
                break

    def processes(self) -> list[int]:
        """The processes of make's session that are still running."""
        found = []
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with suppress(OSError):
                    state, _, _, session = (
                        (folder / "stat").read_text().rpartition(")")[2].split()[:4]
                    )
                    if int(session) == self.make.pid and state != "Z":
                        found.append(int(folder.name))
        return found

    def left_after(self, signal_number: int, pid: int) -> list[int]:
        """Send a signal to one process and return what is left of all of them after a while."""
        os.kill(pid, signal_number)
        deadline = time.monotonic() + END_TIMEOUT_S
        while self.processes() and time.monotonic() < deadline:
            self.make.poll()
            time.sleep(0.1)
        return self.processes()

    def end(self) -> None:
        """End whatever is left."""
        for pid in self.processes():
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.make.wait(END_TIMEOUT_S)
        assert self.make.stdout
        self.make.stdout.close()


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Demo]:
    started = Demo(tmp_path / "Makefile")
    try:
        yield started
    finally:
        started.end()


def test_the_recipe_is_the_makefiles() -> None:
    assert "\t@exec $(PY) -m scripts.demo --port $(PORT)" in (REPOSITORY / "Makefile").read_text()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"])
def test_nothing_outlives_make(demo: Demo, name: str) -> None:
    with urllib.request.urlopen(demo.url, timeout=30) as reply:
        assert reply.status == 200
    assert len(demo.processes()) >= 2  # make and the demo: both would be left behind
    assert demo.left_after(signal.Signals[name], demo.make.pid) == []


def test_nothing_outlives_the_demo_itself(demo: Demo) -> None:
    (child,) = (
        int(pid)
        for pid in Path(f"/proc/{demo.make.pid}/task/{demo.make.pid}/children").read_text().split()
    )
    assert demo.left_after(signal.SIGKILL, child) == []
