"""What is wrong with a file that is no capture, in words that help."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.errors import UnreadableFile
from tensorboard_memleak.readers.source import Source
from tensorboard_memleak.readers.wire import Malformed, Truncated

_GZIP: Final = b"\x1f\x8b"
_FIRST_BYTES: Final = b"\x0a\x12\x1a\x22"
"""Tags of an XSpace's fields: a capture begins with one of them."""
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"
_SAMPLE_BYTES: Final = 1 << 16
_LONGEST_CHARACTER: Final = 4
_TEXT_CONTROLS: Final = frozenset("\t\n\r\f")


def unreadable(view: Source, path: str, error: Malformed) -> UnreadableFile:
    """Turn what the reader stumbled over into one sentence and the next step."""
    return UnreadableFile(*_words(bytes(view[:_SAMPLE_BYTES]), path, error))


def _words(sample: bytes, path: str, error: Malformed) -> tuple[str, str]:
    if not sample:
        return (
            f"{path} is empty.",
            "Capture again: profilers leave an empty file when a capture is larger than 2 GiB "
            "(profile fewer steps) or when the job ends before it is written.",
        )
    if sample.startswith(_GZIP):
        return f"{path} is gzip-compressed.", "Decompress it under the same name with gunzip."
    text = _as_text(sample)
    if text is not None and _is_plain(text):
        return (
            f"{path} is text and not a capture.",
            "Look where it came from: a failed download often leaves a message in place of the "
            "file.",
        )
    re_encoded = text is not None and not text.isascii()
    if re_encoded or sample.count(_REPLACED.encode()) > len(sample) // 100:
        return (
            f"{path} was re-encoded as UTF-8 text, which destroys a binary file.",
            "Copy the original again in binary mode.",
        )
    if isinstance(error, Truncated) and sample[0] in _FIRST_BYTES:
        return (
            f"{path} is cut short: {error}.",
            "Copy it again, or wait until the capture has been written to its end.",
        )
    return (
        f"{path} is not an XSpace capture: {error}.",
        "Check that it was written by a profiler and copied in binary mode.",
    )


def _as_text(sample: bytes) -> str | None:
    """Decode a sample that is UTF-8 (its last character may be cut), else return None."""
    text = sample.decode("utf-8", "replace").rstrip(_REPLACED)
    whole = len(text.encode()) > len(sample) - _LONGEST_CHARACTER and _REPLACED not in text
    return text if whole else None


def _is_plain(text: str) -> bool:
    return all(character >= " " or character in _TEXT_CONTROLS for character in text)
