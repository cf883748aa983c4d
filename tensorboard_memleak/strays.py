"""Files that look like profiles and lie where nobody reads them, told with where they belong."""

from __future__ import annotations

from collections.abc import Iterator

from tensorboard_memleak.files import FileFact, readable
from tensorboard_memleak.model.trace import Notice

STRAY_SUFFIXES = (".xplane.pb", ".xplane.riegeli", ".xplane.pb.gz", "xplane.pb")
"""The names that `Strays.look_at` has an eye for."""

_SHOWN = 5
"""How many names a notice spells out; a folder of a thousand strays is one notice still."""


class Strays:
    """Collects the oddities of one scan."""

    def __init__(self) -> None:
        self._outside: list[FileFact] = []
        self._riegeli: list[FileFact] = []
        self._compressed: list[FileFact] = []
        self._nameless: list[FileFact] = []
        self.unreadable: list[str] = []
        """Local paths that could not be looked into."""
        self.refused: list[tuple[str, str]] = []
        """Remote roots that could not be listed, each with the reason."""

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
                "outside plugins/profile, where no tool looks for captures",
                "Move it to <logdir>/<run>/plugins/profile/<session>/, or open it with "
                "`memleak report FILE`.",
            ),
            (
                self._riegeli,
                "unsupported_riegeli",
                "Riegeli, a format that Leak Finder cannot read",
                "Capture again with a version that writes <host>.xplane.pb, or convert it.",
            ),
            (
                self._compressed,
                "compressed_profile",
                "compressed, and left out",
                "Decompress it with `gunzip` beside the file.",
            ),
            (
                self._nameless,
                "nameless_profile",
                "no host in the name, left out",
                "Rename it to <host>.xplane.pb.",
            ),
        )
        misplaced = (
            Notice(code, f"{_names([fact.path for fact in files])}: {what}.", hint)
            for files, code, what, hint in kinds
            if files
        )
        return (*self._closed(), *misplaced)

    def _closed(self) -> Iterator[Notice]:
        for path, reason in self.refused:
            yield Notice(
                "unreadable_logdir",
                f"{path} cannot be listed: {reason}.",
                "Check the address and the rights, and that the file system's package is "
                "installed where TensorBoard runs (gcsfs for gs://, s3fs for s3://).",
            )
        if self.unreadable:
            yield Notice(
                "unreadable_folder",
                f"{_names(self.unreadable)}: cannot be looked into.",
                "Give the user who runs TensorBoard read access, or mend the link; profiles in "
                "there are missing from the list.",
            )


def _names(paths: list[str]) -> str:
    shown = ", ".join(readable(path) for path in paths[:_SHOWN])
    more = len(paths) - _SHOWN
    return f"{shown} (and {more} more)" if more > 0 else shown
