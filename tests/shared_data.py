"""Where the shared captures lie, for tests that need real ones.

They are read from outside the repository and never copied into it. A test that needs them skips,
with the reason, where they are absent.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(
    os.environ.get("MEMLEAK_SHARED_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data"
)

needs_shared_data = pytest.mark.skipif(
    not ROOT.is_dir(), reason=f"no shared captures at {ROOT} (set MEMLEAK_SHARED_DATA)"
)


def shared(relative: str) -> Path:
    """Return a file or folder of the shared captures, or skip the test that asks for it."""
    path = ROOT / relative
    if not path.exists():
        pytest.skip(f"no shared capture {path} (set MEMLEAK_SHARED_DATA)")
    return path


def captures(under: str = "") -> list[Path]:
    """Return every capture below a folder, in a stable order; none where there is no shared data.

    Use it for parametrisation, together with `needs_shared_data`.
    """
    return sorted((ROOT / under).rglob("*.xplane.pb"))


def capture_id(path: Path) -> str:
    """Name a capture in test output."""
    return path.relative_to(ROOT).as_posix().replace("/plugins/profile", "")


def truth() -> dict[str, Any]:
    """Return what a right report says of each capture in `captures/`."""
    loaded: dict[str, Any] = json.loads(shared("captures/truth.json").read_text(encoding="utf-8"))
    return loaded
