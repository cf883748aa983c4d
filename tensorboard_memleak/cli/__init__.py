"""`memleak`: the reports of Leak Finder in the terminal, and a gate for CI."""

from tensorboard_memleak.cli.main import main

__all__ = ["main"]
