from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser

import pytest

from tensorboard_memleak.errors import Fault
from tensorboard_memleak.report import html_page
from tensorboard_memleak.report.html_page import html_text, json_text

SCRIPT = "document.title = 'drawn';"
HOSTILE = '</script><script>alert(1)</script><!--]]>\u2028\u2029"\\\x00\ud800&lt;слой'


class Elements(HTMLParser):
    """The scripts and metas of a page, as a browser would find them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.metas: list[dict[str, str | None]] = []
        self._inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "script"
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        elif tag == "meta":
            self.metas.append(dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)


def test_the_data_and_the_script_are_the_only_scripts() -> None:
    page = Elements(html_text({"sessions": json_text({"sessions": []})}, SCRIPT))
    assert page.scripts == [
        ({"type": "application/json", "id": "leak-finder-data"}, '{"sessions":{"sessions":[]}}'),
        ({}, SCRIPT),
    ]


def test_hostile_names_stay_in_the_data() -> None:
    text = html_text({HOSTILE: json_text({"op": HOSTILE})}, SCRIPT)
    page = Elements(text)
    assert len(page.scripts) == 2
    assert json.loads(page.scripts[0][1]) == {HOSTILE: {"op": HOSTILE}}
    data = page.scripts[0][1]
    assert data.isascii()
    assert not set(data) & set("<>&\u2028\u2029")


def test_the_policy_admits_the_script_by_its_hash_and_nothing_else() -> None:
    (policy,) = (
        meta["content"]
        for meta in Elements(html_text({}, SCRIPT)).metas
        if meta.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    )


def test_the_built_script_can_stand_inside_of_html() -> None:
    page = Elements(html_text({}))
    assert page.scripts[1][1] == html_page.SCRIPT.read_text(encoding="utf-8")


def test_a_package_without_its_page_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_page, "SCRIPT", html_page.SCRIPT.with_name("none.js"))
    with pytest.raises(Fault, match="installed without its page"):
        html_text({})


def test_numbers_that_json_has_not_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"share": float("nan")})
