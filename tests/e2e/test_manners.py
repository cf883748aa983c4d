"""How the page behaves: themes, keyboard, small screens, the table and the timeline."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.captures import demo_session
from tests.e2e.tab import Tab

LEAKY = demo_session("leaky_training")
BACKGROUND = "node => getComputedStyle(node.ownerDocument.body).backgroundColor"
LUMINANCE = """node => {
  const parts = getComputedStyle(node).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  return (0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]) / 255;
}"""

SCROLLED = "node => node.ownerDocument.scrollingElement.scrollTop"
WATCH = """node => {
  const view = node.ownerDocument.defaultView;
  view.gone = 0;
  const kept = [node, ...node.ownerDocument.querySelectorAll("[role=grid], [role=listbox]")];
  new view.MutationObserver(() => {
    view.gone += kept.filter((one) => !one.isConnected).length;
  }).observe(node.ownerDocument.body, { childList: true, subtree: true });
}"""
GONE = "node => node.ownerDocument.defaultView.gone"

FIRST_PAINT_SCRIPTS = """node => {
  const { performance } = node.ownerDocument.defaultView;
  const painted = performance.getEntriesByName("first-contentful-paint")[0].startTime;
  const scripts = performance.getEntriesByType("resource").filter(
    (one) => one.name.includes("/leak_finder/") && one.name.endsWith(".js")
      && one.startTime < painted);
  return {
    count: scripts.length,
    bytes: scripts.reduce((sum, one) => sum + one.encodedBodySize, 0),
  };
}"""


def test_dark_mode_follows_tensorboard(tab: Tab) -> None:
    tab.open(LEAKY)
    light = tab.headline.evaluate(LUMINANCE)
    tab.page.get_by_role("button", name="Toggle dark mode").or_(
        tab.page.get_by_label("Menu for changing light or dark theme")
    ).first.click()
    tab.page.get_by_role("menuitem", name="Dark").click()
    expect(tab.headline).to_be_visible()
    tab.page.wait_for_function("document.body.classList.contains('dark-mode')")
    dark = tab.headline.evaluate(LUMINANCE)
    assert light < 0.3
    assert dark > 0.7


@pytest.mark.parametrize("width", [800, 1280])
def test_nothing_scrolls_sideways(open_tab: Callable[..., Tab], address: str, width: int) -> None:
    tab = open_tab(address, viewport={"width": width, "height": 720})
    tab.open(LEAKY)
    expect(tab.sites.first).to_be_visible()
    overflow = tab.headline.evaluate(
        "node => node.ownerDocument.documentElement.scrollWidth - window.innerWidth"
    )
    assert overflow <= 0


def test_findings_by_keyboard(tab: Tab) -> None:
    tab.open(demo_session("two_leaks"))
    tab.frame.get_by_role("listbox", name="Findings").focus()
    tab.page.keyboard.press("ArrowDown")
    expect(tab.findings.nth(1)).to_have_attribute("aria-selected", "true")
    expect(tab.frame.get_by_role("region", name="Where it comes from")).to_contain_text("Relu")


def test_sites_are_filtered_and_sorted(tab: Tab) -> None:
    tab.open(LEAKY)
    expect(tab.sites.first).to_be_visible()
    every = tab.sites.count()
    tab.frame.get_by_role("searchbox", name="Filter Sites").fill("relu")
    expect(tab.sites.first).to_contain_text("Relu")
    assert 0 < tab.sites.count() < every
    tab.frame.get_by_role("searchbox", name="Filter Sites").fill("")
    header = tab.frame.get_by_role("grid", name="Sites").get_by_role("columnheader").first
    header.get_by_role("button").click()
    expect(header).to_have_attribute("aria-sort", "ascending")


def test_a_wrong_filter_says_what_is_wrong(tab: Tab) -> None:
    tab.open(LEAKY)
    tab.frame.get_by_role("searchbox", name="Filter Sites").fill("live>abc")
    expect(tab.frame.get_by_role("alert")).to_be_visible()


def test_timeline_zooms_and_shows_all_again(tab: Tab) -> None:
    tab.open(LEAKY)
    over_time = tab.frame.get_by_role("region", name="Memory over time")
    expect(over_time).to_contain_text("none left out")
    over_time.get_by_role("button", name="Zoom in").click()
    expect(over_time.get_by_role("button", name="Show all")).to_be_enabled()
    assert "p.leak_finder.zoom=" in tab.page.url
    over_time.get_by_role("button", name="Show all").click()
    expect(over_time.get_by_role("button", name="Show all")).to_be_disabled()


def test_tensorboards_reload_asks_anew_and_keeps_the_place(tab: Tab) -> None:
    tab.open(demo_session("two_leaks"), sort="-site")
    tab.findings.nth(1).click()
    expect(tab.findings.nth(1)).to_have_attribute("aria-selected", "true")
    tab.frame.get_by_role("searchbox", name="Filter Sites").fill("relu")
    expect(tab.sites.first).to_contain_text("Relu")
    rows = tab.sites.all_inner_texts()
    tab.frame.get_by_role("grid", name="Sites").scroll_into_view_if_needed()
    place, scrolled = tab.page.url, tab.headline.evaluate(SCROLLED)
    tab.page.wait_for_load_state("networkidle")
    tab.headline.evaluate(WATCH)

    with tab.page.expect_response(re.compile("/leak_finder/sites")):
        tab.reload_data()
    tab.page.wait_for_load_state("networkidle")

    assert tab.page.url == place
    expect(tab.findings.nth(1)).to_have_attribute("aria-selected", "true")
    assert tab.sites.all_inner_texts() == rows
    assert tab.headline.evaluate(SCROLLED) == scrolled > 0
    assert tab.headline.evaluate(GONE) == 0  # nothing was taken away meanwhile


def test_a_hidden_tab_asks_nothing_and_catches_up(tab: Tab) -> None:
    tab.open(LEAKY)
    tab.page.wait_for_load_state("networkidle")
    tab.hide()
    before = len(tab.own_requests())
    tab.reload_data()
    tab.page.wait_for_timeout(500)
    assert tab.own_requests()[before:] == []

    with tab.page.expect_response(re.compile("/leak_finder/report")):
        tab.show()
    expect(tab.headline).to_contain_text("Leaks")


def test_first_paint_is_light(tab: Tab) -> None:
    tab.open(LEAKY)
    scripts = tab.headline.evaluate(FIRST_PAINT_SCRIPTS)
    assert scripts["count"] > 0
    assert scripts["bytes"] <= 40 * 1024


def test_each_answer_is_asked_for_once(tab: Tab) -> None:
    tab.open(LEAKY)
    expect(tab.frame.get_by_role("region", name="Memory over time")).to_contain_text(
        "none left out"
    )
    tab.page.wait_for_load_state("networkidle")
    asked = [url for url in tab.record.requests if "/data/plugin/leak_finder/" in url]
    assert len(asked) == len(set(asked))
    assert [url.partition("/timeline?")[1] for url in asked].count("/timeline?") == 1
