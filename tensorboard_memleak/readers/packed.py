"""Files that may be packed with gzip or xz, known by how they begin rather than by their name."""

from __future__ import annotations

import lzma
import zlib
from typing import Final

from tensorboard_memleak.errors import UnreadableFile

_GZIP_MAGIC: Final = b"\x1f\x8b"
_XZ_MAGIC: Final = b"\xfd7zXZ\x00"
_MOST_BYTES: Final = 1 << 30
"""What unpacking may give: a small file must not fill the memory of the machine."""


def unpacked(data: bytes, label: str) -> bytes:
    """Return the content of `data`, packed or not; raises `UnreadableFile` where it is cut."""
    decompressor: zlib._Decompress | lzma.LZMADecompressor
    if data.startswith(_GZIP_MAGIC):
        decompressor = zlib.decompressobj(wbits=31)
    elif data.startswith(_XZ_MAGIC):
        decompressor = lzma.LZMADecompressor()
    else:
        return data
    try:
        content = decompressor.decompress(data, _MOST_BYTES)
    except (zlib.error, lzma.LZMAError, EOFError) as error:
        raise UnreadableFile(
            f"{label} cannot be unpacked: {error}.", "Copy the file again."
        ) from error
    if not decompressor.eof:
        raise UnreadableFile(
            f"{label} is cut short, or holds more than {_MOST_BYTES >> 30} GiB when unpacked.",
            "Copy the file again, or unpack it first.",
        )
    return content
