from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from types import MappingProxyType

import pytest

from tensorboard_memleak.catalog import Catalog, Listing, Session
from tensorboard_memleak.model.trace import Notice
from tensorboard_memleak.plugin import LeakFinderPlugin
from tensorboard_memleak.roots import Root
from tensorboard_memleak.settings import Settings

FOUND = Listing(MappingProxyType({"s": Session("s", "", "s", ())}))
STRAY = Listing(notices=(Notice("stray_profile", "x.xplane.pb: outside plugins/profile"),))


class Scans:
    """A catalog's scan that waits until it is let go, and counts how often it ran."""

    def __init__(self, *listings: Listing) -> None:
        self.listings = list(listings)
        self.go_on = threading.Event()
        self.count = 0

    def __call__(self, _: Sequence[Root]) -> Listing:
        self.count += 1
        assert self.go_on.wait(10)
        return self.listings.pop(0) if len(self.listings) > 1 else self.listings[0]


def plugin_with(scans: Scans) -> LeakFinderPlugin:
    plugin = LeakFinderPlugin(Settings())
    plugin._finder.catalog = Catalog((), scans)
    return plugin


def finish(plugin: LeakFinderPlugin, scans: Scans) -> None:
    scans.go_on.set()
    assert plugin._scan is not None
    plugin._scan.join(10)


def test_making_the_plugin_scans_nothing() -> None:
    scans = Scans(FOUND)

    plugin_with(scans).get_plugin_apps()

    assert scans.count == 0


@pytest.mark.parametrize("listing", [FOUND, STRAY], ids=["a session", "a stray profile"])
def test_a_quick_scan_makes_the_tab_active_at_once(listing: Listing) -> None:
    scans = Scans(listing)
    scans.go_on.set()

    assert plugin_with(scans).is_active() is True


def test_a_slow_scan_holds_up_the_first_call_briefly_and_later_ones_not_at_all() -> None:
    scans = Scans(FOUND)
    plugin = plugin_with(scans)
    began = time.monotonic()

    assert plugin.is_active() is False
    first = time.monotonic() - began
    for _ in range(100):
        assert plugin.is_active() is False
    others = time.monotonic() - began - first

    assert first >= 0.2
    assert others < first
    assert scans.count == 1
    finish(plugin, scans)
    assert plugin.is_active() is True


def test_once_active_nothing_is_scanned_again() -> None:
    scans = Scans(FOUND)
    scans.go_on.set()
    plugin = plugin_with(scans)
    plugin.is_active()

    assert all(plugin.is_active() for _ in range(10))
    assert scans.count == 1


def test_while_nothing_is_found_each_question_looks_again_for_the_next() -> None:
    scans = Scans(Listing(), FOUND)
    scans.go_on.set()
    plugin = plugin_with(scans)

    assert plugin.is_active() is False
    plugin.is_active()
    finish(plugin, scans)

    assert plugin.is_active() is True
    assert scans.count == 2
