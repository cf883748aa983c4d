"""One HTML file: the page as one script, and the answers that it would have asked a server for.

The file asks nothing of anyone. Its policy admits the one script by its hash and no other, so that
no name of a profile can ever run, wherever it ends up.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tensorboard_memleak.errors import Fault

SCRIPT: Final = Path(__file__).resolve().parent.parent / "onefile" / "page.js"
DATA_ID: Final = "leak-finder-data"

_SPELLED_OUT: Final = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}
"""Nothing in the data can end its element or begin a comment."""
_HEAD: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>Leak Finder</title>
<script type="application/json" id="{data_id}">{data}</script>
</head>
<body>
<noscript>This report is drawn by a script inside this file: allow scripts to see it.</noscript>
<script>"""


def json_text(payload: object) -> str:
    """Write an answer in as few characters of ASCII as JSON allows, safe inside of HTML."""
    text = json.dumps(payload, separators=(",", ":"), allow_nan=False)
    return text.translate(_SPELLED_OUT)


def html_text(answers: Mapping[str, str], script: str | None = None) -> str:
    """Return the file; `answers` are those of `json_text` by the page's key for them.

    `script` stands in for the built page in tests.
    """
    script = _script() if script is None else script
    data = ",".join(f"{json_text(key)}:{text}" for key, text in answers.items())
    head = _HEAD.format(policy=_policy(script), data_id=DATA_ID, data=f"{{{data}}}")
    return f"{head}{script}</script>\n</body>\n</html>\n"


def _script() -> str:
    try:
        script = SCRIPT.read_text(encoding="utf-8")
    except OSError as error:
        raise Fault(
            "Leak Finder is installed without its page.",
            "Install a released wheel of tensorboard-memleak, or run `make build` in a clone.",
        ) from error
    if "</script" in script.lower() or "<!--" in script or "\r" in script:
        raise Fault("The page's script cannot stand inside of HTML.", "Report this, please.")
    return script


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    return f"default-src 'none'; script-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
