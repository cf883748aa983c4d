from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from tensorboard_memleak.cli.main import main
from tests.hlo_builder import Hlo, f32


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    hlo = Hlo("jit_step", 16)
    main_computation = hlo.computation("main")
    frame = hlo.frame("train.py", 9, "step")
    weight = main_computation.parameter(0, "w", f32(256, 256), op_name="w")
    batch = main_computation.parameter(1, "x", f32(1), op_name="x")
    main_computation.add("add", "new", f32(256, 256), [weight, batch], frame=frame)
    hlo.allocation(256 * 1024, [(hlo.buffer(weight, 256 * 1024), 0)], parameter=0)
    path = tmp_path / "module_0016.jit_step.after_optimizations.hlo.pb.xz"
    path.write_bytes(lzma.compress(hlo.encode()))
    return path


def test_programs_are_listed_with_what_was_found(
    dump: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["modules", str(dump)]) == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("jit_step (16)"))
    assert row.split() == [
        *("jit_step", "(16)", "256", "KiB", "256", "KiB", "0", "B", "0", "B", "-"),
        *("256", "KiB", "1x", "unknown"),
    ]
    assert "donated could donate compiled" in " ".join(out.split())
    assert "step could write its outputs over w: 256 KiB a device" in out
    assert 'donate_argnames=("w",)' in out


def test_json_has_every_column(dump: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["modules", str(dump), "--format", "json"]) == 0
    (host,) = json.loads(capsys.readouterr().out)["hosts"]
    (row,) = host["modules"]
    assert (row["name"], row["program_id"], row["donatable_bytes"]) == ("jit_step", 16, 262_144)
    assert [finding["kind"] for finding in row["findings"]] == ["missing_donation"]


def test_names_cannot_act_on_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hlo = Hlo("jit_\x1b[2Jevil")
    hlo.computation("main").parameter(0, "p", f32(1))
    path = tmp_path / "evil.hlo.pb"
    path.write_bytes(hlo.encode())
    assert main(["modules", str(path)]) == 0
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize("content", [b"", b"\xff\xff"])
def test_a_file_without_programs_could_not_be_done(
    tmp_path: Path, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.hlo.pb"
    path.write_bytes(content)
    assert main(["modules", str(path)]) == 2
    told = capsys.readouterr()
    assert "broken.hlo.pb" in told.out
    assert "holds no compiled programs" in told.err
