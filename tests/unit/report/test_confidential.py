from __future__ import annotations

import json

import jsonschema
import pytest

from tensorboard_memleak.report.confidential import Disguise
from tensorboard_memleak.report.confidential_names import Names, is_shape
from tests.unit.report.example import finding, host, memory, report
from tests.unit.report.test_schema import SCHEMA


def disguised_finding(**changed: object) -> dict[str, object]:
    told = Disguise().payload(report(host(memory(findings=[finding(**changed)]))))
    return dict(told["sessions"][0]["hosts"][0]["memories"][0]["findings"][0])


def test_names_become_tokens_and_numbers_stay() -> None:
    told = disguised_finding()
    assert told["site"] == {
        "op": "op-1",
        "shape": "[250]",
        "dtype": "float32",
        "region": "region-1",
        "thread": "thread-1",
        "stack": ["frame-1", "frame-2", "frame-3"],
        "source": "op",
        "unknown_why": "",
    }
    kept = {key: value for key, value in finding().items() if isinstance(value, int | float)}
    assert {key: told[key] for key in kept} == kept
    assert told["title"] == "op-1 [250] float32: grows every step, 1 KiB a step"
    assert told["detail"] == "20 blocks (20 KiB) are still in use."


def test_the_same_name_has_the_same_token_everywhere() -> None:
    disguise = Disguise()
    first = disguise.payload({"columns": {"op": ["b/Relu", "a/Add", "b/Relu"], "site": [0, 1, 0]}})
    again = disguise.payload({"site": {"op": "a/Add"}})
    assert first == {"columns": {"op": ["op-1", "op-2", "op-1"], "site": [0, 1, 0]}}
    assert again == {"site": {"op": "op-2"}}


def test_the_place_of_a_report_is_neutral_and_its_verdict_told_anew() -> None:
    told = Disguise().payload(report(host(memory())))
    (session,) = told["sessions"]
    (one,) = session["hosts"]
    assert (session["run"], session["session"], one["host"]) == ("run-1", "session-1", "host-1")
    assert one["files"] == [{"name": "name-1", "bytes": 2048}]
    assert one["memories"][0]["memory_id"] == "memory-1"
    reason = "op-1 [250] float32: grows every step, 1 KiB a step."
    assert (one["reason"], one["memories"][0]["reason"]) == (reason, reason)
    assert one["memories"][0]["totals"] == memory()["totals"]


def test_a_disguised_report_keeps_to_the_schema() -> None:
    parts = [finding(id="f1.1"), finding(id="f1.2")]
    whole = report(
        host(memory(findings=[finding(parts=parts), finding(id="f2", expected="fills")])), host()
    )
    jsonschema.validate(json.loads(json.dumps(Disguise().payload(whole))), SCHEMA)


def test_a_session_id_is_made_of_its_tokens() -> None:
    told = Disguise().payload(
        [{"id": "a/b/s", "run": "a/b", "session": "s"}, {"id": "s", "run": "", "session": "s"}]
    )
    assert [one["id"] for one in told] == ["run-1/session-1", "session-1"]


def test_words_of_ours_that_hold_no_name_are_kept() -> None:
    warning = {"code": "lost_events", "message": "3 addresses were lost.", "hint": "Capture less."}
    assert Disguise().payload(warning) == warning


@pytest.mark.parametrize(
    "code", ["capture_error", "unreadable_file", "stray_profile", "bad_config"]
)
def test_words_that_may_hold_a_name_leave_their_code(code: str) -> None:
    warning = {"code": code, "message": "/home/ann/secret.pb is cut.", "hint": "Ask ann."}
    told = Disguise().payload(warning)
    assert told["code"] == code
    assert told["message"] == f"{code.replace('_', ' ').capitalize()}."
    assert told["hint"] == ""


def test_a_detail_with_a_name_in_it_is_dropped() -> None:
    assert disguised_finding(detail="20 blocks of Relu stay.")["detail"] == ""
    donation = disguised_finding(kind="missing_donation", detail="Donate w.", advice="Donate w.")
    assert donation["detail"] == ""
    assert donation["advice"] == "Donate the arguments whose memory an output can take over."


def test_a_program_has_one_token_wherever_it_is_named() -> None:
    told = Disguise().payload(
        [
            {"columns": {"name": ["jit_a", "jit_b"], "program_id": [1, "2"]}},
            {"name": "jit_b", "program_id": "2"},
            {"module": "jit_b", "program_id": "2"},
            {"name": "jit_b"},
        ]
    )
    assert told == [
        {"columns": {"name": ["program-1", "program-2"], "program_id": [1, "2"]}},
        {"name": "program-2", "program_id": "2"},
        {"module": "program-2", "program_id": "2"},
        {"name": "name-1"},
    ]


def test_a_comparison_is_said_without_names() -> None:
    sides = {"op": ["Relu"], "reason": "Nothing leaked before, 1 KiB a step do now."}
    told = Disguise().payload({**sides, "outcome": "new_leak", "notes": ["Steps of Relu differ."]})
    assert told["reason"] == "Nothing leaked before, 1 KiB a step do now."
    assert told["notes"] == [""]
    told = Disguise().payload({"outcome": "unclear", "reason": "It is not certain: Relu may leak."})
    assert told["reason"] == "It is not certain on both sides whether something leaks."
    side = Disguise().payload({"verdict": "leak", "reason": "Relu leaks.", "session": "s"})
    assert side == {"verdict": "leak", "reason": "Something leaks.", "session": "session-1"}


def test_a_key_that_nobody_thought_of_holds_a_name() -> None:
    assert Disguise().payload({"owner": "ann", "deep": {"list": ["ann", "bob"]}}) == {
        "owner": "name-1",
        "deep": {"list": ["name-1", "name-2"]},
    }


@pytest.mark.parametrize(
    "text",
    [
        *("", "[64,256]", "[?,3]", "f32[64,128]{1,0:T(8,128)}", "(bf16[2]{0}, s32[])", "pred[]"),
        *("float", "bfloat16", "float8_e4m3fn", "f8e5m2", "int32", "uint8", "complex64"),
    ],
)
def test_shapes_and_types_are_known(text: str) -> None:
    assert is_shape(text)


@pytest.mark.parametrize("text", ["ann", "f32[ann]", "float_secret", "[64] /home", "f32[64]é", "_"])
def test_what_is_no_shape_is_a_name(text: str) -> None:
    assert not is_shape(text)
    assert Names().of_key("shape", text) == "name-1"


def test_a_hostile_shape_takes_no_time() -> None:
    assert not is_shape("float32," * 100_000 + "!")


def test_addresses_numbers_and_sources_are_told_from_names() -> None:
    names = Names()
    assert names.of_key("address", "0x7fe2") == "0x7fe2"
    assert names.of_key("program_id", "18446744073709551615") == "18446744073709551615"
    assert names.of_key("finding", "f1.2") == "f1.2"
    assert names.of_key("source", "stack") == "stack"
    assert names.of_key("source", "train.py:12") == "name-1"
    assert names.of_key("address", "ann") == "name-2"
    assert names.of_key("strings", "f32[8]") == "f32[8]"
    assert names.of_key("strings", "thread-local") == "thread-local"
    assert names.of_key("strings", "fusion.ann") == "name-3"
