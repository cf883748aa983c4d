"""The one-file report, opened from disk: the same page, and nobody is asked for anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tensorboard_memleak.cli import main as memleak
from tensorboard_memleak.service import file_questions
from tests.captures import SESSION
from tests.e2e.browser import ColorScheme
from tests.unit.report.example import capture, put

HOSTILE = "</script><script>document.title='run'</script><img src=x onerror=alert(1)>\u2028"
WIDTH, HEIGHT = 1280, 720


class ReportFile:
    """The page of a report file, by roles and text alone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def headline(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def findings(self) -> Locator:
        return self.page.get_by_role("listbox", name="Findings").get_by_role("option")

    def view(self, name: str) -> Locator:
        self.page.get_by_role("tablist", name="Views").get_by_role("tab", name=name).click()
        panel = self.page.get_by_role("tabpanel", name=name)
        panel.wait_for()
        return panel


@contextmanager
def opened(browser: Browser, file: Path, scheme: ColorScheme = "light") -> Iterator[ReportFile]:
    """Open a file; at the end nothing was said, and nothing but the file was asked for."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": WIDTH, "height": HEIGHT}, offline=True
    )
    page = context.new_page()
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    try:
        yield ReportFile(page)
        assert said == []
        assert asked == [file.as_uri()]
    finally:
        context.close()


Write = Callable[..., Path]


@pytest.fixture
def write(logdir: Callable[..., Path], tmp_path: Path) -> Write:
    """Write the report file of some bundled captures."""

    def written(*options: str, **runs: str) -> Path:
        target = tmp_path / "leaks.html"
        arguments = ["report", str(logdir(**runs)), "--format", "html", "-o", str(target)]
        assert memleak([*arguments, *options]) == 0
        return target

    return written


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_works_from_disk(browser: Browser, write: Write, scheme: ColorScheme) -> None:
    with opened(browser, write(leaky="activation_kept"), scheme) as report:
        expect(report.headline).to_contain_text("Leaks 64 KiB a step.")
        expect(report.findings.first).to_contain_text("Relu")
        blocks = report.page.get_by_role("region", name="Blocks of this site")
        expect(blocks).to_contain_text("20 · still live first")
        expect(report.view("Timeline")).to_contain_text("events, none left out")
        expect(report.view("Timeline")).to_contain_text("Live at the peak")
        expect(report.view("Blocks")).to_contain_text("each drawn")
        expect(report.view("Flame graph")).to_contain_text("1.25 MiB")
        dark = report.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        assert dark is (scheme == "dark")
        shade = report.page.evaluate(
            "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
        )
        assert (max(shade[:3]) < 64) is dark


def test_programs_and_snapshots_work_from_disk(browser: Browser, write: Write) -> None:
    with opened(browser, write(jax="jax_append")) as report:
        expect(report.headline).to_have_text("The snapshots grow.")
        expect(report.findings.first).to_contain_text("remember_output")
        expect(report.view("Snapshots")).to_contain_text("remember_output")
        programs = report.view("Programs")
        expect(programs).to_contain_text("jit_")
        expect(report.page.get_by_role("main")).not_to_contain_text("report file holds no")
        expect(report.page.get_by_role("link")).to_have_count(0)  # XProf is not beside a file


def test_sessions_are_switched_and_compared_in_the_file(browser: Browser, write: Write) -> None:
    file = write(before="activation_kept", after="activation_kept_fixed")
    with opened(browser, file) as report:
        picker = report.page.get_by_role("combobox", name="Session", exact=True)
        picker.select_option(f"after/{SESSION}")
        expect(report.headline).to_have_text("Nothing leaks.")
        expect(report.view("Compare")).to_contain_text("The leak is gone.")
        picker.select_option(f"before/{SESSION}")
        expect(report.headline).to_contain_text("Leaks 64 KiB a step.")
        expect(report.view("Compare")).to_contain_text("A leak has come in.")


def test_a_link_into_a_file_opens_its_view(browser: Browser, write: Write) -> None:
    with opened(browser, write(leaky="activation_kept")) as report:
        report.view("Blocks")
        assert "view=blocks" in report.page.url
        report.page.go_back()
        expect(report.page.get_by_role("tab", name="Findings")).to_have_attribute(
            "aria-selected", "true"
        )


def test_what_is_not_in_the_file_says_so_in_its_place(browser: Browser, write: Write) -> None:
    with opened(browser, write(leaky="activation_kept")) as report:
        report.view("Timeline")
        chart = report.page.locator("canvas").first
        chart.click(position={"x": 300, "y": 60}, force=True)
        panel = report.page.get_by_role("tabpanel", name="Timeline")
        expect(panel).to_contain_text("This report file holds no other moment than the peak.")
        expect(panel.get_by_role("alert")).to_have_count(0)
        panel.get_by_role("button", name="Back to the peak").click()
        expect(panel).to_contain_text("Live at the peak")
        expect(panel).to_contain_text("events, none left out")


def test_every_flame_graph_is_in_the_file(browser: Browser, write: Write) -> None:
    with opened(browser, write(leaky="two_rates")) as report:
        panel = report.view("Flame graph")
        for weight in ("live at the moment", "bytes \u00d7 lifetime", "all that was allocated"):
            panel.get_by_role("button", name=weight, exact=True).click()
            for grouping in ("module", "op path", "stack"):
                panel.get_by_role("button", name=grouping, exact=True).click()
                expect(panel.get_by_role("region", name="Treemap")).to_be_visible()
        expect(panel).not_to_contain_text("This report file")


def test_other_moments_of_the_flame_graph_are_said_not_to_be_in_the_file(
    browser: Browser, write: Write
) -> None:
    with opened(browser, write(leaky="two_rates")) as report:
        report.view("Timeline")
        report.page.locator("canvas").first.click(position={"x": 300, "y": 60}, force=True)
        panel = report.view("Flame graph")
        expect(panel).not_to_contain_text("This report file")  # the end needs no moment
        panel.get_by_role("button", name="live at the moment").click()
        expect(panel).to_contain_text("holds what was live at the peak alone")
        panel.get_by_role("button", name="Back to the peak").click()
        expect(panel.get_by_role("region", name="Flame graph")).to_contain_text("Live at the peak")


def test_blocks_that_a_file_has_no_room_for_are_told_not_blank(
    browser: Browser, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_questions, "BLOCKS_OF_A_FINDING", 6)
    with opened(browser, write(leaky="activation_kept")) as report:
        blocks = report.page.get_by_role("region", name="Blocks of this site")
        expect(blocks).to_contain_text("6 · the first of 20")
        expect(blocks).to_contain_text("This report file holds no more blocks than these.")
        expect(blocks.get_by_role("grid")).to_have_attribute("aria-rowcount", "7")
        expect(blocks.get_by_role("grid")).not_to_contain_text("…")


def test_single_blocks_and_fits_are_told_to_be_left_out(browser: Browser, write: Write) -> None:
    with opened(browser, write(leaky="activation_kept")) as report:
        panel = report.view("Blocks")
        expect(panel).to_contain_text("This report file holds no answer to what would fit.")
        expect(panel).to_contain_text("Addresses at the peak")
        panel.get_by_role("img").first.focus()
        report.page.keyboard.press("ArrowRight")
        report.page.keyboard.press("Enter")
        expect(panel).to_contain_text("This report file holds no single blocks.")


def test_names_of_a_hostile_profile_are_text(browser: Browser, tmp_path: Path) -> None:
    put(tmp_path / "logs", capture(op=HOSTILE))
    target = tmp_path / "leaks.html"
    assert memleak(["report", str(tmp_path / "logs"), "--format", "html", "-o", str(target)]) == 0
    with opened(browser, target) as report:
        expect(report.findings.first).to_contain_text("</script>")
        for view in ("Timeline", "Blocks", "Flame graph"):
            report.view(view)
        assert report.page.title() == "Leak Finder"
        assert report.page.locator("img").count() == 0


def test_a_confidential_file_shows_tokens(browser: Browser, write: Write) -> None:
    with opened(browser, write("--confidential", leaky="two_rates"), "dark") as report:
        expect(report.findings.nth(0)).to_contain_text("op-1 [256,256]")
        expect(report.findings.nth(1)).to_contain_text("op-2 [64,256]")
        expect(report.view("Timeline")).to_contain_text("events, none left out")
        expect(report.view("Blocks")).to_contain_text("each drawn")
        flame = report.view("Flame graph")
        flame.get_by_role("button", name="module", exact=True).click()
        expect(flame).to_contain_text("no compiled module")
        text = report.page.get_by_role("main").inner_text()
        assert "Relu" not in text
        assert "Sigmoid" not in text
