"""TensorBoard's WSGI application with our plugin in it, and nothing else running."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from tensorboard.backend import application
from tensorboard.backend.event_processing import (
    data_provider,
    plugin_event_multiplexer,
)
from tensorboard.plugins import base_plugin
from werkzeug.test import Client, TestResponse

from tensorboard_memleak.loader import LeakFinderLoader

MEMORY = "GPU_0_bfc"


class Board:
    """A client of one TensorBoard; addresses are relative to the plugin's routes."""

    def __init__(
        self,
        logdir: Path | str,
        path_prefix: str = "",
        logdir_spec: str = "",
        with_multiplexer: bool = False,
        loader: base_plugin.TBLoader | None = None,
    ) -> None:
        flags = argparse.Namespace(
            logdir=str(logdir), logdir_spec=logdir_spec, path_prefix=path_prefix
        )
        multiplexer = plugin_event_multiplexer.EventMultiplexer() if with_multiplexer else None
        provider = (
            data_provider.MultiplexerDataProvider(multiplexer, str(logdir)) if multiplexer else None
        )
        context = base_plugin.TBContext(
            logdir=str(logdir), flags=flags, multiplexer=multiplexer, data_provider=provider
        )
        plugin = (loader or LeakFinderLoader()).load(context)
        self.plugins = [plugin] if plugin else []
        self._prefix = path_prefix
        self.client = Client(
            application.TensorBoardWSGI(self.plugins, path_prefix, data_provider=provider)
        )

    def get(self, address: str, **params: Any) -> TestResponse:
        """Ask one of the plugin's routes."""
        url = f"{self._prefix}/data/plugin/leak_finder/{address}"
        return self.client.get(url, query_string={k: str(v) for k, v in params.items()})

    def json(self, address: str, **params: Any) -> Any:
        """Ask a route that must answer well."""
        response = self.get(address, **params)
        assert response.status_code == 200, response.get_data(as_text=True)
        return response.get_json()

    def error(self, address: str, **params: Any) -> tuple[int, str]:
        """Ask a route that must refuse, in the one shape of errors; return status and code."""
        response = self.get(address, **params)
        body = response.get_json()
        assert set(body) == {"error"}
        assert set(body["error"]) == {"code", "message", "hint"}
        return response.status_code, body["error"]["code"]

    def listing(self) -> Any:
        """Return TensorBoard's listing of its plugins."""
        return self.client.get(f"{self._prefix}/data/plugins_listing").get_json()
