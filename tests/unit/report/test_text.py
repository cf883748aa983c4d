from __future__ import annotations

from pathlib import Path

import pytest

from tensorboard_memleak.report.plain import columns_of
from tensorboard_memleak.report.style import Style
from tensorboard_memleak.report.text import report_text, verdicts_text
from tensorboard_memleak.service.opening import open_path
from tensorboard_memleak.service.report import report as report_on
from tests.unit.report.example import capture, finding, host, memory, put, report, steps

HOSTILE = "\x1b]0;owned\x07\u202eevil\r\nname"


def test_a_leak_is_told_with_its_numbers_its_origin_and_what_to_do() -> None:
    assert report_text(report(host(memory())), 100) == (
        "run/2026_01_01_00_00_00 · vm\n"
        "20 steps of 2 µs · vm.xplane.pb 2 KiB\n"
        "\n"
        "● LEAK in GPU_0_bfc\n"
        "  Relu [250] float32 leaks 1 KiB every step. 95 % sure.\n"
        "  The memory is full after about 1\u202f000 more steps, 2 ms at this pace.\n"
        "\n"
        "  1 ● Relu [250] float32 leaks 1 KiB every step\n"
        "      grows every step · 1 KiB (1\u202f024 B) a step · 20 blocks, 20 KiB"
        " · 19.5 KiB requested\n"
        "      born in steps 100 to 119, 20 of 20 · 95 % sure\n"
        "      in forward (model.py:12) ← train\n"
        "      20 blocks (20 KiB) are still in use.\n"
        "      → Keep float(x) instead.\n"
        "\n"
        "  40 allocations · 20 deallocations · 20 blocks still in use, 20 KiB\n"
        "  in use 4 KiB → 24 KiB · peak 26 KiB at 39 µs · capacity 1 MiB · lifetime peak 24 KiB\n"
        "  the events add up to the allocator's own total\n"
    )


def test_a_page_made_from_a_capture_names_the_leak(tmp_path: Path) -> None:
    put(tmp_path, capture())
    page = report_text(report_on(open_path(str(tmp_path))), 100)
    assert "● LEAK in GPU_0_bfc\n  Relu [250] float32 leaks 1 KiB every step." in page
    assert "20 blocks, 20 KiB" in page


def test_what_needs_no_action_takes_two_lines() -> None:
    kept = finding(kind="retained", severity="info", pattern="kept once", title="Fill is kept")
    calm = memory(verdict="no_leak", reason="Nothing keeps coming.", findings=[kept])
    page = report_text(report(host(calm)), 100)
    assert "■ nothing leaks in GPU_0_bfc\n  Nothing keeps coming. 95 % sure.\n" in page
    assert "  1 ■ Fill is kept\n      kept once · 1 KiB (1\u202f024 B) a step" in page
    assert "Keep float(x)" not in page
    assert "model.py" not in page


def test_several_memories_begin_with_an_overview_the_gravest_first() -> None:
    clean = memory(memory_id="1", verdict="no_leak", reason="All freed.", findings=[])
    page = report_text(report(host(clean, host="a"), host(memory(), host="b")), 100)
    assert page.splitlines()[:4] == [
        "2 memories: 1 leak, 1 nothing leaks",
        "",
        "● LEAK           run/2026_01_01_00_00_00 · b · GPU_0_bfc: Relu [250] float32 leaks 1 KiB "
        "every step.",
        "■ nothing leaks  run/2026_01_01_00_00_00 · a · 1: All freed.",
    ]


def test_a_host_without_events_says_why_and_what_to_capture() -> None:
    why = {"code": "no_memory_events", "message": "JAX writes none.", "hint": "Save profiles."}
    quiet = memory(memory_id=None, verdict="no_events", findings=[], reason="JAX writes none.")
    page = report_text(report(host(quiet, warnings=[why])), 100)
    assert page.endswith("□ no memory events\n\n  ! JAX writes none.\n    Save profiles.\n")
    assert page.count("JAX writes none.") == 1


def test_a_host_that_cannot_be_read_stands_among_the_others() -> None:
    wrong = {"code": "unreadable_file", "message": "vm.xplane.pb is empty.", "hint": "Again."}
    page = report_text(report(host(warnings=[wrong]), host(memory(), host="b")), 100)
    assert "▲ UNREADABLE\n\n  ! vm.xplane.pb is empty.\n    Again.\n" in page
    assert "● LEAK in GPU_0_bfc" in page


def test_parts_of_one_cause_are_listed_and_counted() -> None:
    parts = [finding(title=f"part {number}") for number in range(5)]
    page = report_text(report(host(memory(findings=[finding(parts=parts)]))), 100)
    assert "      · part 0\n      · part 1\n      · part 2\n      · and 2 more sites" in page
    assert "part 3" not in page


def test_shared_advice_stands_once_and_what_is_left_out_is_counted() -> None:
    page = report_text(report(host(memory(findings=[finding()] * 10))), 100)
    assert page.count("→ Keep float(x) instead.") == 1
    assert page.count("leaks 1 KiB every step\n") == 8
    assert "and 2 more findings; --format json has them all" in page


def test_programs_and_snapshots_are_told_below_the_memories() -> None:
    donate = finding(
        kind="missing_donation", pattern="", severity="medium", title="p could be donated"
    )
    grows = finding(kind="snapshot_growth", pattern="", title="step leaks between snapshots")
    page = report_text(
        report(
            host(
                memory(),
                modules=[
                    {"name": "jit_step", "program_id": "8", "peak_bytes": 1, "findings": [donate]},
                    {"name": "jit_calm", "program_id": "9", "peak_bytes": 1, "findings": []},
                ],
                snapshots=[{"findings": [grows]}],
            )
        ),
        100,
    )
    assert "\nCompiled programs · Device-memory profiles compared\n" in page
    assert "  1 ● step leaks between snapshots\n      grows between snapshots" in page
    assert "  2 ◆ p could be donated\n      program jit_step · could be donated" in page
    assert "jit_calm" not in page


def test_without_events_what_was_found_beside_them_leads() -> None:
    quiet = memory(memory_id=None, verdict="no_events", findings=[], reason="JAX writes none.")
    again = finding(kind="recompilation", pattern="", title="forward was compiled 11 times")
    module = {"name": "jit_f", "program_id": "8", "peak_bytes": 1, "findings": [again]}
    page = report_text(report(host(quiet, modules=[module])), 100)
    assert (
        "\n\n● forward was compiled 11 times.\n  No memory events.\n\nCompiled programs\n" in page
    )
    grows = finding(kind="snapshot_growth", pattern="", title="append holds 12 more arrays")
    page = report_text(report(host(quiet, snapshots=[{"findings": [grows]}])), 100)
    assert (
        "\n\n● The snapshots grow.\n  append holds 12 more arrays.\n  No memory events.\n" in page
    )


def test_growth_between_snapshots_is_told_in_the_overview() -> None:
    quiet = memory(memory_id=None, verdict="no_events", findings=[], reason="JAX writes none.")
    grows = finding(kind="snapshot_growth", title="step holds 12 more arrays")
    page = verdicts_text(report(host(quiet, snapshots=[{"findings": [grows]}])), 200)
    assert page.endswith(": JAX writes none. step holds 12 more arrays.\n")


def test_growth_that_is_expected_is_shown_and_said_to_be_set_aside() -> None:
    aside = finding(expected="the replay buffer fills for an hour", severity="info")
    calm = memory(verdict="no_leak", reason="Nothing else grows.", findings=[aside])
    page = report_text(report(host(calm)), 100)
    assert "  1 ■ Relu [250] float32 leaks 1 KiB every step\n" in page
    assert "      set aside: the replay buffer fills for an hour\n" in page


def test_an_unknown_origin_says_why() -> None:
    site = {**finding()["site"], "stack": [], "source": "unknown", "unknown_why": "Not told."}
    page = report_text(report(host(memory(findings=[finding(site=site)]))), 100)
    assert "      on thread python\n      Not told.\n" in page


def test_what_the_profile_does_not_tell_is_said_to_be_unknown() -> None:
    bare = memory()
    bare["totals"].update(
        capacity_bytes=None,
        peak_ns=None,
        unaccounted_bytes=-1024,
        lost=2,
        prewindow_deallocations=3,
    )
    page = report_text(report(host(bare)), 200)
    assert "20 deallocations (3 of older blocks)" in page
    assert "2 releases not seen" in page
    assert "peak 26 KiB · capacity unknown" in page
    assert "the allocator's own total is 1\u202f024 B lower than the events tell" in page


@pytest.mark.parametrize("coloured", [False, True])
def test_no_name_reaches_the_terminal_as_it_is(coloured: bool) -> None:
    site = {**finding()["site"], "stack": [HOSTILE], "thread": HOSTILE, "unknown_why": HOSTILE}
    told = {"code": "x", "message": HOSTILE, "hint": HOSTILE}
    bad = finding(title=HOSTILE, detail=HOSTILE, advice=HOSTILE, site=site, pattern=HOSTILE)
    bad["parts"] = [finding(title=HOSTILE)]
    entry = host(
        memory(memory_id=HOSTILE, reason=HOSTILE, findings=[bad], warnings=[told]),
        host=HOSTILE,
        files=[{"name": HOSTILE, "bytes": 1}],
        warnings=[told],
        modules=[{"name": HOSTILE, "program_id": None, "peak_bytes": 1, "findings": [bad]}],
    )
    made = report(entry, entry)
    made["sessions"][0].update(run=HOSTILE, session=HOSTILE)
    made["warnings"] = [told]  # type: ignore[list-item]  # a plain dict
    for page in (
        report_text(made, 100, Style(coloured)),
        verdicts_text(made, 100, Style(coloured)),
    ):
        assert "\x1b]" not in page
        assert not set(page) & set("\x07\r\u202e")
        assert "evil" in page
        assert ("\x1b[" in page) == coloured


@pytest.mark.parametrize("width", [10, 48, 80, 120])
def test_lines_fit_the_terminal(width: int) -> None:
    name = "модель/слой/" + "x" * 3000
    long = memory(memory_id=name, reason=name, findings=[finding(title=name, detail=name)])
    page = report_text(report(host(long, host=name), host(long)), width)
    assert max(map(columns_of, page.splitlines())) <= max(width, 48)


def test_a_gate_prints_a_line_a_memory() -> None:
    clean = memory(memory_id="1", verdict="no_leak", reason="All freed.", findings=[])
    assert verdicts_text(report(host(clean, memory(), steps=steps())), 120) == (
        "● LEAK           run/2026_01_01_00_00_00 · vm · GPU_0_bfc: "
        "Relu [250] float32 leaks 1 KiB every step.\n"
        "■ nothing leaks  run/2026_01_01_00_00_00 · vm · 1: All freed.\n"
    )
