from __future__ import annotations

import argparse
import subprocess
import sys

import pytest
from tensorboard.plugins import base_plugin

from tensorboard_memleak.loader import LeakFinderLoader
from tensorboard_memleak.settings import Settings


def test_importing_the_loader_imports_neither_numpy_nor_protobuf() -> None:
    code = "import sys, tensorboard_memleak.loader; print(*sorted(sys.modules))"
    imported = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()

    assert [name for name in imported if name.startswith("tensorboard_memleak")] == [
        "tensorboard_memleak",
        "tensorboard_memleak.loader",
    ]
    assert not {"numpy", "google.protobuf", "fsspec"} & set(imported)


def test_flags_have_defaults_and_our_prefix() -> None:
    parser = argparse.ArgumentParser()
    LeakFinderLoader().define_flags(parser)

    assert vars(parser.parse_args([])) == {
        "leak_finder_cache_mib": 1024,
        "leak_finder_config": "",
    }


def test_a_second_installation_does_not_stop_tensorboard() -> None:
    parser = argparse.ArgumentParser()
    for _ in range(2):
        LeakFinderLoader().define_flags(parser)

    present = base_plugin.TBContext(plugin_name_to_instance={"leak_finder": object()})
    assert LeakFinderLoader().load(present) is None


@pytest.mark.parametrize("flags", [argparse.Namespace(), argparse.Namespace(logdir="x")])
def test_flags_of_an_embedder_pass(flags: argparse.Namespace) -> None:
    LeakFinderLoader().fix_flags(flags)


def test_a_senseless_flag_is_refused_in_words() -> None:
    with pytest.raises(base_plugin.FlagsError, match="cache_mib must be 1 or more"):
        LeakFinderLoader().fix_flags(argparse.Namespace(leak_finder_cache_mib=0))


@pytest.mark.parametrize("flags", [None, argparse.Namespace()])
def test_settings_do_without_flags(flags: argparse.Namespace | None) -> None:
    assert Settings.from_flags(flags, "").cache_bytes == 2**30
    assert Settings.from_flags(flags, None).roots == ()
