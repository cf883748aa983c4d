"""Names of TensorFlow's DataType numbers, as a memory event stores them.

They are those of Python (`tf.float32.name`), which NumPy and JAX share. TensorFlow's own C++ calls
three of them otherwise: float, double and half.
"""

from __future__ import annotations

from typing import Final

_NAMES: Final = (
    "invalid",
    *(
        "float32",
        "float64",
        "int32",
        "uint8",
        "int16",
        "int8",
        "string",
        "complex64",
        "int64",
        "bool",
    ),
    *(
        "qint8",
        "quint8",
        "qint32",
        "bfloat16",
        "qint16",
        "quint16",
        "uint16",
        "complex128",
        "float16",
    ),
    *("resource", "variant", "uint32", "uint64", "float8_e5m2", "float8_e4m3fn"),
    *("float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "int4", "uint4", "int2", "uint2"),
    "float4_e2m1fn",
)
_REFERENCE: Final = 100
"""A reference to a type is its number plus this."""


def dtype_name(number: int) -> str:
    """Return the type's name, "" where the producer tells none, or its bare number if it is new."""
    if number <= 0 or number == _REFERENCE:
        return ""
    base = number - _REFERENCE if number > _REFERENCE else number
    name = _NAMES[base] if base < len(_NAMES) else str(base)
    return f"{name}_ref" if number > _REFERENCE else name
