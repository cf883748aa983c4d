"""Names of TensorFlow's DataType numbers, as a memory event stores them."""

from __future__ import annotations

from typing import Final

_NAMES: Final = (
    (
        "INVALID FLOAT DOUBLE INT32 UINT8 INT16 INT8 STRING COMPLEX64 INT64 BOOL QINT8 QUINT8 QINT32 "
        "BFLOAT16 QINT16 QUINT16 UINT16 COMPLEX128 HALF RESOURCE VARIANT UINT32 UINT64 FLOAT8_E5M2 "
        "FLOAT8_E4M3FN FLOAT8_E4M3FNUZ FLOAT8_E4M3B11FNUZ FLOAT8_E5M2FNUZ INT4 UINT4 INT2 UINT2 "
        "FLOAT4_E2M1FN"
    )
    .lower()
    .split()
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
