"""Which framework made a capture: what the profile says, else what its events look like."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.analysis.advice import Framework
from tensorboard_memleak.model.trace import HostTrace

_TELLTALE: Final[tuple[tuple[Framework, tuple[str, ...]], ...]] = (
    ("pytorch_xla", ("torch_xla", "PyTorch/XLA", "xla::MarkStep", "SyncTensorsGraph")),
    ("jax", ("PjitFunction(", "jit_", "$pjit.py", "$pxla.py")),
    ("tensorflow", ("EagerExecute", "EagerLocalExecute", "FunctionRun", "tf.", "TFE_Py_")),
)


def framework_of(trace: HostTrace) -> Framework:
    """Return the framework, "" where nothing tells."""
    said = " ".join(trace.frameworks).lower()
    for framework, word in (("pytorch_xla", "torch"), ("jax", "jax"), ("tensorflow", "tensorflow")):
        if word in said:
            return framework  # type: ignore[return-value]
    for framework, beginnings in _TELLTALE:
        if any(text.startswith(beginnings) for text in trace.strings):
            return framework
    return "tensorflow" if any(_has_ops(memory.events.op) for memory in trace.memories) else ""


def _has_ops(op: object) -> bool:
    return bool(getattr(op, "any", lambda: False)())
