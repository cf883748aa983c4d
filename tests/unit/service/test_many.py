"""Many memories, hosts and sessions: what is worked out once stays so, however much is asked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tensorboard_memleak import catalog, files
from tensorboard_memleak.roots import Root
from tensorboard_memleak.service import expecting, finder, one_file
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.one_file import FileWriter
from tensorboard_memleak.service.report import report
from tensorboard_memleak.settings import Settings
from tests.histories import write_session
from tests.xspace_builder import XSpace

Counted = Callable[[Any, str], None]


def capture(memories: int) -> bytes:
    """One block a memory and step, kept, without an op: its site would gain by the programs."""
    space = XSpace()
    line = space.plane().line("python", timestamp_ns=1_000)
    for step in range(3):
        line.event("train", step * 1_000_000, 900_000, _r=1, step_num=step)
        for memory in range(memories):
            line.allocation(
                step * 1_000_000 + 1_000 * memory,
                address=0x1000 * (step + 1),
                requested=256,
                allocated=256,
                in_use=256 * (step + 1),
                allocator=f"pool_{memory}",
            )
    return space.encode()


def finder_of(logdir: Path) -> LeakFinder:
    return LeakFinder(Settings((Root(str(logdir)),)))


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often what should happen once has happened, by name."""
    counter: Counter[str] = Counter()

    def count(module: Any, name: str) -> None:
        real = getattr(module, name)

        def counted(*arguments: Any) -> Any:
            counter[name] += 1
            return real(*arguments)

        monkeypatch.setattr(module, name, counted)

    count(finder, "has_unnamed_sites")
    count(finder, "set_aside")
    count(finder, "read_host_trace")
    count(expecting, "read_expectations")
    return counter


def test_a_file_about_many_memories_looks_through_them_once(
    tmp_path: Path, calls: Counter[str]
) -> None:
    logdir = tmp_path / "logdir"
    (tmp_path / ".memleak.toml").write_text('[[expected]]\nsite = "nothing of the kind"\n', "utf-8")
    write_session(logdir, "s", capture(memories=30))
    mine = finder_of(logdir)

    answers = FileWriter(mine, json.dumps).gather(report(mine)).answers

    assert sum(key.startswith("timeline?") for key in answers) == 30
    assert calls == {
        "has_unnamed_sites": 1,
        "set_aside": 1,
        "read_host_trace": 1,
        "read_expectations": 1,
    }


def test_a_changed_configuration_is_read_again(tmp_path: Path, calls: Counter[str]) -> None:
    config = tmp_path / ".memleak.toml"
    mine = finder_of(tmp_path / "logdir")
    for number in range(3):
        config.write_text(f'[[expected]]\nsite = "site_{"x" * number}"\n', "utf-8")
        assert mine.expectations()[0].sites[0].site == f"site_{'x' * number}"
        assert mine.expectations()[0].sites[0].site == f"site_{'x' * number}"
    assert calls["read_expectations"] == 3


def test_a_full_file_asks_no_further_and_keeps_to_its_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_session(tmp_path, "s", capture(memories=60))
    mine = finder_of(tmp_path)
    told = report(mine)
    asked: Counter[str] = Counter()
    real = one_file.questions

    def questions(*arguments: Any) -> Any:
        for one in real(*arguments):
            asked["all"] += 1
            yield _watched(one, asked)

    monkeypatch.setattr(one_file, "questions", questions)
    most_bytes = 40_000 + len(json.dumps(told))
    found = FileWriter(mine, json.dumps, most_bytes=most_bytes).gather(told)

    assert sum(len(key) + len(text) for key, text in found.answers.items()) <= most_bytes
    assert found.cut is not None
    assert asked["asked"] < asked["all"] / 3


def test_what_many_memories_share_is_left_out_once(tmp_path: Path) -> None:
    write_session(tmp_path, "s", capture(memories=3))
    mine = finder_of(tmp_path)
    found = FileWriter(mine, json.dumps, most_bytes=1).gather(report(mine))

    assert found.cut is not None
    assert "timelines (3)" in found.cut["message"]
    assert "lanes (1)" in found.cut["message"]


def _watched(one: Any, asked: Counter[str]) -> Any:
    def ask() -> object:
        asked["asked"] += 1
        return one.ask()

    return type(one)(one.rank, one.what, one.route, one.session, one.params, ask, one.other)


def test_a_scan_of_many_sessions_opens_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(40):
        write_session(tmp_path / f"run{number:02d}", "s", b"not read")

    def refuse(*_: object, **__: object) -> Any:
        raise AssertionError("a scan reads no file")

    monkeypatch.setattr(files, "open_bytes", refuse)
    monkeypatch.setattr(Path, "open", refuse)
    scanned = catalog.Catalog((Root(str(tmp_path)),)).refresh()

    assert len(scanned.sessions) == 40
    assert scanned.id_of("run07", "s") == "run07/s"
    with pytest.raises(KeyError):
        scanned.id_of("run07", "t")
