from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tensorboard_memleak import __version__
from tensorboard_memleak.cli import main as memleak
from tests.unit.report.example import MEMORY, capture, empty_capture, put

COMMAND = [sys.executable, "-m", "tensorboard_memleak.cli"]


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    put(tmp_path, capture(), "leaky", "worker-0")
    put(tmp_path, capture(kept=0), "leaky", "worker-1")
    put(tmp_path, capture(kept=0), "clean")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = memleak([str(one) for one in arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_text_is_the_default(capsys: pytest.CaptureFixture[str], logdir: Path) -> None:
    status, out, err = run(capsys, "report", logdir)
    assert (status, err) == (0, "")
    assert out.startswith("3 memories: 1 leak, 2 nothing leaks\n")
    assert "● LEAK in GPU_0_bfc\n  Relu [250] float32 leaks 1 KiB every step." in out


def test_json_is_the_report_in_ascii(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    put(tmp_path, capture(op="слой\u202e"), "прогон")
    status, out, err = run(capsys, "report", tmp_path, "--format", "json")
    assert (status, err) == (0, "")
    assert out.isascii()
    report = json.loads(out)
    assert report["schema_version"] == 1
    assert report["generator"] == f"tensorboard-memleak {__version__}"
    (session,) = report["sessions"]
    assert session["run"] == "прогон"
    (finding,) = session["hosts"][0]["memories"][0]["findings"]
    assert finding["site"]["op"] == "слой\u202e"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--run", "leaky"], [("leaky", "worker-0"), ("leaky", "worker-1")]),
        (["--run", "clean"], [("clean", "vm")]),
        (["--host", "worker-1"], [("leaky", "worker-1")]),
        (["--session", "clean/2026_01_01_00_00_00"], [("clean", "vm")]),
        (["--run", "leaky", "--host", "worker-0", "--memory", MEMORY], [("leaky", "worker-0")]),
    ],
)
def test_options_narrow_the_report(
    capsys: pytest.CaptureFixture[str],
    logdir: Path,
    options: list[str],
    expected: list[tuple[str, str]],
) -> None:
    status, out, _ = run(capsys, "report", logdir, "--format", "json", *options)
    told = [
        (session["run"], host["host"])
        for session in json.loads(out)["sessions"]
        for host in session["hosts"]
    ]
    assert (status, told) == (0, expected)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--run", "other"], "leaky/2026_01_01_00_00_00"),
        (["--session", "other"], "clean/2026_01_01_00_00_00"),
        (["--host", "other"], "clean/2026_01_01_00_00_00"),
        (["--memory", "other"], "other"),
    ],
)
def test_a_selection_that_fits_nothing_says_what_there_is(
    capsys: pytest.CaptureFixture[str], logdir: Path, options: list[str], named: str
) -> None:
    status, out, err = run(capsys, "report", logdir, *options)
    assert (status, out) == (2, "")
    assert err.startswith("memleak: ")
    assert named in err
    assert err.count("\n") == 1


def test_the_gate_works_with_its_output_closed(logdir: Path) -> None:
    command = " ".join([*COMMAND, "check", str(logdir), ">&-"])
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_session_folder_and_a_single_file_do(
    capsys: pytest.CaptureFixture[str], logdir: Path, tmp_path: Path
) -> None:
    folder = logdir / "leaky" / "plugins" / "profile" / "2026_01_01_00_00_00"
    elsewhere = tmp_path / "any name.pb"
    elsewhere.write_bytes(capture())
    for path in (folder, folder / "worker-0.xplane.pb", elsewhere):
        status, out, err = run(capsys, "check", path)
        assert (status, err) == (1, "")
        assert f"{MEMORY}: Relu [250] float32 leaks 1 KiB every step." in " ".join(out.split())


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (capture(), 1),
        (capture(kept=0), 0),
        (capture(steps=2), 3),
        (empty_capture(), 3),
        (b"", 2),
        (b"<html>not a profile</html>", 2),
    ],
    ids=["leak", "clean", "short", "no events", "empty", "text"],
)
def test_the_gate_has_a_status_for_each_answer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: bytes, status: int
) -> None:
    put(tmp_path, data)
    assert run(capsys, "check", tmp_path)[0] == status
    assert run(capsys, "check", tmp_path, "--format", "json")[0] == status


@pytest.mark.parametrize(
    ("hosts", "status"),
    [
        ({"a": capture(), "b": b""}, 1),
        ({"a": capture(kept=0), "b": b""}, 2),
        ({"a": capture(kept=0), "b": empty_capture()}, 3),
        ({"a": empty_capture(), "b": b""}, 2),
        ({"a": capture(kept=0), "b": capture(kept=0)}, 0),
    ],
)
def test_the_gate_takes_the_gravest_of_several_hosts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, hosts: dict[str, bytes], status: int
) -> None:
    for host, data in hosts.items():
        put(tmp_path, data, host=host)
    assert run(capsys, "check", tmp_path)[0] == status


def test_one_broken_file_hides_no_other(capsys: pytest.CaptureFixture[str], logdir: Path) -> None:
    put(logdir, b"", "broken")
    status, out, err = run(capsys, "report", logdir)
    assert (status, err) == (0, "")
    assert "vm.xplane.pb is empty." in out
    assert "● LEAK in GPU_0_bfc" in out


def test_where_nothing_can_be_read_one_sentence_says_why(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    put(tmp_path, b"")
    status, out, err = run(capsys, "report", tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("memleak: run/2026_01_01_00_00_00 · vm: vm.xplane.pb is empty. ")
    assert err.count("\n") == 1
    status, out, err = run(capsys, "report", tmp_path, "--format", "json")
    assert status == 2
    assert json.loads(out)["sessions"][0]["hosts"][0]["verdict"] is None
    assert "vm.xplane.pb is empty. " in err


def test_a_path_that_is_not_there_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, err = run(capsys, "check", tmp_path / "nosuch\x1b[2J")
    assert (status, out) == (2, "")
    assert r"nosuch\x1b[2J does not exist." in err
    assert "\x1b" not in err


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("", "The path is empty. Name a logdir"),
        ("a" * 5000, "cannot be read: File name too long. Name a logdir"),
        ("leaky/plugins/profile/2026_01_01_00_00_00/worker-0.xplane.pb/x", "/x does not exist."),
        (os.devnull, "/dev/null is no file."),
    ],
)
def test_what_can_be_no_profile_is_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str],
    logdir: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    said: str,
) -> None:
    monkeypatch.chdir(logdir)
    status, out, err = run(capsys, "report", path)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_pipe_is_not_waited_for(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "host.xplane.pb")
    status, _, err = run(capsys, "report", tmp_path / "host.xplane.pb")
    assert (status, "host.xplane.pb is no file." in err) == (2, True)


def test_a_logdir_without_profiles_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, err = run(capsys, "report", tmp_path)
    assert (status, out) == (2, "")
    assert "no profiles" in err


def test_a_profile_out_of_place_is_told(capsys: pytest.CaptureFixture[str], logdir: Path) -> None:
    (logdir / "stray.xplane.pb").write_bytes(capture())
    _, out, _ = run(capsys, "report", logdir)
    assert "stray.xplane.pb" in out
    status, _, err = run(capsys, "check", logdir, "--run", "clean")
    assert status == 0
    assert "stray.xplane.pb" in err


@pytest.mark.parametrize(
    "arguments", [[], ["report"], ["nosuch", "x"], ["check", "x", "--format", "yaml"]]
)
def test_bad_usage_leaves_with_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        memleak(arguments)
    assert left.value.code == 2
    assert "usage: memleak" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["report", "check"])
def test_help_tells_the_exit_statuses(capsys: pytest.CaptureFixture[str], verb: str) -> None:
    with pytest.raises(SystemExit) as left:
        memleak([verb, "--help"])
    assert left.value.code == 0
    assert "exit status" in capsys.readouterr().out


def test_a_fault_of_ours_is_never_taken_for_a_leak(
    capsys: pytest.CaptureFixture[str], logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("tensorboard_memleak.service.opening.open_path", fail)
    status, out, err = run(capsys, "check", logdir)
    assert (status, out) == (2, "")
    assert "RuntimeError: a bug" in err
    assert "fault in memleak" in err


def test_ctrl_c_leaves_quietly(
    capsys: pytest.CaptureFixture[str], logdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tensorboard_memleak.service.opening.open_path", interrupted)
    assert run(capsys, "check", logdir) == (130, "", "")


def test_nothing_is_written_into_the_logdir(
    capsys: pytest.CaptureFixture[str], logdir: Path
) -> None:
    before = sorted(logdir.rglob("*"))
    run(capsys, "report", logdir)
    assert sorted(logdir.rglob("*")) == before


def test_a_reader_that_stops_is_no_error(logdir: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "check", str(logdir)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    complaints = process.stderr.read()
    process.stderr.close()
    assert (process.wait(60), complaints) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("verb", ["report", "check"])
def test_a_full_disk_is_said_and_is_no_leak(logdir: Path, verb: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, verb, str(logdir)], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == (
        "memleak: The result cannot be written: No space left on device."
        " Make room, or write elsewhere.\n"
    )


def test_a_terminal_without_utf8_gets_what_it_can_show(logdir: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        [*COMMAND, "check", str(logdir)], capture_output=True, env=environment, check=False
    )
    assert (done.returncode, done.stderr) == (1, b"")
    assert rb"\u25cf LEAK" in done.stdout


def on_a_terminal(arguments: list[str], **environment: str) -> str:
    """Run memleak with a terminal as its stdout and return what it wrote there."""
    ours, theirs = pty.openpty()
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=theirs,
        env={**inherited, "TERM": "xterm", "PYTHONUTF8": "1", **environment},
    )
    os.close(theirs)
    written = bytearray()
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not chunk:
            break
        written += chunk
    os.close(ours)
    process.wait(60)
    return written.decode()


def test_colour_is_for_terminals(logdir: Path) -> None:
    page = on_a_terminal(["check", str(logdir)])
    assert "\x1b[1;31m● LEAK" in page
    assert set(re.findall(r"\x1b\[[\d;]*m", page)) == {"\x1b[0m", "\x1b[1;31m", "\x1b[1;32m"}


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_turned_off(logdir: Path, environment: dict[str, str]) -> None:
    page = on_a_terminal(["check", str(logdir)], **environment)
    assert "● LEAK" in page
    assert "\x1b" not in page


def test_a_pipe_gets_no_colour(logdir: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "report", str(logdir)], capture_output=True, text=True, check=True
    )
    assert "● LEAK" in done.stdout
    assert "\x1b" not in done.stdout


def test_the_width_is_that_of_the_terminal(logdir: Path) -> None:
    page = on_a_terminal(["report", str(logdir)], NO_COLOR="1", COLUMNS="60")
    assert 50 < max(map(len, page.split("\r\n"))) <= 60


def test_help_imports_neither_numpy_nor_protobuf() -> None:
    code = (
        "import sys\n"
        "from tensorboard_memleak.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(sorted({'numpy', 'google.protobuf', 'tensorboard'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_capture_of_a_megabyte_takes_less_than_half_a_second_of_cpu(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = capture(steps=4500)
    assert len(data) > 1_000_000
    put(tmp_path, data)
    run(capsys, "check", tmp_path)  # the first run pays for the imports
    before = time.process_time()
    status, _, _ = run(capsys, "report", tmp_path)
    assert time.process_time() - before < 0.5
    assert status == 0
