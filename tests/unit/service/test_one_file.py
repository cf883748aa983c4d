from __future__ import annotations

import json
from pathlib import Path

import pytest

from tensorboard_memleak.report.confidential import Disguise
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.service.flame import flame
from tensorboard_memleak.service.moments import live
from tensorboard_memleak.service.one_file import FileAnswers, FileWriter, file_key
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.report import report
from tensorboard_memleak.service.sites import site, sites
from tests.captures import SESSION, unpack
from tests.unit.report.example import MEMORY, capture, put

ID = "run/2026_01_01_00_00_00"
HOST = "host=vm&memory=GPU_0_bfc"
SESSION_OF = "session=run%2F2026_01_01_00_00_00"
PLACE = f"{HOST}&{SESSION_OF}"


@pytest.fixture
def finder(tmp_path: Path) -> LeakFinder:
    put(tmp_path, capture())
    return open_path(str(tmp_path))


def gathered(finder: LeakFinder, most_bytes: int = 1 << 25, **narrowed: str) -> FileAnswers:
    writer = FileWriter(finder, json.dumps, most_bytes=most_bytes)
    return writer.gather(report(finder, **narrowed))


def test_keys_are_those_that_the_page_makes() -> None:
    params = {"session": "a/b c", "host": "h&1", "site": 0}
    assert file_key("site", params) == "site?host=h%261&session=a%2Fb%20c&site=0"
    assert file_key("site", {"host": "!'()*-._~"}) == "site?host=!'()*-._~"
    assert file_key("site", {"host": "слой"}) == "site?host=%D1%81%D0%BB%D0%BE%D0%B9"


def test_a_file_answers_what_the_page_asks(finder: LeakFinder) -> None:
    found = gathered(finder)
    assert found.cut is None
    assert list(found.answers) == [
        "sessions",
        "report?host=vm&session=run%2F2026_01_01_00_00_00",
        f"timeline?{PLACE}",
        f"sites?{PLACE}",
        "live?at_ns=39000&" + PLACE,
        f"site?finding=f1&{PLACE}",
        f"blockmap?{PLACE}",
        "lanes?host=vm&session=run%2F2026_01_01_00_00_00",
        "addresses?at_ns=39000&" + PLACE,
        *(f"flame?by={by}&{HOST}&of=survivors&{SESSION_OF}" for by in ("stack", "op", "module")),
        *(
            f"flame?{moment}by={by}&{HOST}&of={of}&{SESSION_OF}"
            for of, moment in (("live", "at_ns=39000&"), ("allocated", ""), ("byte_seconds", ""))
            for by in ("stack", "op", "module")
        ),
        f"site?{PLACE}&site=0",
        f"site?{PLACE}&site=1",
    ]


def test_answers_are_those_of_the_server(finder: LeakFinder) -> None:
    answers = {key: json.loads(text) for key, text in gathered(finder).answers.items()}
    place = (finder, ID, "vm", MEMORY)
    assert answers[f"sites?{PLACE}"] == sites(*place)
    assert answers[f"site?finding=f1&{PLACE}"] == site(*place, finding_id="f1")
    assert answers[f"live?at_ns=39000&{PLACE}"] == live(*place, at_ns=39000)
    tree = answers[f"flame?by=stack&{HOST}&of=survivors&{SESSION_OF}"]
    assert tree == flame(*place)
    tree = answers[f"flame?at_ns=39000&by=module&{HOST}&of=live&{SESSION_OF}"]
    assert tree == flame(*place, of="live", by="module")
    timeline = answers[f"timeline?{PLACE}"]
    assert (timeline["events"], timeline["sampled"]) == (60, False)
    assert answers["sessions"]["sessions"] == [
        {
            "id": ID,
            "run": "run",
            "session": "2026_01_01_00_00_00",
            "hosts": [{"host": "vm", "size_bytes": len(capture()), "formats": ["xplane"]}],
        }
    ]


def test_what_has_no_room_is_left_out_and_told(finder: LeakFinder) -> None:
    whole = gathered(finder).answers
    needed = sum(len(key) + len(whole[key]) for key in list(whole)[:4]) + 512  # 512: the warning
    found = gathered(finder, needed)
    assert list(found.answers)[:4] == list(whole)[:4]
    assert sum(map(len, found.answers.values())) < needed + 1000
    assert found.cut is not None
    assert found.cut["code"] == "file_cut"
    assert "block maps (1)" in found.cut["message"]
    assert "sites' blocks (" in found.cut["message"]
    told = json.loads(found.answers["report?host=vm&session=run%2F2026_01_01_00_00_00"])
    assert told["sessions"][0]["hosts"][0]["warnings"] == [found.cut]


def test_only_what_was_selected_is_in_the_file(tmp_path: Path) -> None:
    put(tmp_path, capture(), "a", "secret-0")
    put(tmp_path, capture(), "a", "worker-1")
    put(tmp_path, capture(), "secret", "worker-1")
    text = json.dumps(gathered(open_path(str(tmp_path)), run="a", host="worker-1").answers)
    assert "worker-1" in text
    assert "secret" not in text


def test_a_damaged_file_is_told_of_beside_the_others(tmp_path: Path) -> None:
    put(tmp_path, capture(), "a", "good")
    put(tmp_path, capture()[:-100], "a", "bad")
    answers = gathered(open_path(str(tmp_path))).answers
    told = json.loads(answers["report?host=bad&session=a%2F2026_01_01_00_00_00"])
    assert told["sessions"][0]["hosts"][0]["verdict"] is None
    assert not any("host=bad&memory" in key for key in answers)
    assert any("host=good&memory" in key for key in answers)


def test_programs_and_snapshots_are_in_the_file(tmp_path: Path) -> None:
    unpack("jax_append", "jax", tmp_path)
    answers = gathered(open_path(str(tmp_path))).answers
    session = f"jax%2F{SESSION}"
    names = json.loads(answers[f"modules?host=host0&session={session}"])["columns"]["name"]
    ids = json.loads(answers[f"modules?host=host0&session={session}"])["columns"]["program_id"]
    for name, number in zip(names, ids, strict=True):
        key = file_key("module", {"host": "host0", "name": name, "program_id": number})
        told = json.loads(answers[f"{key}&session={session}"])
        assert told["name"] == name
        assert told["memory_space"] == 0
    snapshots = json.loads(answers[f"snapshots?host=host0&session={session}"])
    assert len(snapshots["snapshots"]) == 3


def test_sessions_in_a_file_are_compared_with_each_other(tmp_path: Path) -> None:
    put(tmp_path, capture(), "a")
    put(tmp_path, capture(kept=0), "b")
    finder = open_path(str(tmp_path))
    key = "compare?host={}&memory={}&other_session={}&session={}"
    ids = ("a%2F2026_01_01_00_00_00", "b%2F2026_01_01_00_00_00")
    told = gathered(finder).answers
    assert json.loads(told[key.format("vm", MEMORY, *ids)])["outcome"] == "fixed"
    assert json.loads(told[key.format("vm", MEMORY, *reversed(ids))])["outcome"] == "new_leak"

    hidden = FileWriter(finder, json.dumps, Disguise().payload).gather(report(finder)).answers
    runs = {one["id"] for one in json.loads(hidden["sessions"])["sessions"]}
    assert runs == {"run-1/session-1", "run-2/session-1"}
    names = [one.replace("/", "%2F") for one in sorted(runs)]
    assert key.format("host-1", "memory-1", *names) in hidden
    assert not any("Relu" in one or "GPU_0" in one for one in hidden.values())


def test_keys_are_disguised_with_what_they_hold(finder: LeakFinder) -> None:
    writer = FileWriter(finder, json.dumps, Disguise().payload)
    answers = writer.gather(report(finder)).answers
    session = json.loads(answers["sessions"])["sessions"][0]
    assert (session["id"], session["hosts"][0]["host"]) == ("run-1/session-1", "host-1")
    place = "host=host-1&memory=memory-1&session=run-1%2Fsession-1"
    assert json.loads(answers[f"site?finding=f1&{place}"])["site"]["op"] == "op-1"
    assert not any("vm" in key or "GPU" in key for key in answers)
    told = "host=host-1&memory=memory-1&of=survivors&session=run-1%2Fsession-1"
    frames = json.loads(answers[f"flame?by=module&{told}"])
    assert (frames["of"], frames["by"], frames["ranked_by"]) == ("survivors", "module", "bytes")
    assert frames["frames"][:2] == ["", "no compiled module"]
    assert frames["frames"][2].startswith("frame-")
