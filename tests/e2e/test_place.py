"""Where the person is: sessions, links, reload, back, a path prefix, and XProf next door."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.captures import demo_session
from tests.e2e.server import tensorboard
from tests.e2e.tab import Tab

LEAKY, FIXED = demo_session("leaky_training"), demo_session("fixed_training")


def test_switching_the_session_changes_answer_and_address(tab: Tab) -> None:
    tab.open(LEAKY)
    tab.picker("Session").select_option(FIXED)
    expect(tab.headline).to_have_text("Nothing leaks.")
    expect(tab.page).to_have_url(re.compile("p.leak_finder.session=fixed_training"))


def test_reload_keeps_the_place(tab: Tab) -> None:
    tab.open(demo_session("two_leaks"))
    tab.findings.nth(1).click()
    expect(tab.findings.nth(1)).to_have_attribute("aria-selected", "true")
    tab.page.reload()
    tab.settled()
    expect(tab.picker("Session")).to_have_value(demo_session("two_leaks"))
    expect(tab.findings.nth(1)).to_have_attribute("aria-selected", "true")


def test_back_and_forward(tab: Tab) -> None:
    tab.open(LEAKY)
    tab.picker("Session").select_option(FIXED)
    expect(tab.headline).to_have_text("Nothing leaks.")
    tab.page.go_back()
    expect(tab.headline).to_contain_text("Leaks")
    tab.page.go_forward()
    expect(tab.headline).to_have_text("Nothing leaks.")


def test_link_to_a_session_that_is_gone(tab: Tab) -> None:
    tab.open("no_such_run/2020_01_01_00_00_00")
    expect(tab.headline).to_have_text("This session is not here.")
    tab.frame.get_by_role("button", name="Show the newest session").click()
    expect(tab.frame.get_by_role("region", name="Verdict")).to_be_visible()


@pytest.mark.parametrize(
    ("label", "tool"),
    [
        ("Memory Profile", "memory_profile"),
        ("Memory Viewer", "memory_viewer"),
        ("Trace Viewer", "trace_viewer"),
    ],
)
def test_links_lead_to_the_same_run_in_xprof(tab: Tab, label: str, tool: str) -> None:
    tab.open(LEAKY)
    target = urlsplit(str(tab.neighbour(label).get_attribute("href")))
    query = parse_qs(target.query)
    assert (query["tool"], query["run"], query["host"]) == ([tool], [LEAKY], ["host0"])
    assert target.fragment == "profile"
    assert tab.neighbour(label).get_attribute("target") in ("_parent", "_top")


def test_memory_profile_opens_on_the_same_run(lone_tab: Tab) -> None:
    lone_tab.open(LEAKY)
    lone_tab.neighbour("Memory Profile").click()
    tab = lone_tab
    expect(tab.page).to_have_url(re.compile("run=leaky_training.*"))
    profile = tab.page.frame_locator('iframe[src*="name=profile"]')
    expect(profile.get_by_text("Memory Profile Summary")).to_be_visible()


def test_what_is_chosen_names_what_it_was_chosen_in(tab: Tab) -> None:
    """A link, and a newer session, must not lead to the same moment of something else."""
    tab.open()
    tab.view("Timeline").get_by_role("button", name="Point at the peak").click()
    expect(tab.page).to_have_url(re.compile(r"leak_finder\.at=\d+"))
    for key in ("session", "host", "memory"):
        assert f"leak_finder.{key}=" in tab.page.url


def test_a_stretch_outside_of_the_capture_is_not_looked_at(tab: Tab) -> None:
    tab.open(LEAKY, view="timeline", zoom="999999999999-9999999999999")
    panel = tab.frame.get_by_role("tabpanel", name="Timeline")
    expect(panel).to_contain_text("620 events")
    expect(panel.get_by_role("region", name="Memory over time")).to_contain_text("What ran")


def test_a_link_to_a_site_that_is_not_there_has_a_way_out(tab: Tab) -> None:
    tab.open(LEAKY, site="999")
    tab.frame.get_by_role("button", name="Show without what the link chose").click()
    expect(tab.frame.get_by_role("region", name="Where it comes from")).to_contain_text("Relu")
    assert "leak_finder.site=" not in tab.page.url
    tab.record.forgive("/site?")


def test_trace_opens_on_the_stretch_in_sight(tab: Tab) -> None:
    tab.open(LEAKY, view="timeline", zoom="2000000-4000000")
    with tab.page.expect_popup() as opened:
        tab.neighbour("Trace Viewer").click()
    trace = opened.value
    # It asks the server for as much again on either side.
    with trace.expect_response(
        re.compile(r"/data/plugin/profile/data\?.*start_time_ms=")
    ) as answer:
        trace.wait_for_load_state()
    asked = parse_qs(urlsplit(answer.value.url).query)
    assert (asked["run"], asked["host"]) == ([LEAKY], ["host0"])
    assert [float(asked[end][0]) for end in ("start_time_ms", "end_time_ms")] == pytest.approx(
        [0, 6]
    )
    assert answer.value.ok


def test_under_a_path_prefix(open_tab: Callable[..., Tab], logdir: Callable[..., Path]) -> None:
    logs = logdir(leaky_training="activation_kept")
    with tensorboard(logs, "--path_prefix=/tb/x") as address:
        assert address.endswith("/tb/x")
        tab = open_tab(address)
        tab.click_tab()
        expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")
        assert str(tab.neighbour("Trace Viewer").get_attribute("href")).startswith("/tb/x/?")


def test_without_the_data_server(open_tab: Callable[..., Tab], logdir: Callable[..., Path]) -> None:
    with tensorboard(logdir(run="activation_kept"), "--load_fast=false") as address:
        tab = open_tab(address)
        tab.click_tab()
        expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")
