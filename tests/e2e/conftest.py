"""The server, the browser and the page of the end-to-end tests, each started once where it can."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.captures import demo_logdir, unpack
from tests.e2e.browser import ColorScheme, chromium, executable
from tests.e2e.server import tensorboard
from tests.e2e.tab import Record, Tab

HERE = Path(__file__).parent
VIEWPORT = {"width": 1280, "height": 720}
PATIENCE_MS = 20_000

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these last: they are slow, and say little while a unit test fails."""
    items.sort(key=lambda item: HERE in item.path.parents)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = executable()
    if path is None:
        if os.environ.get("MEMLEAK_REQUIRE_BROWSER"):
            pytest.fail("no Chromium found, and MEMLEAK_REQUIRE_BROWSER asks for one")
        pytest.skip("no Chromium found (set MEMLEAK_CHROMIUM)")
    with chromium(path) as running:
        yield running


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """TensorBoard over the captures of the demo."""
    with tensorboard(demo_logdir()) as running:
        yield running


OpenTab = Callable[..., Tab]


@pytest.fixture
def open_tab(browser: Browser) -> Iterator[OpenTab]:
    """Open a page on an address; at the end, nothing was said on the console and nothing failed."""
    with ExitStack() as pages:
        tabs: list[Tab] = []

        def new(
            address: str, *, scheme: ColorScheme = "light", viewport: dict[str, int] = VIEWPORT
        ) -> Tab:
            context = browser.new_context(color_scheme=scheme, viewport=viewport)  # type: ignore[arg-type]
            pages.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(PATIENCE_MS)
            record = Record(address)
            record.attach(page)
            tabs.append(Tab(page, record))
            return tabs[-1]

        yield new
        for tab in tabs:
            assert tab.record.foreign() == []
            assert tab.record.console == []
            assert tab.record.failures == []


@pytest.fixture
def tab(open_tab: OpenTab, address: str) -> Tab:
    """A light page of a small laptop on the demo's captures."""
    return open_tab(address)


@pytest.fixture
def lone_tab(browser: Browser, address: str) -> Iterator[Tab]:
    """A page that may leave Leak Finder: what other plugins then ask or say is not held against us.

    Anything outside of TensorBoard is refused, as on a machine without a network.
    """
    context = browser.new_context(viewport=VIEWPORT)  # type: ignore[arg-type]
    context.route(lambda url: not url.startswith(address), lambda route: route.abort())
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield Tab(page, Record(address))
    context.close()


@pytest.fixture
def logdir(tmp_path: Path) -> Callable[..., Path]:
    """Make a logdir of bundled captures: run name to capture name."""

    def make(**runs: str) -> Path:
        for run, capture in runs.items():
            unpack(capture, run, tmp_path / "logs")
        return tmp_path / "logs"

    return make
