"""Files that look like profiles and lie where nobody reads them, told with where they belong."""

from __future__ import annotations

from tensorboard_memleak.files import FileFact
from tensorboard_memleak.model.trace import Notice

_SHOWN = 5
"""How many names a notice spells out; a folder of a thousand strays is one notice still."""


class Strays:
    """Collects the oddities of one scan."""

    def __init__(self) -> None:
        self._outside: list[FileFact] = []
        self._riegeli: list[FileFact] = []
        self._compressed: list[FileFact] = []
        self._nameless: list[FileFact] = []

    def look_at(self, fact: FileFact, in_session: bool) -> None:
        """Keep a file that a person may be looking for."""
        name = fact.name
        if name.endswith(".xplane.pb"):
            if not in_session:
                self._outside.append(fact)
        elif name.endswith(".xplane.riegeli"):
            self._riegeli.append(fact)
        elif name.endswith(".xplane.pb.gz") and in_session:
            self._compressed.append(fact)
        elif name == "xplane.pb" and in_session:
            self._nameless.append(fact)

    def notices(self) -> tuple[Notice, ...]:
        """Return one notice a kind, naming the first few files."""
        kinds = (
            (
                self._outside,
                "stray_profile",
                "lies outside plugins/profile, where no tool finds it",
                "Move it to <logdir>/<run>/plugins/profile/<session>/, or open it with "
                "`memleak report FILE`.",
            ),
            (
                self._riegeli,
                "unsupported_riegeli",
                "is a Riegeli file, which Leak Finder cannot read",
                "Capture again with a version that writes <host>.xplane.pb, or convert it.",
            ),
            (
                self._compressed,
                "compressed_profile",
                "is compressed and was left out",
                "Decompress it with `gunzip` beside the file.",
            ),
            (
                self._nameless,
                "nameless_profile",
                "has no host before its name and was left out",
                "Rename it to <host>.xplane.pb.",
            ),
        )
        return tuple(
            Notice(code, f"{_names(files)} {what}.", hint)
            for files, code, what, hint in kinds
            if files
        )


def _names(files: list[FileFact]) -> str:
    shown = ", ".join(fact.path for fact in files[:_SHOWN])
    more = len(files) - _SHOWN
    return f"{shown} (and {more} more): each" if more > 0 else shown
