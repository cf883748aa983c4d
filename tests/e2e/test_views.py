"""Each view, driven: what it shows of captures whose truth is known, and what it lets one do."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.captures import SESSION, demo_session
from tests.e2e.server import tensorboard
from tests.e2e.tab import Tab

TWO_LEAKS = demo_session("two_leaks")


def test_timeline_points_at_a_moment(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    panel.get_by_role("button", name="Point at the peak").click()
    moment = panel.get_by_role("region", name="Live at one moment")
    expect(moment).to_contain_text("Sigmoid")
    expect(moment).to_contain_text("Relu")
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.at=\d+"))


def test_timeline_goes_to_a_step(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    panel.get_by_role("spinbutton", name="Go to step").fill("10")
    tab.page.keyboard.press("Enter")
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.(zoom|at)="))


def test_timeline_by_keyboard(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    panel.get_by_role("img", name=re.compile("^Memory over time")).first.focus()
    tab.page.keyboard.press("+")
    expect(tab.page).to_have_url(re.compile("zoom="))
    tab.page.keyboard.press("0")
    expect(panel.get_by_role("button", name="Show all")).to_be_disabled()


def test_timeline_by_drag(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    chart = panel.get_by_role("img", name=re.compile("^Memory over time")).first
    box = chart.bounding_box()
    assert box is not None
    across = [box["x"] + box["width"] * share for share in (0.4, 0.6)]
    tab.page.mouse.move(across[0], box["y"] + 80)
    expect(panel).to_contain_text("fragmentation")
    expect(panel).to_contain_text(re.compile(r"step \d+ · .* · heap "))
    tab.page.keyboard.down("Shift")
    tab.page.mouse.down()
    tab.page.mouse.move(across[1], box["y"] + 80, steps=4)
    tab.page.mouse.up()
    tab.page.keyboard.up("Shift")
    expect(tab.page).to_have_url(re.compile(r"range=\d+-\d+"))
    expect(panel).to_contain_text("Sites of the range")
    tab.page.mouse.move(across[0], box["y"] + 80)
    tab.page.mouse.down()
    tab.page.mouse.move(across[1], box["y"] + 80, steps=4)
    tab.page.mouse.up()
    expect(tab.page).to_have_url(re.compile(r"zoom=\d+-\d+"))


def test_timeline_is_saved_as_a_drawing(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    with tab.page.expect_download() as saved:
        panel.get_by_role("button", name="Save Memory over time as SVG").click(force=True)
    assert saved.value.suggested_filename == "memory-over-time.svg"
    drawing = ElementTree.parse(saved.value.path()).getroot()
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert {"0", "2 MiB", "4 MiB", "6 MiB", "step 10", "step 30"} <= set(texts)
    assert len(drawing.findall("{http://www.w3.org/2000/svg}path")) >= 5


def test_chart_has_a_table_behind_it(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    panel.get_by_role("button", name="table of Memory over time").click()
    expect(panel.get_by_role("table").first).to_contain_text("Heap")


def test_lanes_name_what_ran_on_each_thread(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Timeline")
    panel.get_by_role("img", name=re.compile("lanes of what ran meanwhile")).focus()
    tab.page.keyboard.press("ArrowRight")
    figure = panel.get_by_role("figure", name="What ran meanwhile")
    expect(figure).to_contain_text("steps on python: train 4,")
    tab.page.keyboard.press("ArrowDown")
    expect(figure).to_contain_text(re.compile("events on python: .+, "))
    tab.page.keyboard.press("Enter")
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.zoom="))
    figure.get_by_role("button", name="table of What ran meanwhile").click()
    expect(figure.get_by_role("table")).to_contain_text("events inside on python")


def test_block_map_selects_by_keyboard(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Blocks")
    blocks = panel.get_by_role("region", name="Blocks by address and time")
    expect(blocks).to_be_visible()
    blocks.get_by_role("img").first.focus()
    tab.page.keyboard.press("ArrowRight")
    tab.page.keyboard.press("Enter")
    expect(panel.get_by_role("region", name="The chosen block")).to_be_visible()


def test_leaks_are_named_in_the_legend_and_light_up_from_it(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Blocks")
    legend = panel.get_by_role("group", name="What the colours mean")
    expect(legend).to_contain_text("Sigmoid [256,256] float32leaks")
    legend.get_by_role("button", name=re.compile("Relu")).press("Enter")
    expect(legend.get_by_role("button", name=re.compile("Relu"))).to_have_attribute(
        "aria-pressed", "true"
    )
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.site=1"))


@pytest.mark.parametrize(
    ("colour", "said"),
    [
        ("region", "output"),
        ("age", "0 steps"),
        ("birth step", "step 4"),
        ("fate", "still live"),
    ],
)
def test_each_colouring_has_its_legend(tab: Tab, colour: str, said: str) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Blocks")
    panel.get_by_role("button", name=colour, exact=True).click()
    expect(panel.get_by_role("group", name="What the colours mean")).to_contain_text(said)


def test_addresses_at_a_moment_are_read_by_keyboard_and_as_a_table(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    region = tab.view("Blocks").get_by_role("region", name="Addresses at one moment")
    expect(region).to_contain_text("No hole lies between the blocks")
    expect(region.get_by_role("grid")).to_have_count(0)
    region.get_by_role("img").focus()
    tab.page.keyboard.press("Home")
    expect(region).to_contain_text(re.compile(r"float32 · \d+ KiB · born in step \d+"))
    region.get_by_role("button", name=re.compile("^table of Addresses")).click()
    expect(region.get_by_role("table").get_by_role("row")).to_have_count(47)


def test_the_largest_holes_are_marked_and_listed(tab: Tab) -> None:
    tab.open(demo_session("growing_tensor"))
    region = tab.view("Blocks").get_by_role("region", name="Addresses at one moment")
    expect(region.get_by_role("img", name=re.compile("2 holes marked"))).to_be_visible()
    expect(tab.rows("Largest holes").first).to_contain_text("1.56 MiB")


def test_growth_by_size_shows_what_each_step_hands_on(tab: Tab) -> None:
    tab.open(demo_session("growing_tensor"))
    tab.frame.get_by_role("button", name="table of Bytes handed to the next step").click()
    table = tab.frame.get_by_role("region", name="Bytes handed to the next step")
    rows = table.get_by_role("row")
    expect(rows).to_have_count(21)
    asked = [
        int(re.sub(r"\D", "", row.locator("td").nth(2).inner_text())) for row in rows.all()[1:]
    ]
    assert [after - before for before, after in pairwise(asked)] == [65536] * 19


def test_several_sites_are_chosen_and_lit_up_everywhere(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    sites = tab.rows("Sites")
    sites.nth(0).click()
    sites.nth(1).click(modifiers=["Control"])
    expect(sites.nth(0)).to_have_attribute("aria-selected", "true")
    expect(sites.nth(1)).to_have_attribute("aria-selected", "true")
    expect(sites.nth(2)).to_have_attribute("aria-selected", "false")
    legend = tab.view("Blocks").get_by_role("group", name="What the colours mean")
    for name in ("Sigmoid", "Relu"):
        entry = legend.get_by_role("button", name=re.compile(name))
        expect(entry).to_have_attribute("aria-pressed", "true")
    tab.view("Findings")
    sites.nth(0).click()
    sites.nth(2).click(modifiers=["Shift"])
    for row in sites.all():
        expect(row).to_have_attribute("aria-selected", "true")


def test_blocks_are_filtered_by_number_sorted_and_taken_away(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    region = tab.frame.get_by_role("region", name="Blocks of this site")
    expect(region).to_contain_text("30")
    region.get_by_role("searchbox").fill("age>=20 size>100KiB thread:python op:sigmoid step<9")
    region.get_by_role("button", name="Allocated").click()
    rows = tab.rows("Blocks")
    shown = int(region.get_by_role("status").first.inner_text().split(" of ")[0])
    assert 0 < shown < 15
    with tab.page.expect_download() as taken:
        region.get_by_role("button", name="JSON").click()
    kept = json.loads(Path(taken.value.path()).read_text("utf-8"))
    assert len(kept) == shown
    assert [row["address"] for row in kept] == [
        row.get_by_role("gridcell").first.inner_text() for row in rows.all()
    ]
    assert [row["size"] for row in kept] == sorted((row["size"] for row in kept), reverse=True)
    assert all(row["age"] >= 20 and row["step"] < 9 for row in kept)


def test_a_block_of_the_table_is_shown_among_its_neighbours(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    row = tab.rows("Blocks").first
    address = row.get_by_role("gridcell").first.inner_text()
    row.click()
    block = tab.frame.get_by_role("region", name="The chosen block")
    expect(block).to_contain_text(address)


@pytest.mark.parametrize(
    "shown", ["still live at the end", "live at the moment", "all that was allocated"]
)
def test_flame_graph_of(tab: Tab, shown: str) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Flame graph")
    button = panel.get_by_role("button", name=shown, exact=True)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(panel.get_by_role("region", name="Treemap")).to_be_visible()


def test_flame_graph_by_module_says_why_there_is_none(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Flame graph")
    panel.get_by_role("button", name="module", exact=True).click()
    expect(panel).to_contain_text("The profile tells of no run of a compiled program")
    expect(tab.rows("Paths").first).to_contain_text("no compiled module \u203a Sigmoid")
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.group=module"))


def test_flame_graph_zooms_by_keyboard_and_keeps_the_place(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Flame graph")
    graph = panel.get_by_role("region", name="Flame graph")
    graph.get_by_role("img").focus()
    for key in ("ArrowDown", "ArrowDown", "Enter"):  # the root, the largest below it, zoom
        tab.page.keyboard.press(key)
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.frame="))
    expect(panel.get_by_role("region", name="Treemap")).to_contain_text("below train, by site")
    tab.page.reload()
    treemap = tab.frame.get_by_role("region", name="Treemap")
    expect(treemap).to_contain_text("below train, by site")
    tab.frame.get_by_role("button", name="Show all").click()
    expect(treemap).not_to_contain_text("below")


def test_flame_graph_has_its_figures_as_a_table(tab: Tab) -> None:
    tab.open(TWO_LEAKS)
    panel = tab.view("Flame graph")
    graph = panel.get_by_role("region", name="Flame graph")
    graph.get_by_role("button", name="table of Still live at the end").click()
    row = graph.get_by_role("row").filter(has_text="Sigmoid")
    expect(row.get_by_role("cell").nth(1)).to_have_text("4\u202f063\u202f232")  # as the report says
    expect(row.get_by_role("cell").nth(2)).to_have_text("15")


def test_a_chosen_site_lights_up_in_the_flame_graph(tab: Tab) -> None:
    def outlined(**place: str) -> int:
        tab.open(TWO_LEAKS, view="flame", **place)
        graph = tab.frame.get_by_role("region", name="Flame graph")
        with tab.page.expect_download() as saved:
            graph.get_by_role("button", name=re.compile("as SVG")).click(force=True)
        drawing = ElementTree.parse(saved.value.path()).getroot()
        return len(drawing.findall("{http://www.w3.org/2000/svg}rect[@stroke]"))

    assert outlined() == 0
    assert outlined(finding="f1") == 1
    assert outlined(site="1,2") == 2


def test_programs_show_memory_in_program_order(tab: Tab) -> None:
    tab.open(demo_session("jax_missing_donation"))
    panel = tab.view("Programs")
    chosen = panel.get_by_role("region", name="The chosen program")
    expect(chosen).to_contain_text("train_step")  # the one with a finding, not that of most bytes
    panel.get_by_role("searchbox", name="Filter Programs").fill("broadcast")
    tab.rows("Programs").first.click()
    expect(chosen).to_contain_text("jit_broadcast_in_dim")
    panel.get_by_role("searchbox", name="Filter Programs").fill("train_step")
    tab.rows("Programs").first.click()
    expect(chosen).to_contain_text("train_step")
    expect(panel.get_by_role("region", name="Memory in program order")).to_be_visible()
    expect(panel.get_by_role("region", name="Live at one point")).to_contain_text("parameters")


def test_recompiled_program_is_counted(tab: Tab) -> None:
    tab.open(demo_session("jax_recompiling"))
    expect(tab.findings.first).to_contain_text("forward")
    expect(tab.findings.first).to_contain_text("compiled again and again")


def test_snapshots_name_the_line_that_keeps(tab: Tab) -> None:
    tab.open(demo_session("jax_cpu"))
    panel = tab.view("Snapshots")
    expect(panel).to_contain_text("before.prof: 7 buffers")
    expect(panel).to_contain_text("after.prof: 19 buffers")
    expect(tab.rows("Places").first).to_contain_text("remember_output")
    stack = panel.get_by_role("region", name="Stack of the chosen place")
    expect(stack).to_contain_text("in remember_output")
    tab.rows("Places").filter(has_text="new_parameters").first.click()
    expect(stack).not_to_contain_text("remember_output")
    tab.page.reload()
    expect(stack).to_contain_text("in new_parameters")


def test_compare_says_that_the_fix_worked(tab: Tab) -> None:
    tab.open(demo_session("fixed_training"))
    panel = tab.view("Compare")
    earlier = panel.get_by_role("combobox", name="Compare with session")
    earlier.select_option(demo_session("leaky_training"))
    expect(panel.get_by_role("heading", name=re.compile("^The leak.* is gone"))).to_be_visible()
    expect(tab.rows("Sites before and now").first).to_contain_text("Relu")
    expect(tab.page).to_have_url(re.compile(r"p\.leak_finder\.compare="))


def test_odd_host_stands_out(open_tab: Callable[..., Tab], logdir: Callable[..., Path]) -> None:
    logs = logdir(run="activation_kept_fixed", leaky="activation_kept")
    session = next(logs.glob("run/plugins/profile/*"))
    healthy = next(session.iterdir())
    for number in (1, 2):
        shutil.copy(healthy, session / f"host{number}.xplane.pb")
    shutil.move(next((logs / "leaky").rglob("*.xplane.pb")), session / "host3.xplane.pb")
    with tensorboard(logs) as address:
        tab = open_tab(address)
        tab.open(f"run/{SESSION}")
        overview = tab.frame.get_by_role("region", name="All hosts and memories")
        odd = overview.get_by_role("button", name=re.compile("host3.*odd one out"))
        odd.click()
        expect(tab.picker("Host")).to_have_value("host3")
        expect(tab.headline).to_contain_text("Leaks 64 KiB a step.")

        overview.get_by_role("button", name=re.compile("^host1")).click()
        expect(tab.headline).to_have_text("Nothing leaks.")
        tab.page.wait_for_load_state("networkidle")
        shutil.copy(healthy, session / "host3.xplane.pb")
        (session / "host2.xplane.pb").write_bytes(b"")
        tab.reload_data()
        mended = overview.get_by_role("button", name=re.compile("host3.*nothing leaks"))
        expect(mended).to_be_visible()
        row = overview.get_by_role("row").filter(has_text="host2")
        expect(row).to_contain_text("could not be read")
