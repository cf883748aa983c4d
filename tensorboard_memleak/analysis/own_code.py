"""Which frames of a stack are the person's own code, and what their functions are called.

A device-memory profile tells whole paths: what lies where packages are installed is a framework's.
The Python tracer tells a file's bare name (`$train.py:12 step`), so that there the names of the
frameworks' own files decide. Some are names that anyone may give (`core.py`, `trainer.py`): they
are taken for the framework's, since to name nobody is better than to send a person into code that
is not theirs. Blind spots: a person's own file of such a name is not named; a framework's file that
is not listed here is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

_FRAME: Final = re.compile(r"\$?(?P<path>.+):(?P<line>\d+) (?P<function>.+)")
LIBRARY: Final = re.compile(
    r"(?:^|[/\\])(?:site-packages|dist-packages|lib[/\\]python3\.\d+|jax[/\\]_src|jaxlib)[/\\]|^<"
)
"""A frame of a package that is installed, or of code that has no file."""
_ENDINGS: Final = re.compile(r"gen_\w+|_\w+|\w*_?ops|\w+_(?:ops_gen|grad|impl|lib)|\w*utils?")
_FILES: Final = """
atomic_function backprop composite_tensor_gradient concrete_function constant_op context
constant_tensor_conversion def_function dispatch execute func_graph function imperative_grad
nest override_binary_operator polymorphic_function profiler_v2 tape tensor tensor_conversion
tensor_conversion_registry tensor_math_operator_overrides tensor_shape trace
tracing_compilation variable_scope variables

activation base_layer base_optimizer batch_normalization convolutional core data_adapter dense
dropout embedding functional functions input_spec layer layer_normalization losses metric nn
numpy operation optimizer optimizer_v2 pooling sequential trainer training variable_mapping

abstract_arrays ad api array array_constructors array_creation array_methods batching cache_key
compilation_cache compiler config custom_derivatives dtypes effects fromnumeric lax lax_numpy
layout linear_util literals mesh mlir monitoring named_sharding numeric op_shardings
partial_eval partition_spec pjit prng profiler pxla random reductions scalar_types sharding
sharding_impls tensor_contractions ufunc_api ufuncs xla xla_bridge

module parallel_loader runtime torch_xla xla_builder xla_model

contextlib copy enum functools gzip inspect runpy threading typing weakref
"""
"""Of TensorFlow, Keras, JAX, PyTorch (with PyTorch/XLA) and Python, as their frames are traced."""
_OF_FRAMEWORKS: Final = frozenset(_FILES.split())


def is_own(frame: str) -> bool:
    """Tell whether a frame, of the tracer or of a device-memory profile, is the person's code."""
    found = _FRAME.fullmatch(frame)
    if found is None or LIBRARY.search(found["path"].removeprefix("$")):
        return False
    if not frame.startswith("$"):
        return True
    name = found["path"].removeprefix("$").removesuffix(".py")
    return name not in _OF_FRAMEWORKS and _ENDINGS.fullmatch(name) is None


def own_functions(stack: Iterable[str], most: int = 2) -> list[str]:
    """Return the innermost of the person's functions, as `name (file:line)`; stacks are so ordered.

    `__call__`, `<lambda>` and `<module>` say little: they are named where there is nothing else.
    """
    own = [place for frame in stack if is_own(frame) and (place := place_of(frame))]
    named = [place for place in own if not place.startswith(("<", "__"))]
    return list(dict.fromkeys(named or own[:1]))[:most]


def place_of(frame: str) -> str:
    """Say a frame as `function (file:line)`, without the folders; "" where it has no line."""
    found = _FRAME.fullmatch(frame)
    if found is None:
        return ""
    file = re.split(r"[/\\]", found["path"].removeprefix("$"))[-1]
    return f"{found['function']} ({file}:{found['line']})"


def own_stack(stack: Sequence[str]) -> tuple[str, ...]:
    """Return the frames of a device-memory profile that are the person's, all if there is none."""
    return tuple(frame for frame in stack if not LIBRARY.search(frame)) or tuple(stack)
