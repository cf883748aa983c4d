"""The Leak Finder tab as a person uses it, and a record of all that the browser did for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import quote

from playwright.sync_api import (
    ConsoleMessage,
    Error,
    FrameLocator,
    Locator,
    Page,
    Request,
    Response,
)

PLUGIN = "leak_finder"
OTHER = "data/plugin/profile"
STILL = re.compile("^(Reading|Fetching|Analysing|Naming) ")
FRAME = f'iframe[src*="name={PLUGIN}"]'


@dataclass
class Record:
    """What went wrong on the console or in answers, and every request, other plugins left out.

    TensorBoard opens on XProf's tab where there is nothing else to show, and that asks the network
    for its charts: it is told apart by the frame that asks, or the address that is complained of.
    """

    address: str
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def forgive(self, part: str) -> None:
        """Drop what is said of addresses with `part` in them, which a test broke on purpose."""
        self.console = [one for one in self.console if part not in one]
        self.failures = [one for one in self.failures if part not in one]

    def attach(self, page: Page) -> None:
        """Begin to listen to a page and all its frames."""
        page.on("console", self._said)
        page.on("pageerror", self._threw)
        page.on("request", self._asked)
        page.on("response", self._answered)

    def _said(self, message: ConsoleMessage) -> None:
        where = message.location["url"]
        ours = f"plugin/{PLUGIN}/" in where
        fair = where.startswith(self.address) and OTHER not in where and "/font-" not in where
        if (message.type == "error" and fair) or (message.type == "warning" and ours):
            self.console.append(f"{message.type}: {message.text} ({where})")

    def _threw(self, error: Error) -> None:
        if OTHER not in (error.stack or ""):
            self.console.append(f"script error: {error}")

    def _asked(self, request: Request) -> None:
        # A navigation has no frame yet.
        where = "" if request.is_navigation_request() else request.frame.url
        if OTHER not in where:
            self.requests.append(request.url)

    def _answered(self, response: Response) -> None:
        # Under a path prefix TensorBoard misses fonts of its own.
        theirs = OTHER in response.url or "/font-roboto/" in response.url
        if response.status >= 400 and not theirs:
            self.failures.append(f"{response.status} {response.url}")

    def foreign(self) -> list[str]:
        """Requests to anything but TensorBoard."""
        local = (self.address.partition("/tb")[0], "data:", "blob:")
        return [url for url in self.requests if not url.startswith(local)]


class Tab:
    """Roles and text only: no class names, so that a new look does not break a test."""

    def __init__(self, page: Page, record: Record) -> None:
        self.page = page
        self.record = record
        self.address = record.address

    @property
    def frame(self) -> FrameLocator:
        """The plugin's document inside of TensorBoard's."""
        return self.page.frame_locator(FRAME)

    def open(self, session: str = "", **place: str) -> None:
        """Load TensorBoard with the tab and, if named, a session and what else the link says."""
        fields = {"session": session, **place} if session else place
        self.page.goto(f"{self.address}/#{hash_of(fields)}")
        self.settled()

    def click_tab(self) -> None:
        """Load TensorBoard plainly and click the tab, as a newcomer does."""
        self.page.goto(f"{self.address}/")
        self.page.get_by_role("tab", name="Leak Finder").click()
        self.settled()

    def reload_data(self) -> None:
        """Click TensorBoard's reload, and wait until its own data is there."""
        with self.page.expect_response(re.compile("data/runs|data/plugins_listing")):
            self.page.get_by_title(re.compile("Last Updated")).click()

    def settled(self) -> None:
        """Wait for an answer: a verdict, or the reason why there is none."""
        self.headline.filter(has_not_text=STILL).wait_for()

    def hide(self) -> None:
        """Show another tab of TensorBoard."""
        self.page.get_by_role("tab", name="Profile").click()
        self.page.locator(FRAME).wait_for(state="hidden")

    def show(self) -> None:
        """Come back to our tab."""
        self.page.get_by_role("tab", name="Leak Finder").click()
        self.page.locator(FRAME).wait_for()

    def own_requests(self) -> list[str]:
        """What the page has asked of the plugin's routes so far."""
        return [url for url in self.record.requests if f"plugin/{PLUGIN}/" in url]

    @property
    def headline(self) -> Locator:
        """The verdict as a headline, or the reason why there is none."""
        return self.frame.get_by_role("heading", level=1)

    @property
    def findings(self) -> Locator:
        """The findings, what to act on first standing first."""
        return self.frame.get_by_role("listbox", name="Findings").get_by_role("option")

    @property
    def sites(self) -> Locator:
        """The rows of the table of sites, its head left out."""
        return self.rows("Sites")

    def view(self, name: str) -> Locator:
        """Click a view's tab and return its panel."""
        self.frame.get_by_role("tablist", name="Views").get_by_role("tab", name=name).click()
        panel = self.frame.get_by_role("tabpanel", name=name)
        panel.wait_for()
        return panel

    def rows(self, grid: str) -> Locator:
        """The rows of a table, its head left out."""
        rows = self.frame.get_by_role("grid", name=grid, exact=True).get_by_role("row")
        return rows.filter(has=self.frame.get_by_role("gridcell"))

    def picker(self, label: str) -> Locator:
        """The session, host or memory picker."""
        return self.frame.get_by_role("combobox", name=label)

    def neighbour(self, label: str) -> Locator:
        """The link to one of XProf's tools."""
        links = self.frame.get_by_role("navigation", name="The same run in XProf")
        return links.get_by_role("link", name=label)


def hash_of(fields: dict[str, str]) -> str:
    """The hash of a link to the tab, as the page itself writes it."""
    pairs = [f"p.{PLUGIN}.{key}={quote(value, safe='')}" for key, value in fields.items()]
    return "&".join([PLUGIN, *pairs])
