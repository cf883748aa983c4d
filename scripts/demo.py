"""Serve the bundled captures in TensorBoard on this machine, and say where the tab is."""

from __future__ import annotations

import argparse
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from tests.captures import demo_logdir

HOST = "127.0.0.1"
START_TIMEOUT_S = 120


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


def wait_until_up(server: subprocess.Popen[bytes], url: str) -> None:
    """Return once the server answers; leave with its exit status if it ends first."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while not answers(url):
        if server.poll() is not None:
            raise SystemExit(server.returncode or 1)
        if time.monotonic() > deadline:
            server.terminate()
            raise SystemExit(f"TensorBoard did not answer within {START_TIMEOUT_S} s")
        time.sleep(0.2)


def main() -> None:
    """Unpack, serve, print the address, and stay until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=6006, help="used if it is free")
    port = free_port(parser.parse_args().port)
    logdir = demo_logdir()
    url = f"http://localhost:{port}"
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(logdir)]
    server = subprocess.Popen([*command, "--host", HOST, "--port", str(port)])
    try:
        wait_until_up(server, url)
        runs = ", ".join(sorted(path.name for path in logdir.iterdir()))
        print(f"\nRuns: {runs}", flush=True)
        print(f"\n  Leak Finder is at  {url}/#leak_finder\n\nCtrl-C ends it.", flush=True)
        server.wait()
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
