"""Records one capture in this process: `child MODULE SCENARIO leaky|fixed FOLDER`."""

from __future__ import annotations

import importlib
import sys
from typing import Any

from tests.captures.record.registry import SCENARIOS, WITH_PYTHON_FRAMES


def window(module: str, environment: str, folder: str) -> Any:
    """The framework's window; imported here, as only one framework may be installed."""
    if module.startswith("jax_"):
        from tests.captures.record.jax_window import Window as JaxWindow

        return JaxWindow(folder)
    from tests.captures.record.tf_window import Window as TensorFlowWindow

    return TensorFlowWindow(folder, python_frames=environment == WITH_PYTHON_FRAMES)


def main() -> None:
    """Import the scenario's module, which registers it, and run it."""
    module, name, form, folder = sys.argv[1:]
    importlib.import_module(f"tests.captures.record.{module}")
    entry = SCENARIOS[name]
    entry.record(window(module, entry.environment, folder), form == "fixed")


if __name__ == "__main__":
    main()
