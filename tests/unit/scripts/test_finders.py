"""What set-up does where something is missing: install it if it may, else say the one command.

The scripts run with a PATH that holds the few programs they need, a fake `id`, and a fake `apt-get`
that writes down what it was asked for and "installs" by making a program.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[3] / "scripts"
NEEDED = ("sh", "dirname", "cat", "chmod", "env")
GOOD_NODE = "exit 0"
OLD_NODE = 'test "$1" = --version && echo v18.1.0 && exit 0; exit 1'

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts")


@dataclass(frozen=True)
class Machine:
    """A folder of programs that is the whole PATH, and what its apt-get was asked for."""

    bin: Path

    def program(self, name: str, body: str = "exit 0") -> Path:
        """Put a program there."""
        path = self.bin / name
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)
        return path

    def user(self, number: int) -> None:
        """Say who runs the scripts."""
        self.program("id", f"echo {number}")

    def apt_get(self, installs: str = "", body: str = "exit 0", fails: str = "nothing") -> None:
        """Put an apt-get there that installs one program, or fails at one of its verbs."""
        made = f"{self.bin}/{installs}"
        install = (
            f"printf '#!/bin/sh\\n%s\\n' '{body}' >'{made}'; chmod 755 '{made}'"
            if installs
            else ":"
        )
        self.program(
            "apt-get",
            f'echo "$DEBIAN_FRONTEND: $*" >>"{self.bin}/asked"\n'
            "echo this is what apt-get says\n"
            f'test "$1" = {fails} && exit 100\n'
            f'test "$1" = install || exit 0\n'
            f"{install}",
        )

    @property
    def asked(self) -> list[str]:
        """What apt-get was asked for."""
        asked = self.bin / "asked"
        return asked.read_text("utf-8").splitlines() if asked.exists() else []

    def run(self, script: str, *arguments: str, **variables: str) -> tuple[int, str, str]:
        """Run a script; return its status and what it says."""
        done = subprocess.run(
            [str(SCRIPTS / script), *arguments],
            env={"PATH": str(self.bin), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in NEEDED:
        found = shutil.which(name)
        assert found
        (folder / name).symlink_to(found)
    made = Machine(folder)
    made.user(1000)
    return made


BROWSER = ("find_browser.sh", "chromium", "chromium fonts-dejavu-core")
PYTHON = ("find_python.sh", "python3", "python3 python3-venv")
NODE = ("need_node.sh", "npm", "nodejs npm")
ALL = pytest.mark.parametrize(("script", "program", "packages"), [BROWSER, PYTHON, NODE])


@ALL
def test_what_is_there_is_taken(machine: Machine, script: str, program: str, packages: str) -> None:
    machine.apt_get()
    machine.user(0)
    machine.program("node", GOOD_NODE)
    found = machine.program(program)

    status, out, err = machine.run(script)

    assert (status, err, machine.asked) == (0, "", [])
    assert out == ("" if script == "need_node.sh" else f"{found}\n")


@ALL
def test_root_installs_what_is_missing(
    machine: Machine, script: str, program: str, packages: str
) -> None:
    machine.apt_get(installs=program)
    machine.user(0)
    machine.program("node", GOOD_NODE)

    status, out, err = machine.run(script)

    assert status == 0
    assert machine.asked == [
        "noninteractive: update -qq",
        f"noninteractive: install -y -qq --no-install-recommends {packages}",
    ]
    # Only the answer goes to where a caller reads it.
    assert out == ("" if script == "need_node.sh" else f"{machine.bin / program}\n")
    assert "this is what apt-get says" in err


@ALL
def test_a_source_that_does_not_answer_need_not_be_the_one(
    machine: Machine, script: str, program: str, packages: str
) -> None:
    machine.apt_get(installs=program, fails="update")
    machine.user(0)
    machine.program("node", GOOD_NODE)

    assert machine.run(script)[0] == 0


@pytest.mark.parametrize(
    ("script", "program", "packages", "case"),
    [
        (*one, case)
        for one in (BROWSER, PYTHON, NODE)
        for case in ("not root", "no apt-get", "apt-get fails", "installs nothing")
        # What Debian installs as Python is looked for where Debian puts it, and may be there.
        if (one, case) != (PYTHON, "installs nothing")
    ],
)
def test_where_nothing_can_be_installed_the_command_is_told(
    machine: Machine, script: str, program: str, packages: str, case: str
) -> None:
    machine.user(1000 if case == "not root" else 0)
    if case != "no apt-get":
        machine.apt_get(
            installs=program if case == "not root" else "",
            fails="install" if case == "apt-get fails" else "nothing",
        )

    status, out, err = machine.run(script)

    assert (status, out) == (1, "")
    assert f"    sudo apt-get install {packages}\n" in err
    assert bool(machine.asked) == (case in ("apt-get fails", "installs nothing"))


def test_an_old_node_is_named(machine: Machine) -> None:
    machine.program("npm", "echo 9.2.0")
    machine.program("node", OLD_NODE)

    status, _, err = machine.run("need_node.sh")

    assert status == 1
    assert "Found: v18.1.0, npm 9.2.0." in err


def test_a_python_without_venv_is_passed_over(machine: Machine) -> None:
    machine.program("python3", "exit 1")
    machine.program("python3.12")
    named = machine.program("mine")

    assert machine.run("find_python.sh") == (0, f"{machine.bin}/python3.12\n", "")
    assert machine.run("find_python.sh", str(named)) == (0, f"{named}\n", "")


def test_a_browser_that_is_named_is_the_one(machine: Machine) -> None:
    machine.program("chromium")
    named = machine.program("mine")

    found = machine.run("find_browser.sh", MEMLEAK_CHROMIUM=str(named))
    wrong = machine.run("find_browser.sh", MEMLEAK_CHROMIUM="/nowhere/chrome")

    assert found == (0, f"{named}\n", "")
    assert wrong == (1, "", "MEMLEAK_CHROMIUM names no program: /nowhere/chrome\n")
