"""What axe-core can tell of accessibility, on each view, in both themes."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest

from tests.captures import demo_session
from tests.e2e.browser import ColorScheme
from tests.e2e.tab import FRAME, Tab

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
TWO_LEAKS, DONATION = demo_session("two_leaks"), demo_session("jax_missing_donation")
PLACES = (
    {"session": demo_session("leaky_training")},
    {"session": demo_session("fixed_training")},
    {"session": demo_session("jax_cpu")},
    {"session": TWO_LEAKS, "view": "timeline"},
    {"session": TWO_LEAKS, "view": "blocks"},
    {"session": TWO_LEAKS, "view": "flame"},
    {"session": DONATION, "view": "programs"},
    {"session": demo_session("jax_cpu"), "view": "snapshots"},
    {"session": TWO_LEAKS, "view": "compare", "compare": demo_session("leaky_training")},
    {"session": "no_such_run/2020_01_01_00_00_00"},
)


def violations(tab: Tab) -> list[str]:
    """What axe-core finds in our document as it is now."""
    frame = tab.page.wait_for_selector(FRAME).content_frame()
    assert frame
    frame.evaluate(AXE)
    found = frame.evaluate("async () => (await axe.run()).violations")
    return [f"{one['id']}: {node['target']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_tab: Callable[..., Tab], address: str, scheme: ColorScheme) -> None:
    tab = open_tab(address, scheme=scheme)
    found = {}
    for place in PLACES:
        tab.page.goto("about:blank")  # a new document: nothing of the last place is left in it
        tab.open(**place)
        tab.page.wait_for_load_state("networkidle")
        found[" ".join(place.values())] = violations(tab)
    assert {place: said for place, said in found.items() if said} == {}
