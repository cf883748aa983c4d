from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.service.compare_sessions import (
    Chosen,
    choose_session,
    compare_sessions,
)
from tensorboard_memleak.service.opening import open_path
from tests.histories import leaking_capture, write_session
from tests.unit.report.example import empty_capture


def chosen(
    logdir: Path, session: str, host: str | None = None, memory: str | None = None
) -> Chosen:
    finder = open_path(str(logdir))
    return Chosen(str(logdir), finder, choose_session(finder, session), host, memory)


def compared(logdir: Path, **narrowed: str) -> dict[str, Any]:
    return compare_sessions(
        chosen(logdir, "before", **narrowed), chosen(logdir, "after", **narrowed)
    )


def test_each_memory_of_hosts_of_one_name_is_compared(tmp_path: Path) -> None:
    for host, leaks in (("host0", False), ("host1", True)):
        write_session(tmp_path, "before", leaking_capture(), host)
        write_session(tmp_path, "after", leaking_capture(leaks=leaks), host)
    found = compared(tmp_path)
    told = [(one["after"]["host"], one["outcome"]) for one in found["memories"]]
    assert told == [("host1", "same"), ("host0", "fixed")]
    assert found["outcome"] == "same"
    assert found["before"] == {"path": str(tmp_path), "session": "before"}
    fixed = found["memories"][1]
    assert (fixed["before"]["bytes_per_step"], fixed["after"]["bytes_per_step"]) == (1024, 0)
    assert compared(tmp_path, host="host0")["outcome"] == "fixed"


def test_the_only_host_of_each_side_is_compared_whatever_its_name(tmp_path: Path) -> None:
    write_session(tmp_path, "before", leaking_capture(), "pod-a")
    write_session(tmp_path, "after", leaking_capture(leaks=False), "pod-b")
    (one,) = compared(tmp_path)["memories"]
    assert (one["before"]["host"], one["after"]["host"]) == ("pod-a", "pod-b")
    assert one["outcome"] == "fixed"


def test_what_one_side_lacks_is_listed(tmp_path: Path) -> None:
    for host in ("host0", "host1"):
        write_session(tmp_path, "before", leaking_capture(), host)
    write_session(tmp_path, "after", leaking_capture(leaks=False), "host0")
    write_session(tmp_path, "after", leaking_capture(), "host2")
    found = compared(tmp_path)
    assert [one["outcome"] for one in found["memories"]] == ["fixed"]
    ((before,), (after,)) = (found["only_before"], found["only_after"])
    assert (before["host"], before["verdict"]) == ("host1", "leak")
    assert (after["host"], after["memory_id"]) == ("host2", "GPU_0_bfc")


def test_a_host_that_cannot_be_read_is_a_warning_beside_the_others(tmp_path: Path) -> None:
    for host in ("host0", "host1"):
        write_session(tmp_path, "before", leaking_capture(), host)
        write_session(tmp_path, "after", leaking_capture(), host)
    write_session(tmp_path, "after", leaking_capture()[:-50], "host1")
    found = compared(tmp_path)
    assert [one["after"]["host"] for one in found["memories"]] == ["host0"]
    (warning,) = found["warnings"]
    assert warning["code"] == "unreadable_file"
    assert warning["message"].startswith("after · host1: ")
    assert "host1.xplane.pb is cut short" in warning["message"]
    assert found["only_before"] == []


def test_captures_without_events_have_no_outcome(tmp_path: Path) -> None:
    for session in ("before", "after"):
        write_session(tmp_path, session, empty_capture())
    found = compared(tmp_path)
    assert (found["outcome"], found["memories"], found["only_after"]) == (None, [], [])


def test_the_newest_session_is_taken_unless_one_is_named(tmp_path: Path) -> None:
    write_session(tmp_path, "2026_01_01_00_00_00", leaking_capture(), run="a")
    write_session(tmp_path, "2026_01_02_00_00_00", leaking_capture(), run="b")
    finder = open_path(str(tmp_path))
    assert choose_session(finder, None).id == "b/2026_01_02_00_00_00"
    assert choose_session(finder, "2026_01_01_00_00_00").run == "a"
    with pytest.raises(NotFound, match="no profile session c") as error:
        choose_session(finder, "c")
    assert error.value.hint == "There are b/2026_01_02_00_00_00, a/2026_01_01_00_00_00."


def test_a_name_that_fits_several_sessions_is_refused(tmp_path: Path) -> None:
    for run in ("a", "b"):
        write_session(tmp_path, "s", leaking_capture(), run=run)
    with pytest.raises(NotFound, match="Several sessions are called s"):
        choose_session(open_path(str(tmp_path)), "s")
    assert choose_session(open_path(str(tmp_path)), "b/s").run == "b"
