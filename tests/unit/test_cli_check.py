"""What `memleak check` says of real captures that cannot clear anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_memleak.cli import main
from tests.captures import unpack


@pytest.mark.parametrize("name", ["only_work_space_reported", "only_work_space_reported_fixed"])
def test_a_capture_that_shows_no_tensor_does_not_pass(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    unpack(name, "run", tmp_path)

    status = main(["check", str(tmp_path)])

    said = " ".join(capsys.readouterr().out.split())
    assert status == 3
    assert "CANNOT TELL" in said
    assert "a leak of tensors cannot show" in said
