"""How long the page takes to answer a hand, on a capture with half a million memory events.

`python -m bench.interactions` serves the capture with a real TensorBoard, drives the page in a real
Chromium, and measures each movement from its event to the end of the frame that shows it. It fails
where the 95th percentile is above the bar.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Frame, Page

from bench.__main__ import OUT, SOURCE, _capture
from tests.captures import unpack
from tests.e2e.browser import chromium, executable
from tests.e2e.server import tensorboard
from tests.e2e.tab import hash_of

REPETITIONS = 1560
BAR_MS = 50.0
FIRST_CONTENT_BAR_MS = 1000.0
VIEWPORT = {"width": 1280, "height": 900}
SETTLE_MS = 1500
PATIENCE_MS = 120_000

_LATENCY = """
window.latency = async (fire) => {
  const start = performance.now();
  fire();
  await new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
  return performance.now() - start;
};
window.series = async (count, fire) => {
  const times = [];
  for (let i = 0; i < count; i++) times.push(await latency(() => fire(i)));
  return times;
};
window.place = (selector) => {
  const element = document.querySelector(selector);
  const { left, top } = element.getBoundingClientRect();
  const at = (kind, type, x, y, extra = {}) => element.dispatchEvent(new kind(type, {
    clientX: left + x, clientY: top + y, bubbles: true, cancelable: true, ...extra }));
  return { element, at };
};
true;
"""


@dataclass(frozen=True)
class Movement:
    """One thing that a hand does: the view it is done in, and the script that does it."""

    name: str
    view: str
    ready: str
    script: str


MOVEMENTS = (
    Movement(
        "block map: hover",
        "blocks",
        ".plane canvas",
        """const { at } = place(".plane canvas");
        return series(60, (i) => at(PointerEvent, "pointermove", 20 + i * 18, 100 + i * 3));""",
    ),
    Movement(
        "block map: wheel zoom",
        "blocks",
        ".plane canvas",
        """const { at } = place(".plane canvas");
        return series(40, (i) => at(WheelEvent, "wheel", 600, 150,
          { deltaY: i < 20 ? -60 : 60 }));""",
    ),
    Movement(
        "block map: pan",
        "blocks",
        ".plane canvas",
        """const { element, at } = place(".plane canvas");
        element.setPointerCapture = () => {};
        for (let i = 0; i < 3; i++) at(WheelEvent, "wheel", 600, 150, { deltaY: -300 });
        await new Promise((done) => setTimeout(done, 1000));
        at(PointerEvent, "pointerdown", 600, 150);
        const times = await series(40, (i) => at(PointerEvent, "pointermove", 600 + i * 8, 150));
        at(PointerEvent, "pointerup", 920, 150);
        return times;""",
    ),
    Movement(
        "address map: hover",
        "blocks",
        '[aria-label="Addresses at one moment"] canvas',
        """const { at } = place('[aria-label="Addresses at one moment"] canvas');
        return series(60, (i) => at(PointerEvent, "pointermove", 20 + i * 18, 10 + i * 3));""",
    ),
    Movement(
        "timeline: hover",
        "timeline",
        ".timeline canvas",
        """const { at } = place(".timeline canvas");
        return series(60, (i) => at(PointerEvent, "pointermove", 80 + i * 16, 100));""",
    ),
    Movement(
        "timeline: wheel zoom",
        "timeline",
        ".timeline canvas",
        """const { at } = place(".timeline canvas");
        return series(40, (i) => at(WheelEvent, "wheel", 600, 100,
          { ctrlKey: true, deltaY: i < 20 ? -60 : 60 }));""",
    ),
    Movement(
        "sites: sort",
        "findings",
        '[aria-label="Sites"] .table-head button',
        """const heads = [...document.querySelectorAll('[aria-label="Sites"] .table-head button')];
        return series(40, (i) => heads[i % heads.length].click());""",
    ),
    Movement(
        "blocks of a site: scroll",
        "findings",
        '[aria-label="Blocks of this site"] [role=grid]',
        """const { element } = place('[aria-label="Blocks of this site"] [role=grid]');
        return series(40, (i) => { element.scrollTop = i * 200; });""",
    ),
)


def percentile(times: list[float], share: float) -> float:
    """Return the time that a share of the times does not exceed (nearest rank)."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * share))]


def frame_of(page: Page) -> Frame:
    """Return the plugin's frame once it is there."""
    element = page.wait_for_selector('iframe[src*="name=leak_finder"]', timeout=PATIENCE_MS)
    frame = element.content_frame() if element else None
    if frame is None:
        raise RuntimeError("the tab has no frame")
    return frame


def measure(page: Page, address: str, movement: Movement) -> list[float]:
    """Open the movement's view and make it."""
    page.goto("about:blank")
    page.goto(f"{address}/#{hash_of({'view': movement.view})}")
    frame = frame_of(page)
    frame.wait_for_selector(movement.ready, timeout=PATIENCE_MS)
    page.wait_for_timeout(SETTLE_MS)
    frame.evaluate(_LATENCY)
    times: list[float] = frame.evaluate(f"async () => {{ {movement.script} }}")
    return times


def first_content(page: Page, address: str) -> float:
    """Return the milliseconds from the click on the tab to the verdict, on a warm session."""
    page.goto("about:blank")
    page.goto(f"{address}/#timeseries")
    tab = page.get_by_role("tab", name="Leak Finder")
    tab.wait_for(timeout=PATIENCE_MS)
    page.wait_for_timeout(SETTLE_MS)
    start = page.evaluate("performance.now()")
    tab.click()
    frame_of(page).wait_for_selector("h1", timeout=PATIENCE_MS)
    taken: float = page.evaluate("performance.now()") - start
    return taken


def main() -> int:
    """Measure, print a table, and fail where a bar is missed."""
    path = executable()
    if path is None:
        raise SystemExit("no Chromium found (set MEMLEAK_CHROMIUM)")
    (source,) = unpack(SOURCE).glob("*.xplane.pb")
    _capture("interactions", source.read_bytes(), REPETITIONS)
    slow = False
    with tensorboard(Path(OUT / "interactions")) as address, chromium(path) as browser:
        page = browser.new_page(viewport=VIEWPORT)  # type: ignore[arg-type]
        for movement in MOVEMENTS:
            times = measure(page, address, movement)
            worst = percentile(times, 0.95)
            slow |= worst > BAR_MS
            print(
                f"{movement.name:26} median {percentile(times, 0.5):5.1f} ms, p95 {worst:5.1f} ms"
            )
        shown = first_content(page, address)
        slow |= shown > FIRST_CONTENT_BAR_MS
        print(f"{'click to verdict, warm':26} {shown:5.0f} ms")
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
