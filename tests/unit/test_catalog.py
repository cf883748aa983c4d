from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import fsspec
import pytest

from tensorboard_memleak.catalog import Catalog, Listing, scan_roots, session_place
from tensorboard_memleak.errors import NotFound
from tensorboard_memleak.files import FileFact
from tensorboard_memleak.roots import Root
from tests.histories import write_session


def ids(*roots: Root) -> list[str]:
    return list(scan_roots(roots).sessions)


def test_sessions_are_named_as_xprof_names_runs_newest_first(tmp_path: Path) -> None:
    write_session(tmp_path, "2026_01_01_00_00_00", b"x")
    write_session(tmp_path, "2026_01_03_00_00_00", b"x", run="train/a")
    write_session(tmp_path, "2026_01_02_00_00_00", b"x", run="train")

    assert ids(Root(str(tmp_path))) == [
        "train/a/2026_01_03_00_00_00",
        "train/2026_01_02_00_00_00",
        "2026_01_01_00_00_00",
    ]


@pytest.mark.parametrize(
    "host",
    ["34.83.195.179_6003", "a b#c%d+e", "_", "höst-Ω", "h" * 184, "x.xplane", "..", "-"],
)
def test_host_names_are_kept_whole(tmp_path: Path, host: str) -> None:
    write_session(tmp_path, "s", b"x", host=host)

    (session,) = scan_roots([Root(str(tmp_path))]).sessions.values()

    assert [one.host for one in session.hosts] == [host]


@pytest.mark.skipif(sys.platform == "darwin", reason="this file system takes UTF-8 names only")
def test_a_name_that_is_no_utf_8_becomes_text(tmp_path: Path) -> None:
    write_session(tmp_path, "s\udcff", b"x", host="h\udc80")

    (session,) = scan_roots([Root(str(tmp_path))]).sessions.values()

    assert (session.id, session.hosts[0].host) == ("s\\xff", "h\\x80")


@pytest.mark.skipif(os.sep == "\\", reason="here a backslash parts folders")
def test_a_backslash_is_part_of_a_name(tmp_path: Path) -> None:
    write_session(tmp_path, "s", b"x", host="a\\b")

    assert [one.hosts[0].host for one in scan_roots([Root(str(tmp_path))]).sessions.values()] == [
        "a\\b"
    ]


@pytest.mark.parametrize(
    ("root", "path", "place"),
    [
        ("/", "/plugins/profile/s/h.xplane.pb", ("", "s")),
        ("/", "/a/b/plugins/profile/s/h.xplane.pb", ("a/b", "s")),
        ("/a", "/a/plugins/profile/s/h.xplane.pb", ("", "s")),
        ("/a/plugins/profile/s", "/a/plugins/profile/s/h.xplane.pb", ("", "s")),
        ("gs://b/logs", "gs://b/logs/run/plugins/profile/s/h.xplane.pb", ("run", "s")),
        ("/a", "/a/plugins/profile/h.xplane.pb", None),
        ("/a", "/a/plugins/profile/s/deeper/h.xplane.pb", None),
        ("/a", "/a/plugins/other/s/h.xplane.pb", None),
    ],
)
def test_a_place_is_told_by_the_folders_above(
    root: str, path: str, place: tuple[str, str] | None
) -> None:
    assert session_place(Root(root), FileFact(path, 0, 0)) == place


def test_programs_and_snapshots_stand_with_the_first_host(tmp_path: Path) -> None:
    folder = write_session(tmp_path, "s", b"x", host="a").parent
    write_session(tmp_path, "s", b"x", host="b")
    for name in ("before.prof", "jit_f(3).hlo_proto.pb", "a.trace.json.gz", "notes.txt"):
        (folder / name).write_bytes(b"y")

    (session,) = scan_roots([Root(str(tmp_path))]).sessions.values()

    assert [host.formats for host in session.hosts] == [
        ("xplane", "program", "snapshot"),
        ("xplane",),
    ]
    assert [fact.name for fact in session.hosts[0].files] == [
        "a.xplane.pb",
        "jit_f(3).hlo_proto.pb",
        "before.prof",
    ]


def test_a_session_of_snapshots_alone_has_an_unnamed_host(tmp_path: Path) -> None:
    (tmp_path / "plugins/profile/s").mkdir(parents=True)
    (tmp_path / "plugins/profile/s/memory.prof").write_bytes(b"y")

    (session,) = scan_roots([Root(str(tmp_path))]).sessions.values()

    assert session.host("unknown").xplane is None
    assert session.host("unknown").formats == ("snapshot",)


def test_names_of_a_spec_prefix_runs_and_equal_ids_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_session(tmp_path / folder, "s", b"x")
    a, b = str(tmp_path / "a"), str(tmp_path / "b")

    assert ids(Root(a, "one"), Root(b, "two")) == ["two/s", "one/s"]
    assert sorted(ids(Root(a), Root(b))) == ["s", f"s ({b})"]


def test_a_loop_of_links_ends_and_a_linked_run_is_found_once(tmp_path: Path) -> None:
    write_session(tmp_path / "real", "s", b"x")
    (tmp_path / "real" / "loop").symlink_to(tmp_path)
    (tmp_path / "nothing").symlink_to(tmp_path / "absent")

    assert ids(Root(str(tmp_path))) == ["real/s"]


def test_what_lies_elsewhere_is_told_with_where_it_belongs(tmp_path: Path) -> None:
    session = write_session(tmp_path, "s", b"x").parent
    (tmp_path / "stray.xplane.pb").write_bytes(b"x")
    (session / "h.xplane.riegeli").write_bytes(b"x")
    (session / "h.xplane.pb.gz").write_bytes(b"x")
    (session / "xplane.pb").write_bytes(b"x")

    notices = scan_roots([Root(str(tmp_path))]).notices

    assert [one.code for one in notices] == [
        "stray_profile",
        "unsupported_riegeli",
        "compressed_profile",
        "nameless_profile",
    ]
    assert notices[0].message.startswith(str(tmp_path / "stray.xplane.pb"))
    assert "plugins/profile/<session>/" in notices[0].hint


def test_many_strays_are_one_notice(tmp_path: Path) -> None:
    for index in range(40):
        (tmp_path / f"{index:02}.xplane.pb").write_bytes(b"x")

    (notice,) = scan_roots([Root(str(tmp_path))]).notices

    assert notice.message.count(".xplane.pb") == 5
    assert "(and 35 more)" in notice.message


def test_a_root_that_is_not_there_is_empty() -> None:
    assert scan_roots([Root("/no/such/folder")]) == Listing()


def test_a_remote_logdir_is_walked_through_fsspec() -> None:
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/logs/run/plugins/profile/s/h.xplane.pb", b"x")

    listing = scan_roots([Root("memory://bucket/logs")])

    assert list(listing.sessions) == ["run/s"]
    fact = listing.sessions["run/s"].host("h").xplane
    assert fact is not None
    assert (fact.path, fact.size_bytes) == (
        "memory://bucket/logs/run/plugins/profile/s/h.xplane.pb",
        1,
    )


def test_a_remote_logdir_that_cannot_be_listed_is_told(tmp_path: Path) -> None:
    write_session(tmp_path, "s", b"x")

    listing = scan_roots([Root("nosuch://bucket/logs"), Root(str(tmp_path))])

    assert list(listing.sessions) == ["s"]
    (notice,) = listing.notices
    assert notice.code == "unreadable_logdir"
    assert notice.message.startswith("nosuch://bucket/logs cannot be listed: ValueError:")


def test_a_remote_listing_is_made_anew() -> None:
    memory, root = fsspec.filesystem("memory"), Root("memory://again/logs")
    memory.pipe("/again/logs/plugins/profile/a/h.xplane.pb", b"x")
    catalog = Catalog([root])
    assert list(catalog.refresh().sessions) == ["a"]

    memory.pipe("/again/logs/plugins/profile/b/h.xplane.pb", b"x")

    assert sorted(catalog.refresh().sessions) == ["a", "b"]


def test_a_remote_file_that_is_written_anew_is_another() -> None:
    memory, root = fsspec.filesystem("memory"), Root("memory://anew/logs")
    facts = []
    for content in (b"x", b"y"):
        memory.pipe("/anew/logs/plugins/profile/s/h.xplane.pb", content)
        facts.append(scan_roots([root]).sessions["s"].host("h").xplane)

    assert facts[0] != facts[1]


def test_an_unknown_name_is_not_found(tmp_path: Path) -> None:
    write_session(tmp_path, "s", b"x")
    listing = scan_roots([Root(str(tmp_path))])

    with pytest.raises(NotFound, match="no profile session t"):
        listing.session("t")
    with pytest.raises(NotFound, match="no host other"):
        listing.session("s").host("other")


def test_callers_that_arrive_during_a_scan_share_it() -> None:
    scans, begun, go_on = [], threading.Event(), threading.Event()

    def slow(_: Sequence[Root]) -> Listing:
        scans.append(1)
        begun.set()
        assert go_on.wait(10)
        return Listing()

    catalog = Catalog([], slow)
    first = threading.Thread(target=catalog.refresh)
    first.start()
    assert begun.wait(10)
    others = [threading.Thread(target=catalog.refresh) for _ in range(4)]
    for thread in others:
        thread.start()
    go_on.set()
    for thread in (first, *others):
        thread.join(10)

    assert 1 <= len(scans) <= 2  # one for the first, at most one for who came after it had ended


def test_has_sessions_never_scans() -> None:
    def forbidden(_: Sequence[Root]) -> Listing:
        raise AssertionError

    assert Catalog([], forbidden).has_sessions is False
