"""One measurement in a process of its own: `python -m bench.child ours|xprof CAPTURE`.

Prints one JSON object. Time counts from after the imports; peak memory is the process's own, so it
includes the interpreter and every library that the converter needs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path


def main() -> None:
    """Measure one converter on one capture."""
    converter, capture = sys.argv[1:]
    convert = {"ours": _ours, "xprof": _xprof}[converter]()
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = convert(capture)
    result = {
        "wall_s": time.perf_counter() - wall,
        "cpu_s": time.process_time() - cpu,
        "peak_bytes": _peak_bytes(),
        "outcome": outcome,
    }
    print(json.dumps(result))


def _ours() -> Callable[[str], str]:
    from tensorboard_memleak.service.opening import open_path
    from tensorboard_memleak.service.report import report

    def convert(capture: str) -> str:
        memories = [
            memory
            for session in report(open_path(capture))["sessions"]
            for host in session["hosts"]
            for memory in host["memories"]
        ]
        return ", ".join(
            f"{memory['verdict']}, {memory['totals']['growth_bytes_per_step']} bytes a step, "
            f"{memory['totals']['allocations']}+{memory['totals']['deallocations']} events"
            for memory in memories
        )

    return convert


def _xprof() -> Callable[[str], str]:
    from xprof.convert import raw_to_tool_data  # type: ignore[import-untyped]

    def convert(capture: str) -> str:
        try:
            data, _ = raw_to_tool_data.xspace_to_tool_data([capture], "memory_profile", {})
        except Exception as error:  # whatever XProf throws is its outcome
            return f"failed: {type(error).__name__}"
        if not data:
            return "failed: no data"
        memories = json.loads(data)["memoryProfilePerAllocator"].values()
        samples = sum(len(memory["sampledTimelineSnapshots"]) for memory in memories)
        return f"a sample of {samples} events"

    return convert


def _peak_bytes() -> int:
    for row in Path("/proc/self/status").read_text().splitlines():
        if row.startswith("VmHWM:"):
            return int(row.split()[1]) * 1024
    raise RuntimeError("the peak of a process is read from /proc, which only Linux has")


if __name__ == "__main__":
    main()
