"""The plugin as TensorBoard sees it: a tab, a cached answer to "is there anything", and routes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Final

from tensorboard.plugins import base_plugin

from tensorboard_memleak.loader import PLUGIN_NAME
from tensorboard_memleak.service.finder import LeakFinder
from tensorboard_memleak.settings import Settings
from tensorboard_memleak.web.assets import ENTRY, asset_routes
from tensorboard_memleak.web.respond import json_route
from tensorboard_memleak.web.routes import ROUTES

TAB_NAME: Final = "Leak Finder"

_FIRST_WAIT_SECONDS: Final = 0.2
"""How long the first listing of plugins may wait for the first scan: the tab bar waits with it."""


class LeakFinderPlugin(base_plugin.TBPlugin):  # type: ignore[misc]  # TensorBoard is untyped
    """The Leak Finder tab."""

    plugin_name = PLUGIN_NAME

    def __init__(self, settings: Settings) -> None:
        self._finder = LeakFinder(settings)
        self._scan: threading.Thread | None = None
        self._lock = threading.Lock()  # guards _scan

    def is_active(self) -> bool:
        """Return whether the last scan found anything; only the first call may wait, and briefly.

        TensorBoard asks in every listing of its tabs, all of which wait for the answer. While
        nothing is found each call starts a scan in the background, for the next one to tell of.
        """
        if not self._finder.catalog.has_sessions:
            with self._lock:
                first = self._scan is None
                if self._scan is None or not self._scan.is_alive():
                    self._scan = self._start_scan()
            if first:
                self._scan.join(_FIRST_WAIT_SECONDS)
        return self._finder.catalog.has_sessions

    def _start_scan(self) -> threading.Thread:
        scan = threading.Thread(
            target=self._finder.catalog.refresh, name="leak-finder-scan", daemon=True
        )
        scan.start()
        return scan

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        """Return how TensorBoard shows the tab; the page handles reloads itself."""
        return base_plugin.FrontendMetadata(es_module_path=ENTRY, tab_name=TAB_NAME)

    def get_plugin_apps(self) -> Mapping[str, Callable[..., object]]:
        """Return every route with its WSGI application."""
        data = {path: json_route(self._finder, use_case) for path, use_case in ROUTES.items()}
        return {**asset_routes(), **data}
