"""Forward and backward pass, as the framework writes them into op names."""

from __future__ import annotations

import re
from typing import Final

_BACKWARD: Final = re.compile(
    r"transpose\(|gradient_tape/|/gradients/|(?:^|/)backward(?:/|$)|_grad(?:/|$)"
)
_FORWARD: Final = re.compile(r"jvp\(")


def is_backward(op_name: str) -> bool:
    """Whether an op belongs to the backward pass.

    JAX writes `transpose(jvp(f))`, TensorFlow `gradient_tape/`.
    """
    return _BACKWARD.search(op_name) is not None


def is_forward(op_name: str) -> bool:
    """Whether an op is known to be of a forward pass that is differentiated."""
    return _FORWARD.search(op_name) is not None and not is_backward(op_name)
