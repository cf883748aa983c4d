"""What a person came for: is something leaking, and what."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.captures import SESSION, demo_session
from tests.e2e.server import tensorboard
from tests.e2e.tab import Tab


def test_click_the_tab_and_read_what_leaks(tab: Tab) -> None:
    tab.click_tab()
    tab.picker("Session").select_option(demo_session("leaky_training"))
    expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")
    first = tab.findings.first
    expect(first).to_contain_text("Relu")
    expect(first).to_contain_text("20 blocks")


def test_clean_capture_is_called_clean(tab: Tab) -> None:
    tab.open(demo_session("fixed_training"))
    expect(tab.headline).to_have_text("Nothing leaks.")
    expect(tab.findings).to_have_count(0)


def test_cache_is_not_called_a_leak(tab: Tab) -> None:
    tab.open(demo_session("cache_only"))
    expect(tab.headline).to_have_text("Nothing leaks.")
    expect(tab.findings.first).to_contain_text("levels off")


def test_two_leaks_are_told_apart(tab: Tab) -> None:
    tab.open(demo_session("two_leaks"))
    expect(tab.findings.nth(0)).to_contain_text("Sigmoid")
    expect(tab.findings.nth(1)).to_contain_text("Relu")


def test_evidence_counts_survivors_by_step(tab: Tab) -> None:
    tab.open(demo_session("leaky_training"))
    chart = tab.frame.get_by_label(re.compile("Blocks still live at the end, by birth step"))
    expect(chart.first).to_be_visible()
    expect(tab.frame.get_by_role("region", name="Where it comes from")).to_contain_text("Relu")


def test_python_frames_are_shown(tab: Tab) -> None:
    tab.open(demo_session("leak_with_python_stack"))
    origin = tab.frame.get_by_role("region", name="Where it comes from")
    expect(origin).to_contain_text("remember_prediction")


def test_snapshots_answer_where_there_are_no_events(tab: Tab) -> None:
    tab.open(demo_session("jax_cpu"))
    expect(tab.headline).to_have_text("The snapshots grow.")
    expect(tab.findings.first).to_contain_text("remember_output")


def test_program_that_should_donate_is_named(tab: Tab) -> None:
    tab.open(demo_session("jax_missing_donation"))
    title = "train_step could write its outputs over parameters: 546 KiB a device."
    expect(tab.headline).to_have_text(title)
    expect(tab.findings.first).to_contain_text("546 KiB")
    advice = tab.frame.get_by_role("region", name="What to do")
    expect(advice).to_contain_text('donate_argnames=("parameters",)')


def test_recompilation_leads_and_is_counted(tab: Tab) -> None:
    tab.open(demo_session("jax_recompiling"))
    expect(tab.headline).to_have_text("forward was compiled 11 times.")
    expect(tab.findings.first).to_contain_text("11")
    expect(tab.findings.first).to_contain_text("versions")
    recipes = tab.frame.get_by_text("StepTraceAnnotation")
    expect(recipes).to_be_hidden()
    tab.frame.get_by_text("How to capture memory events").press("Enter")
    expect(recipes.first).to_be_visible()


def test_what_grew_in_number_alone_is_told_so(tab: Tab) -> None:
    tab.open(demo_session("jax_recompiling"), view="snapshots")
    row = tab.frame.get_by_role("row").filter(has_text="step (jax_programs.py:66)")
    expect(row.first).to_contain_text("+8 programs")


def test_advice_names_the_functions_to_look_at(tab: Tab) -> None:
    tab.open(demo_session("leak_with_python_stack"))
    advice = tab.frame.get_by_role("region", name="What to do")
    expect(advice.get_by_text("remember_prediction", exact=True)).to_be_visible()


def test_nothing_that_tells_is_cut(tab: Tab) -> None:
    """Neither the verdict in the chooser of memories nor the note beside the comb of survivors."""
    cut = "one => one.scrollWidth > one.clientWidth"
    squeezed = """one => {
        const width = one.offsetWidth;
        one.style.maxWidth = "none";
        const whole = one.offsetWidth;
        one.style.maxWidth = "";
        return whole > width;
    }"""
    memories = tab.frame.get_by_role("combobox", name=re.compile("^Memory"))
    tab.open(demo_session("fixed_training"))
    expect(tab.headline).to_have_text("Nothing leaks.")
    assert not memories.evaluate(squeezed)
    tab.page.set_viewport_size({"width": 800, "height": 800})
    assert not memories.evaluate(squeezed)
    tab.open(demo_session("leaky_training"))
    assert not tab.frame.get_by_text("1 in each of 20").evaluate(cut)


def test_capture_without_events_says_why_and_what_to_do(
    open_tab: Callable[..., Tab], logdir: Callable[..., Path]
) -> None:
    with tensorboard(logdir(run="no_bfc")) as address:
        tab = open_tab(address)
        tab.open()
        expect(tab.headline).to_have_text("No memory events on this host.")
        expect(tab.frame.get_by_role("main")).to_contain_text("TF_CPU_ALLOCATOR_USE_BFC=true")


def test_empty_logdir_says_how_to_capture(open_tab: Callable[..., Tab], tmp_path: Path) -> None:
    with tensorboard(tmp_path) as address:
        tab = open_tab(address)
        tab.open()
        expect(tab.headline).to_have_text("No profiles in this log directory.")
        expect(tab.frame.get_by_role("main")).to_contain_text("TF_CPU_ALLOCATOR_USE_BFC=true")


def test_session_that_appears_is_there_after_a_reload(
    open_tab: Callable[..., Tab], logdir: Callable[..., Path]
) -> None:
    with tensorboard(logdir(first="activation_kept_fixed")) as address:
        tab = open_tab(address)
        tab.open()
        expect(tab.headline).to_have_text("Nothing leaks.")
        logdir(second="activation_kept")
        tab.page.get_by_title(re.compile("Last Updated")).click()
        tab.picker("Session").select_option(f"second/{SESSION}")
        expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")


def test_damaged_file_is_named_and_others_work(
    open_tab: Callable[..., Tab], logdir: Callable[..., Path]
) -> None:
    logs = logdir(good="activation_kept", damaged="activation_kept")
    file = next((logs / "damaged").rglob("*.xplane.pb"))
    file.write_bytes(file.read_bytes()[:-1000])
    with tensorboard(logs) as address:
        tab = open_tab(address)
        tab.open(f"damaged/{SESSION}")
        expect(tab.frame.get_by_role("main")).to_contain_text("host0.xplane.pb")
        tab.record.forgive("session=damaged")
        tab.picker("Session").select_option(f"good/{SESSION}")
        expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")
