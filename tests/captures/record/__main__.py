"""Records the bundled captures again: all of them, or those that are named.

Each capture is made in a fresh process, read back and held against its declared truth, scrubbed of
this machine, and compressed into `tests/captures/data`. `truth.json` is written from the scenarios.
"""

from __future__ import annotations

import importlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.captures import DATA, HERE
from tests.captures.record.registry import SCENARIOS, Scenario, Truth
from tests.captures.record.replay import survivors
from tests.captures.record.scrub import HOST, scrub_pprof, scrub_xspace

ROOT = HERE.parent.parent
MODULES = ("tf_kept", "tf_bounded", "tf_rebuilt", "tf_windows", "tf_keras", "jax_programs")
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3", "JAX_PLATFORMS": "cpu", "CUDA_VISIBLE_DEVICES": ""}


def python_of(environment: str) -> str:
    """The interpreter that has the framework; `MEMLEAK_PYTHON_<NAME>` names another."""
    named = os.environ.get(f"MEMLEAK_PYTHON_{environment.upper().replace('-', '_')}")
    return named or str(ROOT / f".venv-{environment}" / "bin" / "python")


def run(entry: Scenario, form: str, folder: Path) -> None:
    """Run one scenario in a process of its own."""
    module = entry.record.__module__.rpartition(".")[2]
    command = [python_of(entry.environment), "-m", "tests.captures.record.child"]
    variables = {"TF_CPU_ALLOCATOR_USE_BFC": "true", **QUIET, **entry.variables}
    done = subprocess.run(
        [*command, module, entry.name, form, str(folder)],
        env={**os.environ, **variables},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{entry.name} ({form}) failed:\n{done.stderr[-3000:]}")


def check(name: str, truth: Truth, content: bytes) -> str:
    """Hold a capture against its declared truth; the survivors in words."""
    alive = survivors(content)
    total = sum(alive.values())
    biggest = sorted(alive.items(), key=lambda item: -item[0][1] * item[1])[:4]
    words = ", ".join(f"{count} x {op or '?'} {size} B" for (op, size), count in biggest)
    if truth.survivors is not None and total != truth.survivors:
        raise ValueError(f"{name}: {truth.survivors} survivors declared, {total} found: {words}")
    if truth.ops and not any(name in op for op, _ in alive for name in truth.ops):
        raise ValueError(f"{name}: none of {truth.ops} among the survivors: {words}")
    return f"{total:4} survivors  {words}"


def store(name: str, files: dict[str, bytes]) -> int:
    """Compress the files of one capture into the repository; their size there."""
    folder = DATA / name
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    size = 0
    for file_name, content in files.items():
        packed = lzma.compress(content, preset=9 | lzma.PRESET_EXTREME)
        (folder / f"{file_name}.xz").write_bytes(packed)
        size += len(packed)
    return size


def record(name: str, entry: Scenario, form: str, truth: Truth) -> None:
    """Record, check, scrub and store one capture."""
    with tempfile.TemporaryDirectory() as folder:
        run(entry, form, Path(folder))
        xplane = next(Path(folder).rglob("*.xplane.pb")).read_bytes()
        files = {f"{HOST}.xplane.pb": scrub_xspace(xplane)}
        for snapshot in sorted(Path(folder).glob("*.prof")):
            files[snapshot.name] = scrub_pprof(snapshot.read_bytes())
    found = check(name, truth, files[f"{HOST}.xplane.pb"])
    print(f"{name:32} {store(name, files):7} bytes  {found}", flush=True)


def main() -> None:
    """Record what is asked for, then write the truth of all scenarios."""
    for module in MODULES:
        importlib.import_module(f"tests.captures.record.{module}")
    wanted = sys.argv[1:]
    if unknown := set(wanted) - set(SCENARIOS):
        raise SystemExit(f"no such scenario: {', '.join(sorted(unknown))}")
    for name, entry in SCENARIOS.items():
        if not wanted or name in wanted:
            record(name, entry, "leaky", entry.leaky)
            record(f"{name}_fixed", entry, "fixed", entry.fixed)
    truths = {key: value for entry in SCENARIOS.values() for key, value in entry.truths().items()}
    (HERE / "truth.json").write_text(json.dumps(truths, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
