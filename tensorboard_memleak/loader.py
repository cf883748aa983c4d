"""The entry point. An error here would keep TensorBoard from starting, so nothing can raise.

TensorBoard loads this module eagerly and unguarded; it imports nothing but TensorBoard's own base
class. Everything else is imported when the plugin is made, inside a guard.
"""

from __future__ import annotations

import argparse
import logging
from typing import Final

from tensorboard.plugins import base_plugin

PLUGIN_NAME: Final = "leak_finder"

logger = logging.getLogger(__name__)


class LeakFinderLoader(base_plugin.TBLoader):  # type: ignore[misc]  # TensorBoard is untyped
    """Makes the plugin, or says in one line why there is none."""

    def define_flags(self, parser: argparse.ArgumentParser) -> None:
        """Add our flags; each has a default, as embedders start TensorBoard without them."""
        group = parser.add_argument_group("Leak Finder")
        try:
            group.add_argument(
                "--leak_finder_cache_mib",
                metavar="MIB",
                type=int,
                default=1024,
                help="Memory that analysed profiles may hold, in MiB. (default: %(default)s)",
            )
            group.add_argument(
                "--leak_finder_config",
                metavar="FILE",
                default="",
                help="Sites that are expected to grow, and thresholds. "
                "(default: .memleak.toml in the logdir's parent, where there is one)",
            )
        except argparse.ArgumentError as error:  # installed twice: the first one's flag serves both
            logger.warning("Leak Finder's flags are taken: %s", error)

    def fix_flags(self, flags: argparse.Namespace) -> None:
        """Refuse what makes no sense; TensorBoard prints a `FlagsError` and ends."""
        if getattr(flags, "leak_finder_cache_mib", 1) < 1:
            raise base_plugin.FlagsError("--leak_finder_cache_mib must be 1 or more")

    def load(self, context: base_plugin.TBContext) -> base_plugin.TBPlugin | None:
        """Return the plugin, `None` where it cannot be made or is there already."""
        try:
            if PLUGIN_NAME in (context.plugin_name_to_instance or {}):
                return None  # a second one of the name would end TensorBoard
            from tensorboard_memleak.plugin import LeakFinderPlugin
            from tensorboard_memleak.settings import Settings

            return LeakFinderPlugin(Settings.from_flags(context.flags, context.logdir))
        except Exception as error:  # whatever is broken in us, TensorBoard goes on without the tab
            logger.warning("Leak Finder is not available: %s: %s", type(error).__name__, error)
            return None
