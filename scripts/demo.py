"""Serve the bundled captures in TensorBoard on this machine, and say where the tab is.

TensorBoard runs in this process, so that nothing can outlive it; and this process ends with its
parent, which is `make` for most. make hands on SIGTERM alone. Killed it says nothing, and told to
end by SIGINT or SIGHUP (by its own id, not from a terminal, whose signals reach us too) it waits
for us without a word: `parent_has_ended` sees both.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path

from tensorboard.main import run_main

from tests.captures import demo_logdir

HOST = "127.0.0.1"
START_TIMEOUT_S = 120
LOOK_EVERY_S = 0.2
ENDING_SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)


def free_port(wanted: int) -> int:
    """`wanted` if nothing listens there, else any free port."""
    for port in (wanted, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise SystemExit("no free port on the loopback interface")


def answers(url: str) -> bool:
    """Whether TensorBoard serves its plugin listing yet."""
    try:
        with urllib.request.urlopen(f"{url}/data/plugins_listing", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def caught_signals(pid: int) -> int:
    """Return which ending signals a process catches, as Linux's mask; 0 where that is not told."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0
    caught = next((line for line in status.splitlines() if line.startswith("SigCgt:")), "SigCgt: 0")
    return int(caught.split()[1], 16) & sum(1 << (one - 1) for one in ENDING_SIGNALS)


def parent_has_ended(parent: int, caught: int) -> bool:
    """Whether our parent is gone, or no longer catches a signal of `caught`.

    GNU make gives up its handler of the signal that ends it before it waits for its children.
    """
    return os.getppid() != parent or bool(caught & ~caught_signals(parent))


def watch(url: str, runs: str) -> None:
    """Print the address once the server answers; end the process when its parent ends."""
    parent = os.getppid()
    caught = caught_signals(parent)
    deadline, is_up = time.monotonic() + START_TIMEOUT_S, False
    while not parent_has_ended(parent, caught):
        if not is_up and answers(url):
            is_up = True
            print(f"\nRuns: {runs}", flush=True)
            print(f"\n  Leak Finder is at  {url}/#leak_finder\n\nCtrl-C ends it.", flush=True)
        if not is_up and time.monotonic() > deadline:
            print(f"TensorBoard did not answer within {START_TIMEOUT_S} s", file=sys.stderr)
            break
        time.sleep(LOOK_EVERY_S)
    os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Unpack, serve, print the address, and stay until told to end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=6006, help="used if it is free")
    port = free_port(parser.parse_args().port)
    logdir = demo_logdir()
    runs = ", ".join(sorted(path.name for path in logdir.iterdir()))
    url = f"http://localhost:{port}"
    threading.Thread(target=watch, args=(url, runs), daemon=True).start()
    sys.argv = ["tensorboard", "--logdir", str(logdir), "--host", HOST, "--port", str(port)]
    run_main()


if __name__ == "__main__":
    main()
