"""What a capture shows of the program that was profiled: frameworks, devices, allocators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_PREFIXES: Final = {
    "jax": ("PjitFunction(", "$jaxlib."),
    "tensorflow": (
        "EagerExecute",
        "EagerLocalExecute",
        "ExecutorState::Process",
        "ExecutorPropagateOutputs",
        "FunctionRun",
        "TFE_",
        "tf.",
        "$tensorflow.",
    ),
    "pytorch_xla": (
        "PjRtComputationClient::",
        "XLAGraphExecutor::",
        "XlaGraphExecutor::",
        "LazyGraphExecutor::",
        "SyncTensorsGraph",
        "$torch_xla",
        "$xla_model.py",
    ),
}
"""Trace events that only one framework's runtime writes, by how their names begin."""
_ASYNC_ALLOCATOR: Final = ("gpu_async_", "StreamExecutorAllocator::", "GpuCudaMallocAsync")
"""Traces of the allocators that write no memory events."""


@dataclass(slots=True)
class Evidence:
    """Gathered plane by plane; frameworks keep the order of `_PREFIXES`."""

    frameworks: set[str] = field(default_factory=set)
    host_plane: bool = False
    gpu: bool = False
    tpu: bool = False
    async_allocator: bool = False
    host_tracer_level: int | None = None

    def see_plane(self, name: str) -> None:
        """Take note of a plane."""
        self.host_plane = self.host_plane or name == "/host:CPU"
        self.gpu = self.gpu or name.startswith("/device:GPU")
        self.tpu = self.tpu or name.startswith("/device:TPU")

    def see_events(self, names: Iterable[str]) -> None:
        """Take note of the names of a host plane's events."""
        for name in names:
            for framework, prefixes in _PREFIXES.items():
                if name.startswith(prefixes):
                    self.frameworks.add(framework)
            if name.startswith(_ASYNC_ALLOCATOR):
                self.async_allocator = True

    def in_order(self) -> tuple[str, ...]:
        """Return the frameworks in a fixed order."""
        return tuple(framework for framework in _PREFIXES if framework in self.frameworks)
