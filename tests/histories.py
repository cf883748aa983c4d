"""Small captures with a known story, for tests that care about more than the reader."""

from __future__ import annotations

from pathlib import Path

from tests.xspace_builder import XSpace

STEP_PS = 1_000_000_000
KEPT_BYTES = 1024
PASSING_BYTES = 512
CAPACITY_BYTES = 1 << 20


def leaking_capture(
    steps: int = 12, kept_op: str = "MatMul", leaks: bool = True, kept_twice: bool = False
) -> bytes:
    """One block of 1 KiB kept, and one of 512 bytes freed, in each step of GPU_0_bfc.

    With `leaks=False` the first is freed as well, at the end of its step; with `kept_twice` a
    handle of 256 bytes is kept beside it.
    """
    space = XSpace()
    line = space.plane("/host:CPU").line("python", timestamp_ns=1_000)
    line.event("train", at_ps=0, lasts_ps=STEP_PS * steps)
    in_use = 0
    for step in range(steps):
        start = step * STEP_PS
        kept, passing = 0x10000 + step * 0x1000, 0x8000
        line.event("step", at_ps=start, lasts_ps=STEP_PS - 1000, step_num=step, _r=1)
        story = [(kept, KEPT_BYTES, kept_op, 1), (passing, PASSING_BYTES, "Tmp", 1)]
        story += [(passing, PASSING_BYTES, "", -1)]
        story += [] if leaks else [(kept, KEPT_BYTES, "", -1)]
        story += [(kept + 0x800, 256, "Handle", 1)] if kept_twice else []
        for place, (address, size, op, sign) in enumerate(story, start=1):
            in_use += sign * size
            told = {
                "address": address,
                "requested": size,
                "allocated": size,
                "in_use": in_use,
                "available": CAPACITY_BYTES - in_use,
            }
            at_ps = start + place * 1_000_000
            if sign > 0:
                line.allocation(at_ps, **told, op=op, shape=f"[{size // 4}]", dtype=1)
            else:
                line.deallocation(at_ps, **told)
    return space.encode()


def write_session(
    logdir: Path, session: str, data: bytes, host: str = "host0", run: str = ""
) -> Path:
    """Put a capture where XProf would; return the file."""
    folder = logdir / run / "plugins" / "profile" / session
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{host}.xplane.pb"
    file.write_bytes(data)
    return file
