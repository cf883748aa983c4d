"""A TensorBoard process of our own on a free port, for as long as a `with` block lasts."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

STARTED = re.compile(r"TensorBoard \S+ at (http\S+?)/? \(Press CTRL\+C to quit\)")
START_TIMEOUT_S = 120


@contextmanager
def tensorboard(
    logdir: Path,
    *arguments: str,
    python: Path | str = sys.executable,
    cwd: Path | None = None,
    program: Sequence[str] = ("-m", "tensorboard.main"),
    environment: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """Serve `logdir` and yield the address, without a slash at its end.

    What lies in `cwd` hides what `python` has installed under the same name.
    """
    command = [str(python), *program, "--logdir", str(logdir)]
    process = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", **(environment or {})},
        cwd=cwd,
    )
    said: list[str] = []
    address, known = [""], threading.Event()

    def listen() -> None:
        assert process.stderr
        for line in process.stderr:
            said.append(line)
            if found := STARTED.search(line):
                address[0] = found[1]
                known.set()
        known.set()  # it has ended

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    try:
        known.wait(START_TIMEOUT_S)
        if not address[0]:
            raise RuntimeError("TensorBoard did not start:\n" + "".join(said[-30:]))
        yield address[0]
    finally:
        process.terminate()
        process.wait(30)
        listener.join(30)
        assert process.stderr
        process.stderr.close()
