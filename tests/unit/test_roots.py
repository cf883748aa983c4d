from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_memleak.roots import Root, parse_roots

HOME = "/home/someone"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", HOME)


@pytest.mark.parametrize(
    ("logdir", "spec", "roots"),
    [
        ("/logs", "", [Root("/logs")]),
        ("/logs", "a:/other", [Root("/logs")]),
        ("~/logs", "", [Root(f"{HOME}/logs")]),
        ("", "/a,/b", [Root("/a"), Root("/b")]),
        ("", "train:/a, eval:~/b", [Root("/a", "train"), Root(f"{HOME}/b", "eval")]),
        ("", "gs://bucket/a,x:s3://bucket/b/", [Root("gs://bucket/a"), Root("s3://bucket/b", "x")]),
        ("", "/a:b/c", [Root("/a:b/c")]),
        ("", ",,", []),
        ("", "", []),
    ],
)
def test_roots_of_flags(logdir: str, spec: str, roots: list[Root]) -> None:
    assert list(parse_roots(logdir, spec)) == roots


def test_a_relative_logdir_is_taken_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse_roots("logs") == (Root(str(tmp_path / "logs")),)


def test_a_tilde_of_nobody_is_a_folder_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert parse_roots("~no-such-user/logs") == (Root("/~no-such-user/logs"),)


def test_a_remote_root_is_known_by_its_scheme() -> None:
    assert Root("gs://bucket").is_remote
    assert not Root("/gs/bucket").is_remote
