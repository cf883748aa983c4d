"""What is wrong with a file that is no capture, in words that help."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.readers.wire import Malformed, Truncated

_GZIP: Final = b"\x1f\x8b"
_REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}".encode()
_SAMPLE_BYTES: Final = 1 << 16


def unreadable(view: memoryview, path: str, error: Malformed) -> UnreadableFile:
    """Turn what the reader stumbled over into one sentence and the next step."""
    sample = bytes(view[:_SAMPLE_BYTES])
    if not sample:
        return UnreadableFile(
            f"{path} is empty",
            "Capture again: profilers leave an empty file when a capture is larger than 2 GiB "
            "(profile fewer steps) or when the job ends before it is written.",
        )
    if sample.startswith(_GZIP):
        return UnreadableFile(f"{path} is gzip-compressed", "Decompress it in place with gunzip.")
    if sample.count(_REPLACEMENT) > len(sample) // 100:
        return UnreadableFile(
            f"{path} was re-encoded as UTF-8 text, which destroys a binary file",
            "Copy the original again in binary mode.",
        )
    if isinstance(error, Truncated):
        return UnreadableFile(
            f"{path} is cut short: {error}",
            "Copy it again, or wait until the capture has been written to its end.",
        )
    return UnreadableFile(
        f"{path} is not an XSpace capture: {error}",
        "Check that it was written by a profiler and copied in binary mode.",
    )
