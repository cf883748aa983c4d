"""`make screenshots`: drive the page to each view and take its picture for the docs.

Both themes, at twice the density of a 1280-pixel laptop, always of the demo's captures.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser

from tests.captures import demo_logdir, demo_session
from tests.e2e.browser import ColorScheme, chromium, executable
from tests.e2e.server import tensorboard
from tests.e2e.tab import Record, Tab

IMAGES = Path(__file__).parents[2] / "docs" / "images"
COLOURS = 256
SCHEMES: tuple[ColorScheme, ...] = ("light", "dark")


@dataclass(frozen=True)
class Shot:
    """One picture: its name, and the place that it shows as a link says it."""

    name: str
    run: str
    place: dict[str, str] = field(default_factory=dict)


LEAKY = demo_session("leaky_training")
SHOTS = (
    Shot("leak", "leaky_training"),
    Shot("clean", "fixed_training"),
    Shot("cache", "cache_only"),
    Shot("two_leaks", "two_leaks"),
    Shot("python_stack", "leak_with_python_stack"),
    Shot("timeline", "two_leaks", {"view": "timeline"}),
    Shot("blocks", "two_leaks", {"view": "blocks"}),
    Shot("flame", "leak_with_python_stack", {"view": "flame"}),
    Shot("compare", "fixed_training", {"view": "compare", "compare": LEAKY}),
    Shot("donation", "jax_missing_donation"),
    Shot("programs", "jax_missing_donation", {"view": "programs"}),
    Shot("recompilation", "jax_recompiling"),
    Shot("snapshots", "jax_cpu", {"view": "snapshots"}),
)


def take(browser: Browser, address: str, shot: Shot, scheme: ColorScheme) -> Path:
    """Take one picture."""
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": 1280, "height": 800}, device_scale_factor=2
    )
    tab = Tab(context.new_page(), Record(address))
    tab.open(demo_session(shot.run), **shot.place)
    tab.page.wait_for_load_state("networkidle")
    path = IMAGES / f"{shot.name}-{scheme}.png"
    content = tab.page.screenshot(animations="disabled")
    context.close()
    # The page has few colours: a palette makes the picture a third as large.
    Image.open(BytesIO(content)).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    return path


def main() -> None:
    """Take every picture, or those whose names are given."""
    wanted = sys.argv[1:]
    path = executable()
    if path is None:
        raise SystemExit("no Chromium found (set MEMLEAK_CHROMIUM)")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tensorboard(demo_logdir()) as address, chromium(path) as browser:
        for shot in SHOTS:
            if not wanted or shot.name in wanted:
                for scheme in SCHEMES:
                    print(take(browser, address, shot, scheme).relative_to(IMAGES.parents[1]))


if __name__ == "__main__":
    main()
