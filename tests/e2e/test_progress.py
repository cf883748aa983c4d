"""A long reading: how far it is, how to stop it, and who else waits for it."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, expect

from tests.captures import SESSION
from tests.e2e.browser import ColorScheme
from tests.e2e.server import tensorboard
from tests.e2e.tab import Tab, hash_of
from tests.e2e.test_accessibility import violations

SERVER = (str(Path(__file__).with_name("halting_server.py")),)
SLOW, QUICK = f"slow/{SESSION}", f"quick/{SESSION}"
LEAKS = "Leaks 64 KiB a step."
STOPPED = "The reading of host0 was stopped."


SLOW_FILE = f"slow/plugins/profile/{SESSION}/host0.xplane.pb"


@dataclass(frozen=True)
class Halting:
    """A TensorBoard that halts while it reads one thing of the run `slow`, until the gate opens."""

    address: str
    gate: Path

    def open_gate(self) -> None:
        self.gate.touch()

    def ask(self, route: str, host: str = "host0", **params: str) -> Any:
        query = urlencode({"session": SLOW, "host": host, **params})
        url = f"{self.address}/data/plugin/leak_finder/{route}?{query}"
        with urllib.request.urlopen(url, timeout=30) as response:
            return json.load(response)

    def until_phase(self, phase: str | None, host: str = "host0") -> None:
        """Wait until the server is in a phase of a reading."""
        deadline = time.monotonic() + 20
        while self.ask("progress", host)["phase"] != phase:
            assert time.monotonic() < deadline


Serve = Callable[[str], Halting]


@pytest.fixture
def serve(tmp_path: Path, logdir: Callable[..., Path]) -> Iterator[Serve]:
    """Serve the runs `slow` and `quick`; what ends in a text halts."""
    gate = tmp_path / "gate"
    logs = logdir(slow="activation_kept", quick="activation_kept_fixed")
    with ExitStack() as running:

        def start(halted: str) -> Halting:
            environment = {"MEMLEAK_GATE": str(gate), "MEMLEAK_HALTED": halted}
            server = tensorboard(logs, program=SERVER, environment=environment)
            return Halting(running.enter_context(server), gate)

        yield start
        gate.touch()


@pytest.fixture
def halting(serve: Serve) -> Halting:
    """A server that halts on the run `slow`."""
    return serve(SLOW_FILE)


def begin(tab: Tab) -> Locator:
    """Open the slow session and return the bar once it stands at four tenths."""
    tab.page.goto(f"{tab.address}/#{hash_of({'session': SLOW})}")
    bar = tab.frame.get_by_role("progressbar", name="Reading host0")
    expect(bar).to_have_attribute("aria-valuetext", re.compile(r"^40 %, .* of .*B$"))
    return bar


def stop(tab: Tab) -> Locator:
    return tab.frame.get_by_role("button", name="Stop")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_long_reading_shows_how_far_it_is(
    open_tab: Callable[..., Tab], halting: Halting, scheme: ColorScheme
) -> None:
    tab = open_tab(halting.address, scheme=scheme)
    bar = begin(tab)

    assert bar.evaluate("node => node.position") == pytest.approx(0.4, abs=0.001)
    expect(tab.frame.get_by_role("status")).to_have_text("Reading host0: 25 %")
    expect(stop(tab)).to_be_visible()
    assert violations(tab) == []

    halting.open_gate()
    expect(tab.headline).to_have_text(re.compile(LEAKS))
    expect(tab.frame.get_by_role("progressbar")).to_have_count(0)


def test_a_stop_by_keyboard_ends_the_work_and_offers_it_again(
    open_tab: Callable[..., Tab], halting: Halting
) -> None:
    tab = open_tab(halting.address)
    begin(tab)

    stop(tab).press("Enter")

    expect(tab.headline).to_have_text(STOPPED)
    halting.until_phase(None)
    assert violations(tab) == []

    tab.frame.get_by_role("button", name="Read it").click()
    halting.until_phase("reading")
    halting.open_gate()
    expect(tab.headline).to_have_text(re.compile(LEAKS))


def test_what_was_stopped_stays_so_over_a_reload_of_the_data(
    open_tab: Callable[..., Tab], halting: Halting
) -> None:
    tab = open_tab(halting.address)
    begin(tab)
    stop(tab).click()
    expect(tab.headline).to_have_text(STOPPED)
    halting.until_phase(None)

    with tab.page.expect_response(re.compile("/leak_finder/sessions")):
        tab.page.get_by_title(re.compile("Last Updated")).click()

    expect(tab.headline).to_have_text(STOPPED)
    assert halting.ask("progress")["phase"] is None


def test_a_stop_leaves_alone_who_else_waits(open_tab: Callable[..., Tab], halting: Halting) -> None:
    tab = open_tab(halting.address)
    begin(tab)
    answers: list[Any] = []
    asking = threading.Thread(
        target=lambda: answers.append(halting.ask("report", wait="somebody else"))
    )
    asking.start()
    with tab.page.expect_response(re.compile("/leak_finder/stop")) as stopped:
        stop(tab).click()

    expect(tab.headline).to_have_text(STOPPED)
    assert stopped.value.json() == {"outcome": "others_wait"}

    halting.open_gate()
    asking.join(30)
    assert answers[0]["sessions"][0]["hosts"][0]["verdict"] == "leak"


def test_a_session_beside_it_is_read_meanwhile(
    open_tab: Callable[..., Tab], halting: Halting
) -> None:
    tab = open_tab(halting.address)
    begin(tab)
    tab.picker("Session").select_option(QUICK)
    expect(tab.headline).to_have_text("Nothing leaks.")


def test_a_hidden_tab_does_not_ask_how_far_it_is(
    open_tab: Callable[..., Tab], halting: Halting
) -> None:
    tab = open_tab(halting.address)
    bar = begin(tab)
    tab.hide()
    before = len(tab.own_requests())
    tab.page.wait_for_timeout(1200)
    assert tab.own_requests()[before:] == []

    tab.show()
    expect(bar).to_be_visible()
    with tab.page.expect_response(re.compile("/leak_finder/progress")):
        pass
    halting.open_gate()
    expect(tab.headline).to_have_text(re.compile(LEAKS))


def test_the_verdict_does_not_wait_for_programs(open_tab: Callable[..., Tab], serve: Serve) -> None:
    halting = serve("host0")  # the name of a host, which no path ends in
    tab = open_tab(halting.address)
    tab.open(SLOW)

    expect(tab.headline).to_have_text(re.compile(LEAKS))
    bar = tab.frame.get_by_role("progressbar", name="Reading the programs of host0")
    expect(bar).to_have_attribute("aria-valuetext", "3 of 10")
    over_time = tab.frame.get_by_role("region", name="Memory over time")
    expect(over_time).to_contain_text("none left out")
    assert violations(tab) == []

    stop(tab).click()
    expect(tab.frame.get_by_role("alert")).to_contain_text(STOPPED)
    halting.until_phase(None)
    expect(tab.headline).to_have_text(re.compile(LEAKS))
    expect(tab.sites.first).to_contain_text("Relu")  # by its stack, which needs no program
    assert halting.ask("progress")["phase"] is None

    halting.open_gate()
    tab.frame.get_by_role("button", name="Read it").click()
    expect(tab.frame.get_by_text(STOPPED)).to_have_count(0)
    expect(bar).to_have_count(0)


def test_of_several_hosts_the_one_under_way_shows_its_share_and_stops(
    open_tab: Callable[..., Tab], serve: Serve, tmp_path: Path
) -> None:
    first = tmp_path / "logs" / SLOW_FILE
    shutil.copy(first, first.with_name("host1.xplane.pb"))
    halting = serve("host1.xplane.pb")
    tab = open_tab(halting.address)
    tab.open(SLOW)

    expect(tab.headline).to_have_text(re.compile(LEAKS))
    expect(tab.frame.get_by_text("1 of 2 hosts read")).to_be_visible()
    bar = tab.frame.get_by_role("progressbar", name="Reading host1")
    expect(bar).to_have_attribute("aria-valuetext", re.compile("^40 %, "))

    stop(tab).click()
    halting.until_phase(None, "host1")
    expect(bar).to_have_count(0)

    halting.open_gate()
    tab.frame.get_by_role("button", name="Read the others").click()
    expect(tab.frame.get_by_role("button", name=re.compile("^host1, "))).to_be_visible()


def test_the_other_session_of_a_comparison_shows_how_far_it_is(
    open_tab: Callable[..., Tab], halting: Halting
) -> None:
    tab = open_tab(halting.address)
    tab.open(QUICK, view="compare", compare=SLOW)

    bar = tab.frame.get_by_role("progressbar", name="Reading host0")
    expect(bar).to_have_attribute("aria-valuetext", re.compile("^40 %, "))
    stop(tab).click()
    halting.until_phase(None)
    expect(tab.frame.get_by_role("alert")).to_contain_text(STOPPED)

    halting.open_gate()
    tab.frame.get_by_role("button", name="Read it").click()
    expect(tab.frame.get_by_role("grid", name="Sites before and now")).to_be_visible()
