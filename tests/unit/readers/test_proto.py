"""Our descriptors share a process with those of TensorBoard, XProf and TensorFlow."""

from __future__ import annotations

import importlib
import pkgutil

import pytest
from google.protobuf import descriptor_pool

from tensorboard_memleak.readers import proto

MODULES = sorted(
    module.name for module in pkgutil.iter_modules(proto.__path__) if module.name.endswith("_pb2")
)


@pytest.mark.parametrize("name", MODULES)
def test_names_in_the_descriptor_pool_are_our_own(name: str) -> None:
    descriptor = importlib.import_module(f"{proto.__name__}.{name}").DESCRIPTOR
    assert descriptor.name.startswith("tensorboard_memleak/readers/proto/")
    assert descriptor.package.startswith("tensorboard_memleak.")
    found = descriptor_pool.Default().FindFileByName(descriptor.name)
    assert found.package == descriptor.package


def test_generated_code_loads_beside_that_of_others() -> None:
    for name in MODULES:
        importlib.import_module(f"{proto.__name__}.{name}")
    others = [
        "tensorboard.compat.proto.summary_pb2",
        "tensorboard.compat.proto.graph_pb2",
        "tensorboard.plugins.hparams.plugin_data_pb2",
    ]
    for other in others:
        assert importlib.import_module(other).DESCRIPTOR.name
