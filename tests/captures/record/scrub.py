"""Takes this machine out of a capture: host name, process ids, clock, folders.

What stays of a path is its file name, as a person's own capture would show it.
"""

from __future__ import annotations

import gzip
import re
import socket
from pathlib import Path
from typing import Any

from tensorflow.compiler.xla.service import hlo_pb2
from tensorflow.tsl.profiler.protobuf import profiler_options_pb2, xplane_pb2

HOST = "host0"
EPOCH_NS = 1_767_225_600_000_000_000  # 2026-01-01, as the session's name says
FOLDER = r"(?<![\w.+~-])/(?:[\w.+~-]+/)"
INSTALLED = re.compile(rf"{FOLDER}*?(?:site-packages/|(?=lib/python3[\d.]*/(?!site-packages)))")
FOLDERS = re.compile(rf"{FOLDER}+")
LEFTOVERS = re.compile(rb"/(?:home|root|tmp|usr|opt|var)/|site-packages")
PPROF_STRING = 6  # Profile.string_table


def scrub_xspace(content: bytes) -> bytes:
    """The same XSpace without what tells the machine."""
    space = xplane_pb2.XSpace.FromString(content)
    space.hostnames[:] = [HOST]
    for plane in space.planes:
        names = {key: entry.name for key, entry in plane.stat_metadata.items()}
        for stat in plane.stats:
            _scrub_plane_stat(names.get(stat.metadata_id, ""), stat)
        for entry in plane.stat_metadata.values():
            entry.name = _without_folders(entry.name)
        for entry in plane.event_metadata.values():
            entry.name = _without_folders(entry.name)
            for stat in entry.stats:
                if names.get(stat.metadata_id) == "Hlo Proto":
                    stat.bytes_value = _scrub_hlo(stat.bytes_value)
    scrubbed: bytes = space.SerializeToString(deterministic=True)
    _refuse_leftovers(scrubbed)
    return scrubbed


def scrub_pprof(content: bytes) -> bytes:
    """The same device-memory profile with file names only; `mtime` is left out of the gzip head."""
    out = bytearray()
    for field, wire_type, head, body in _fields(gzip.decompress(content)):
        if field == PPROF_STRING and wire_type == 2:
            text = _without_folders(body.decode()).encode()
            out += bytes([field << 3 | 2]) + _varint(len(text)) + text
        else:
            out += head + body
    _refuse_leftovers(bytes(out))
    return gzip.compress(bytes(out), mtime=0)


def _scrub_plane_stat(name: str, stat: Any) -> None:
    if name == "process_id":
        stat.int64_value = 1
    elif name == "profile_start_time":
        stat.uint64_value = EPOCH_NS
    elif name == "profile_stop_time":
        stat.uint64_value = EPOCH_NS + 1_000_000_000
    elif name == "profile_options":
        options = profiler_options_pb2.ProfileOptions.FromString(stat.bytes_value)
        options.ClearField("repository_path")
        stat.bytes_value = options.SerializeToString()


def _scrub_hlo(content: bytes) -> bytes:
    proto = hlo_pb2.HloProto.FromString(content)
    frames = proto.hlo_module.stack_frame_index
    frames.file_names[:] = [_without_folders(name) for name in frames.file_names]
    for computation in proto.hlo_module.computations:
        for instruction in computation.instructions:
            metadata = instruction.metadata
            if metadata.source_file:
                metadata.source_file = _without_folders(metadata.source_file)
    scrubbed: bytes = proto.SerializeToString(deterministic=True)
    return scrubbed


def _without_folders(text: str) -> str:
    """`text` with each absolute path cut down to its last part.

    Of an installed library it keeps the part inside the library: that tells it from the program.
    """
    return FOLDERS.sub("", INSTALLED.sub("", text))


def _refuse_leftovers(content: bytes) -> None:
    if found := LEFTOVERS.search(content):
        raise ValueError(f"{found[0]!r} is still in the capture")
    for needle in (str(Path.cwd()).encode(), f"{socket.gethostname()}.".encode()):
        if needle in content:
            raise ValueError(f"{needle!r} is still in the capture")


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _fields(content: bytes) -> Any:
    """Each field of a message as (number, wire type, bytes before the body, body)."""
    position = 0

    def read_varint() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = content[position]
            position += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while position < len(content):
        start = position
        key = read_varint()
        if key & 7 == 2:
            length = read_varint()
            head = content[start:position]
            position += length
            yield key >> 3, 2, head, content[position - length : position]
        elif key & 7 == 0:
            read_varint()
            yield key >> 3, 0, content[start:position], b""
        else:
            raise ValueError(f"unexpected wire type {key & 7} in a pprof profile")
