"""What the person may set, read once from TensorBoard's flags."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from tensorboard_memleak.roots import Root, parse_roots

_MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Settings:
    """Where profiles are looked for, how much memory parsed ones may hold, what is expected."""

    roots: tuple[Root, ...] = ()
    cache_bytes: int = 1024 * _MEBIBYTE
    config: str | None = None

    @classmethod
    def from_flags(cls, flags: argparse.Namespace | None, logdir: str | None) -> Settings:
        """Read the flags; embedders build TensorBoard without our parser, so each has a default."""
        spec = str(getattr(flags, "logdir_spec", "") or "")
        cache_mib = int(getattr(flags, "leak_finder_cache_mib", 1024))
        config = str(getattr(flags, "leak_finder_config", "") or "") or None
        return cls(parse_roots(logdir or "", spec), max(cache_mib, 1) * _MEBIBYTE, config)
