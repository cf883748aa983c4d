"""The words of a finding: a title with its numbers, and the evidence in a sentence or two."""

from __future__ import annotations

from tensorboard_memleak.analysis.confidence import SURE
from tensorboard_memleak.analysis.wording import bytes_text, count_text, grouped, ordinal, site_text
from tensorboard_memleak.model.findings import Site
from tensorboard_memleak.model.judgement import Judgement, Pattern


def rhythm_text(one: Judgement) -> str:
    """Say how blocks come to stay: every step, every 5th step, since step 16."""
    words = {
        Pattern.EVERY_STEP: "every step",
        Pattern.EVERY_KTH: f"every {ordinal(one.period)} step",
        Pattern.IRREGULAR: f"in {_of_steps(one)}",
        Pattern.NET: "more than is freed",
        Pattern.BY_SIZE: "by size",
        Pattern.RECENT: "too recent to tell",
        Pattern.ONCE: "kept once",
        Pattern.LEVELS_OFF: "levels off",
        Pattern.REPLACED: "replaced",
        Pattern.LATE: "freed late",
        Pattern.YOUNG: "in flight",
    }
    text = words[one.pattern]
    return f"{text}, since step {one.since + 1} of the capture" if one.since is not None else text


def title(one: Judgement, site: Site, count: int, size_bytes: int) -> str:
    """Say a finding in one line."""
    name, held = site_text(site), f"{count_text(count, 'block')}, {bytes_text(size_bytes)}"
    if one.kind == "growth":
        return _growth_title(one, name)
    late = count_text(one.period, "step")
    return {
        Pattern.RECENT: f"{name} was kept too recently to tell whether more will follow: {held}",
        Pattern.ONCE: f"{name} is kept, and nothing more is added: {held}",
        Pattern.LEVELS_OFF: f"{name} levels off at {held}",
        Pattern.REPLACED: f"{name} is replaced, new blocks for old: {held}",
        Pattern.LATE: f"{name} is freed late, up to {late} on: {held} at the end",
        Pattern.YOUNG: f"{name} was still in use when the capture ended: {held}",
    }[one.pattern]


def _growth_title(one: Judgement, name: str) -> str:
    sure = (one.confidence or 0) >= SURE
    rate = bytes_text(one.rate or 0)
    if one.pattern is Pattern.BY_SIZE:
        verb = "grows by" if sure else "may grow by"
        return f"{name} {verb} {rate} every step: it is replaced by a larger block each time"
    verb = "leaks" if sure else "may leak"
    if one.pattern is Pattern.EVERY_STEP:
        return f"{name} {verb} {rate} {rhythm_text(one)}"
    if one.pattern is Pattern.NET:
        return f"{name} {verb} {rate} a step: it keeps more than it frees"
    return f"{name} {verb} {rate} a step, {rhythm_text(one)}"


def detail(one: Judgement, count: int, size_bytes: int) -> str:
    """Say what the finding rests on."""
    held = f"{count_text(count, 'block')} ({bytes_text(size_bytes)})"
    are, s = ("is", "s") if count == 1 else ("are", "")
    text = {
        Pattern.BY_SIZE: (
            f"What each step hands to the next was larger than before in "
            f"{count_text(max(len(one.occasions) - 1, 0), 'step')}; the older block is freed."
        ),
        Pattern.NET: (
            f"The number of its blocks in use that never comes down again rose in "
            f"{_of_steps(one)}; {held} of this window remain{s}."
        ),
        Pattern.RECENT: f"{held} stay{s}, and too few steps came after them to show that it ended.",
        Pattern.ONCE: f"{held} stay{s}, and later steps added none.",
        Pattern.LEVELS_OFF: f"{held} {are} in use at the end; births and releases are in balance.",
        Pattern.REPLACED: (
            f"{held} stay{s}, and as many blocks of the same size from before the capture were "
            "freed."
        ),
        Pattern.LATE: (
            f"Blocks are released many at a time, up to {count_text(one.period, 'step')} after "
            f"their birth; {held} {'was' if count == 1 else 'were'} waiting at the end."
        ),
        Pattern.YOUNG: f"{held} {are} no older than this site's blocks usually get.",
    }.get(
        one.pattern,
        f"{held} {are} still in use. {_left_behind(one)}",
    )
    return f"{text} Less than certain: {one.doubt}." if one.doubt else text


def _of_steps(one: Judgement) -> str:
    return f"{grouped(len(one.occasions))} of {count_text(one.eligible, 'step')}"


def _left_behind(one: Judgement) -> str:
    """Say how many of the steps whose blocks the site's own habit would have freed kept some."""
    of = f"{count_text(one.eligible, 'step')} whose blocks should be freed by now left some behind"
    if len(one.occasions) == one.eligible:
        return f"All {of}."
    return f"{grouped(len(one.occasions))} of the {of}."
