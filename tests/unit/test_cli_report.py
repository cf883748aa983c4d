"""Where a report goes, in which form, and that a confidential one holds no name."""

from __future__ import annotations

import json
import os
import pty
import re
from pathlib import Path

import pytest

from tensorboard_memleak.cli import main as memleak
from tensorboard_memleak.readers.xplane import read_host_trace
from tensorboard_memleak.report.confidential_names import is_shape
from tests.captures import unpack
from tests.unit.report.example import capture, put

FORMATS = ("text", "json", "csv", "html")


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    put(tmp_path / "logs", capture(op="secret/Relu"), "secret-run", "secret-host")
    return tmp_path / "logs"


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_gets_what_is_printed(
    capsys: pytest.CaptureFixture[str], logdir: Path, tmp_path: Path, form: str
) -> None:
    assert memleak(["report", str(logdir), "--format", form]) == 0
    printed = capsys.readouterr().out
    target = tmp_path / "out"
    before = sorted(logdir.rglob("*"))
    assert memleak(["report", str(logdir), "--format", form, "-o", str(target)]) == 0
    assert capsys.readouterr() == ("", "")
    assert target.read_bytes().decode() == printed
    assert sorted(logdir.rglob("*")) == before


def test_csv_has_a_row_a_finding(capsys: pytest.CaptureFixture[str], logdir: Path) -> None:
    assert memleak(["report", str(logdir), "--format", "csv"]) == 0
    head, row, rest = capsys.readouterr().out.split("\r\n")
    assert head.startswith("run,session,host,about,")
    assert row.startswith("secret-run,2026_01_01_00_00_00,secret-host,memory,GPU_0_bfc,leak,f1,")
    assert rest == ""


def test_html_is_one_document_with_its_data(
    capsys: pytest.CaptureFixture[str], logdir: Path
) -> None:
    assert memleak(["report", str(logdir), "--format", "html"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("<!doctype html>\n")
    assert text.endswith("</html>\n")
    data = re.search(r'id="leak-finder-data">(.*?)</script>', text)
    assert data
    assert "sessions" in json.loads(data[1])


@pytest.mark.parametrize("form", FORMATS)
def test_a_confidential_report_holds_no_name(
    capsys: pytest.CaptureFixture[str], logdir: Path, form: str
) -> None:
    assert memleak(["report", str(logdir), "--confidential", "--format", form]) == 0
    captured = capsys.readouterr()
    for name in ("secret", "GPU_0_bfc", "2026_01_01", "xplane.pb", str(logdir)):
        assert name not in captured.out + captured.err
    assert "op-1" in captured.out
    assert "1024" in captured.out or "1\u202f024" in captured.out


COMMON = {"", "train", "python", "output", "temp", "dynamic"}
"""Names of captures that are also words of ours, of Python or of the page's script."""


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", ["python_frames", "two_rates", "keras_callback"])
def test_no_string_of_a_real_capture_gets_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, name: str
) -> None:
    folder = unpack(name, "the-run", tmp_path)
    assert memleak(["report", str(tmp_path), "--confidential", "--format", form]) == 0
    text = data_of(capsys.readouterr().out)
    trace = read_host_trace((folder / "host0.xplane.pb").read_bytes(), "host0", "")
    names = {one for one in trace.strings if re.search(r"[A-Za-z]{3}", one) and not is_shape(one)}
    found = {one for one in names if re.search(rf"(?<![\w.]){re.escape(one)}(?![\w.])", text)}
    assert len(names) > 8
    assert found <= COMMON
    assert "the-run" not in text


def data_of(text: str) -> str:
    """The data of a page of HTML, of anything else all of it."""
    found = re.search(r'id="leak-finder-data">(.*?)</script>', text)
    return found[1] if found else text


@pytest.mark.parametrize("name", ["jax_append", "jax_donation", "jax_shapes"])
def test_programs_and_snapshots_are_disguised_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    unpack(name, "the-run", tmp_path)
    for form in FORMATS:
        assert memleak(["report", str(tmp_path), "--confidential", "--format", form]) == 0
        text = data_of(capsys.readouterr().out)
        for part in ("jit_", ".py", ".prof", "fusion", "broadcast", "parameters[", "remember"):
            assert part not in text.replace("jax.profiler", ""), (form, part)


def test_a_damaged_file_is_not_named_in_a_confidential_report(
    capsys: pytest.CaptureFixture[str], logdir: Path
) -> None:
    put(logdir, capture()[:-100], "secret-run", "secret-damaged")
    assert memleak(["report", str(logdir), "--confidential", "--format", "json"]) == 0
    captured = capsys.readouterr()
    assert "secret" not in captured.out + captured.err
    assert "host-" in captured.err


@pytest.mark.parametrize("target", ["host.xplane.pb", "step.hlo_proto.pb", "memory.prof"])
def test_a_profile_is_never_written_over(
    capsys: pytest.CaptureFixture[str], logdir: Path, tmp_path: Path, target: str
) -> None:
    assert memleak(["report", str(logdir), "-o", str(tmp_path / target)]) == 2
    assert "has the name of a profile" in capsys.readouterr().err
    assert not (tmp_path / target).exists()


def test_the_file_that_is_read_is_not_written_over(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "copy"
    path.write_bytes(capture())
    assert memleak(["report", str(path), "-o", str(path)]) == 2
    assert path.read_bytes() == capture()


def test_a_file_that_cannot_be_written_is_told(
    capsys: pytest.CaptureFixture[str], logdir: Path, tmp_path: Path
) -> None:
    target = tmp_path / "none" / "out.html"
    assert memleak(["report", str(logdir), "-o", str(target)]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"memleak: {target} cannot be written: No such file or directory. "
        "Name another file with -o.\n"
    )


def test_a_terminal_is_not_flooded_with_html(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, logdir: Path
) -> None:
    leader, follower = pty.openpty()
    with os.fdopen(follower, "w") as terminal, monkeypatch.context() as patched:
        patched.setattr("sys.stdout", terminal)
        assert memleak(["report", str(logdir), "--format", "html"]) == 2
    os.close(leader)
    assert "Name a file with -o." in capsys.readouterr().err


def test_nothing_readable_writes_no_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    put(tmp_path, b"\xff\xff")
    target = tmp_path / "out.html"
    assert memleak(["report", str(tmp_path), "--format", "html", "-o", str(target)]) == 2
    assert not target.exists()
    assert "vm.xplane.pb" in capsys.readouterr().err
