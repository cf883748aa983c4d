"""What axe-core can tell of accessibility, on each view, in both themes."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files

import pytest

from tests.captures import demo_session
from tests.e2e.browser import ColorScheme
from tests.e2e.tab import FRAME, Tab

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")
PLACES = {
    "leak": {"session": demo_session("leaky_training")},
    "clean": {"session": demo_session("fixed_training")},
    "no events": {"session": demo_session("jax_cpu")},
    "gone": {"session": "no_such_run/2020_01_01_00_00_00"},
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", PLACES)
def test_axe_finds_nothing(
    open_tab: Callable[..., Tab], address: str, place: str, scheme: ColorScheme
) -> None:
    tab = open_tab(address, scheme=scheme)
    tab.open(**PLACES[place])
    element = tab.page.wait_for_selector(FRAME)
    frame = element.content_frame()
    assert frame
    frame.evaluate(AXE)
    found = frame.evaluate("async () => (await axe.run()).violations")
    said = [
        {"rule": one["id"], "where": [node["target"] for node in one["nodes"]]} for one in found
    ]
    assert said == [], json.dumps(said, indent=1)
