"""A payload with neutral names in place of those of the profile; numbers and shapes stay.

What a sentence says with names is said anew from the numbers beside it. A sentence without names is
kept where it is known to be one of ours; of all others the code remains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar, cast

from tensorboard_memleak.analysis.advice import without_functions
from tensorboard_memleak.analysis.verdict import remedy_of
from tensorboard_memleak.analysis.wording import bytes_text, count_text, site_text
from tensorboard_memleak.model.findings import Site, VerdictName
from tensorboard_memleak.report.confidential_names import Names
from tensorboard_memleak.report.types import FindingPayload
from tensorboard_memleak.report.words import VERDICTS, held_text, kind_text

_Payload = TypeVar("_Payload")

_TEXTS: Final = frozenset(("detail", "advice", "reason", "message", "hint", "title"))
_NOTES: Final = frozenset(("note", "allocator_note", "seen_note", "unknown_why", "notes"))
_TOLD_WITHOUT_NAMES: Final = frozenset(
    (
        "dropped_events",
        "events_without_address",
        "file_cut",
        "lost_events",
        "no_memory_events",
        "scratch_memory_only",
        "stacks_left_out",
        "steps_inferred",
        "threads_in_pieces",
        "unaccounted_bytes",
        "unknown_sizes",
        "untimed_events",
    )
)
"""Codes of warnings whose words hold nothing of the profile but numbers."""
_OF_EVENTS: Final = frozenset(("growth", "retained", "bounded", "delayed_free", "in_flight"))
"""Kinds of findings whose detail speaks of counts alone."""
_ADVICE: Final = {
    "missing_donation": "Donate the arguments whose memory an output can take over.",
    "program_long_buffer": "Make the buffer later, drop it earlier, or compute it again.",
    "recompilation": "Keep shapes, types and static arguments the same from call to call.",
    "snapshot_growth": "Something keeps a reference to each of these arrays: drop it.",
}


class Disguise:
    """Rewrites payloads; the same name has the same token in all that one of these rewrites."""

    def __init__(self) -> None:
        self.names = Names()

    def payload(self, payload: _Payload) -> _Payload:
        """Return a payload of the same shape without a name of the profile in it."""
        return cast(_Payload, self._value("", payload))

    def _value(self, key: str, value: object) -> object:
        if isinstance(value, str):
            return self._text(key, value)
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list | tuple):
            return [self._value(key, one) for one in value]
        return value

    def _text(self, key: str, text: str) -> str:
        if key in _TEXTS:
            return ""
        if key in _NOTES:
            return "" if self.names.occur_in(text) else text
        return self.names.of_key(key, text)

    def _object(self, value: Mapping[str, object]) -> dict[str, object]:
        program = "program_id" in value  # what stands beside it under `name` is a program's
        told = {
            key: self._value("module" if program and key == "name" else key, one)
            for key, one in value.items()
        }
        if isinstance(value.get("run"), str) and isinstance(value.get("id"), str):
            told["id"] = self.names.session_id(str(value["run"]), str(value["session"]))
        if "advice" in value:
            told |= self._finding_texts(value, cast(FindingPayload, told))
        elif "hint" in value:
            told |= self._warning_texts(value)
        elif "outcome" in value and "reason" in value:
            told["reason"] = self._comparison(value)
        elif "verdict" in value and "reason" in value:
            told["reason"] = self._reason(value, told)
        return told

    def _finding_texts(
        self, before: Mapping[str, object], finding: FindingPayload
    ) -> dict[str, object]:
        detail, advice = str(before["detail"]), str(before["advice"])
        alone = finding["kind"] in _OF_EVENTS and not finding["parts"]
        return {
            "title": finding_title(finding),
            "detail": detail if alone and not self.names.occur_in(detail) else "",
            "advice": without_functions(advice) or _ADVICE.get(finding["kind"], ""),
        }

    def _warning_texts(self, before: Mapping[str, object]) -> dict[str, object]:
        code, message, hint = (str(before[key]) for key in ("code", "message", "hint"))
        if code in _TOLD_WITHOUT_NAMES:
            return {"message": message, "hint": hint}
        return {"message": f"{code.replace('_', ' ').capitalize()}.", "hint": ""}

    def _comparison(self, before: Mapping[str, object]) -> str:
        """Say what a comparison found; where it is unclear the reason is that of a verdict."""
        if before["outcome"] == "unclear":
            return "It is not certain on both sides whether something leaks."
        reason = str(before["reason"])
        return "" if self.names.occur_in(reason) else reason

    def _reason(self, before: Mapping[str, object], told: Mapping[str, object]) -> str:
        """Say a verdict: of what grows by its neutral title, of the rest as before."""
        verdict = cast("VerdictName | None", before["verdict"])
        if verdict in ("leak", "inconclusive"):
            if "memories" in told:
                return _of_gravest(verdict, told)
            findings = cast(Sequence[FindingPayload], told.get("findings", ()))
            growing = [one for one in findings if one["kind"] == "growth" and not one["expected"]]
            if growing or "findings" not in told:
                return reason_of_growth(growing, verdict, remedy_of(str(before["reason"])))
        reason = str(before["reason"])
        kept = verdict is not None and not self.names.occur_in(reason)
        return reason if kept else f"{VERDICTS[verdict].capitalize()}."


def finding_title(finding: FindingPayload) -> str:
    """Say a finding in one line, from what stands in its other fields."""
    told = finding["site"]
    site = Site(told["op"], told["shape"], told["dtype"], "", "", (), told["source"])
    rate = finding["bytes_per_step"]
    amount = held_text(finding) if rate is None else f"{bytes_text(rate)} a step"
    more = f" and {count_text(len(finding['parts']) - 1, 'more site')}" if finding["parts"] else ""
    what = ", ".join(part for part in (kind_text(finding), amount) if part)
    return f"{site_text(site)}{more}: {what}"


def reason_of_growth(growing: Sequence[FindingPayload], verdict: str, remedy: str = "") -> str:
    """Say a verdict that rests on growth; without the findings only that it does."""
    doubt = f" {remedy}" if remedy else ""
    if not growing:
        return "Something leaks." if verdict == "leak" else f"Something may leak.{doubt}"
    if len(growing) == 1:
        return f"{growing[0]['title']}.{doubt}"
    rates = bytes_text(sum(one["bytes_per_step"] or 0 for one in growing))
    return f"{len(growing)} sites take {rates} a step, most of it {growing[0]['title']}.{doubt}"


def _of_gravest(verdict: str, host: Mapping[str, object]) -> str:
    memories = cast(Sequence[Mapping[str, object]], host["memories"])
    return next((str(one["reason"]) for one in memories if one["verdict"] == verdict), "")
