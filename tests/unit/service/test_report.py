from __future__ import annotations

from pathlib import Path

from tensorboard_memleak.roots import Root
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.report import report
from tensorboard_memleak.settings import Settings
from tests.histories import leaking_capture, write_session


def test_a_session_without_anything_readable_is_unreadable_and_others_are_told(
    tmp_path: Path,
) -> None:
    write_session(tmp_path, "s1", leaking_capture())
    lone = tmp_path / "plugins" / "profile" / "s2" / "memory.prof"
    lone.parent.mkdir()
    lone.write_bytes(b"no profile of any kind")

    told = report(LeakFinder(Settings((Root(str(tmp_path)),))))

    verdicts = {
        session["session"]: [host["verdict"] for host in session["hosts"]]
        for session in told["sessions"]
    }
    assert verdicts == {"s1": ["leak"], "s2": [None]}
    (warning,) = told["sessions"][0]["hosts"][0]["warnings"]
    assert "memory.prof" in warning["message"]
    assert warning["code"] == "unreadable_file"
