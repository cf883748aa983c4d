"""The bundled captures: real profiles, compressed here, unpacked into .cache where they are used.

`data/<name>/` holds the files of one session; `truth.json` says what is right of each, derived from
the code that recorded it (`record/`), never from our own output.
"""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DATA = HERE / "data"
CACHE = HERE.parent.parent / ".cache" / "captures"
SESSION = "2026_01_01_00_00_00"

#: What the demo shows: by the run name that a newcomer reads, the one to look at first standing
#: first.
DEMO = {
    "leaky_training": "activation_kept",
    "fixed_training": "activation_kept_fixed",
    "cache_only": "cache_fills_in_window_fixed",
    "two_leaks": "two_rates",
    "growing_tensor": "replaced_by_longer",
    "leak_with_python_stack": "python_frames",
    "jax_cpu": "jax_append",
    "jax_missing_donation": "jax_donation",
    "jax_recompiling": "jax_shapes",
}


def truth() -> dict[str, dict[str, Any]]:
    """What a right report says of each capture, by name."""
    parsed: dict[str, dict[str, Any]] = json.loads((HERE / "truth.json").read_text("utf-8"))
    return parsed


def unpack(name: str, run: str | None = None, logdir: Path = CACHE, session: str = SESSION) -> Path:
    """Unpack one capture as `<logdir>/<run>/plugins/profile/<session>` unless it is there already.

    Returns the session folder. A file is written under another name first, so that tests that run
    at the same time never see half of it.
    """
    folder = logdir / (run or name) / "plugins" / "profile" / session
    folder.mkdir(parents=True, exist_ok=True)
    for packed in sorted((DATA / name).glob("*.xz")):
        target = folder / packed.stem
        if target.exists() and target.stat().st_mtime >= packed.stat().st_mtime:
            continue
        part = target.with_suffix(".part")
        part.write_bytes(lzma.decompress(packed.read_bytes()))
        part.replace(target)
    return folder


def demo_session(run: str) -> str:
    """The id of a run of the demo: the newest session is the one to look at first."""
    minute = len(DEMO) - list(DEMO).index(run)
    return f"{run}/2026_01_01_00_{minute:02}_00"


def demo_logdir() -> Path:
    """Unpack the captures of the demo and return their logdir."""
    logdir = CACHE.parent / "demo"
    expected = {demo_session(run) for run in DEMO}
    for folder in logdir.glob("*/plugins/profile/*"):  # of an older version of this list
        if f"{folder.parents[2].name}/{folder.name}" not in expected:
            shutil.rmtree(folder)
    for run, name in DEMO.items():
        unpack(name, run, logdir, demo_session(run).partition("/")[2])
    return logdir
