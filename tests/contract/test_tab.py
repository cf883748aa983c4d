"""TensorBoard's side of the contract: the listing, the page's files, the manners of each answer."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tensorboard.backend import security_validator
from tensorboard.plugins import base_plugin
from werkzeug.test import Client

from tensorboard_memleak.loader import LeakFinderLoader
from tensorboard_memleak.web.assets import STATIC, asset_routes
from tests.contract.board import MEMORY, Board
from tests.histories import leaking_capture, write_session


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    write_session(tmp_path, "2026_01_01_00_00_00", leaking_capture(), run="train")
    return tmp_path


@pytest.mark.parametrize("prefix", ["", "/tb/x"])
@pytest.mark.parametrize("with_multiplexer", [False, True], ids=["data server", "multiplexer"])
def test_the_tab_is_listed_and_active(logdir: Path, prefix: str, with_multiplexer: bool) -> None:
    board = Board(logdir, prefix, with_multiplexer=with_multiplexer)

    listed = board.listing()["leak_finder"]

    assert listed["enabled"] is True
    assert listed["tab_name"] == "Leak Finder"
    assert listed["loading_mechanism"] == {
        "type": "IFRAME",
        "module_path": f"{prefix}/data/plugin/leak_finder/index.js",
    }


@pytest.mark.parametrize("prefix", ["", "/tb/x"])
def test_every_route_answers_under_a_path_prefix(logdir: Path, prefix: str) -> None:
    board = Board(logdir, prefix)
    (session,) = board.json("sessions")["sessions"]
    place = {"session": session["id"], "host": "host0", "memory": MEMORY}

    assert session["id"] == "train/2026_01_01_00_00_00"
    assert board.json("report", session=session["id"])["schema_version"] == 1
    assert board.json("timeline", **place)["events"] == 36
    assert board.json("sites", **place)["total"] == 2
    assert board.json("site", **place, site=0)["blocks"]["total"] == 12


def test_an_empty_logdir_leaves_the_tab_inactive_until_a_session_appears(tmp_path: Path) -> None:
    board = Board(tmp_path)
    assert board.listing()["leak_finder"]["enabled"] is False
    assert board.json("sessions")["sessions"] == []

    write_session(tmp_path, "s", leaking_capture())

    assert [one["id"] for one in board.json("sessions")["sessions"]] == ["s"]
    assert board.listing()["leak_finder"]["enabled"] is True


def test_sessions_vanish_and_grow_without_a_restart(logdir: Path) -> None:
    board = Board(logdir)
    place = {"session": "train/2026_01_01_00_00_00", "host": "host0", "memory": MEMORY}
    assert board.json("timeline", **place)["events"] == 36

    file = write_session(logdir, "2026_01_01_00_00_00", leaking_capture(20), run="train")
    assert board.json("timeline", **place)["events"] == 60

    file.unlink()
    assert board.error("timeline", **place) == (422, "unreadable_file")
    assert board.json("sessions")["sessions"] == []
    assert board.error("timeline", **place) == (404, "not_found")


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("address", ["index.js", "sessions", "report", "no_such_route"])
def test_every_answer_satisfies_the_security_validator(
    logdir: Path, address: str, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    complaints: list[str] = []
    monkeypatch.setattr(security_validator, "_maybe_raise_value_error", complaints.append)

    Board(logdir).client.open(f"/data/plugin/leak_finder/{address}", method=method)

    assert complaints == []


@pytest.mark.parametrize("address", ["sessions", "index.js"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_but_reading_is_allowed(logdir: Path, address: str, method: str) -> None:
    response = Board(logdir).client.open(f"/data/plugin/leak_finder/{address}", method=method)

    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD"
    assert response.get_json()["error"]["code"] == "method_not_allowed"


def test_the_entry_module_is_asked_for_again_and_chunks_are_kept(logdir: Path) -> None:
    board = Board(logdir)
    routes = board.plugins[0].get_plugin_apps()
    chunk = next(path for path in routes if path.startswith("/chunks/"))

    entry, kept = board.get("index.js"), board.get(chunk.lstrip("/"))

    assert "export" in entry.get_data(as_text=True)
    assert entry.headers["Cache-Control"] == "no-cache, must-revalidate"
    assert "max-age=31536000" in kept.headers["Cache-Control"]
    assert entry.mimetype == kept.mimetype == "text/javascript"


@pytest.mark.parametrize(
    "address",
    [
        "../plugin.py",
        "chunks/..%5C..%5Cplugin.py",
        "%2e%2e%2f%2e%2e%2fplugin.py",
        "static/index.js",
        "index.js%00.css",
        "%2e%2e/plugin.py",
        "..%2fplugin.py",
        "chunks/../../plugin.py",
        "..\\plugin.py",
        "/etc/passwd",
        "chunks/",
        "c:/windows/win.ini",
    ],
)
def test_no_path_leads_out_of_the_page(logdir: Path, address: str) -> None:
    assert Board(logdir).error(address) == (404, "not_found")


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_the_page_is_sent_packed_to_whom_takes_it(logdir: Path, accepted: str) -> None:
    response = Board(logdir).client.get(
        "/data/plugin/leak_finder/index.js", headers={"Accept-Encoding": accepted}
    )

    sent = response.get_data()
    script = gzip.decompress(sent) if accepted == "gzip" else sent
    assert response.headers.get("Content-Encoding") == ("gzip" if accepted == "gzip" else None)
    assert script == (STATIC / "index.js").read_bytes()


def test_a_running_tensorboard_keeps_its_page_through_an_upgrade(
    logdir: Path, tmp_path: Path
) -> None:
    page = tmp_path / "static"
    (page / "chunks").mkdir(parents=True)
    (page / "index.js").write_text("old", encoding="utf-8")
    routes = asset_routes(page)
    (page / "index.js").write_text("new", encoding="utf-8")

    assert Client(routes["/index.js"]).get("/").get_data() == b"old"


def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    response = Client(asset_routes(tmp_path)["/index.js"]).get("/")

    assert response.mimetype == "text/javascript"
    assert "export function render()" in response.get_data(as_text=True)
    assert "make build" in response.get_data(as_text=True)


class _Broken(LeakFinderLoader):
    def load(self, context: base_plugin.TBContext) -> base_plugin.TBPlugin | None:
        return super().load(None)  # nothing can be read from this context


def test_a_fault_in_us_leaves_tensorboard_running(
    logdir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = Board(logdir, loader=_Broken())

    assert board.plugins == []
    assert board.client.get("/data/plugins_listing").status_code == 200
    assert "Leak Finder is not available: AttributeError" in caplog.text
