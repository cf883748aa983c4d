"""Shape protos -> `model.shapes.Shape`, each distinct one once."""

from __future__ import annotations

from typing import Final

from tensorboard_memleak.model.shapes import Shape
from tensorboard_memleak.readers.proto import hlo_pb2

_NAMES: Final = (
    "invalid pred s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 tuple opaque c64 bf16 token c128 "
    "f8e5m2 f8e4m3fn s4 u4 f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz s2 u2 f8e4m3 f8e3m4 s1 u1 "
    "f4e2m1fn f8e8m0fnu buffer"
)
_ELEMENT_TYPES: Final = tuple(_NAMES.split())
"""XLA's primitive types in the order of their numbers."""

_COMBINED_DIMENSION: Final = -(2**63)
"""How XLA spells `*` in a tile: this dimension is folded into the next."""


class Shapes:
    """The table of a program's shapes: equal protos share one row."""

    def __init__(self) -> None:
        self._row_of_bytes: dict[bytes, int] = {}
        self._row_of_shape: dict[Shape, int] = {}

    def add(self, proto: hlo_pb2.Shape) -> int:
        """Return the row of a shape."""
        key = proto.SerializeToString()
        row = self._row_of_bytes.get(key)
        if row is None:
            row = self._row_of_bytes[key] = self.add_shape(_shape(proto))
        return row

    def add_shape(self, shape: Shape) -> int:
        """Return the row of a shape that is already in the model's form."""
        return self._row_of_shape.setdefault(shape, len(self._row_of_shape))

    def all(self) -> tuple[Shape, ...]:
        """Return every shape in order of its row."""
        return tuple(self._row_of_shape)


def _shape(proto: hlo_pb2.Shape) -> Shape:
    number = proto.element_type
    layout = proto.layout
    known = 0 <= number < len(_ELEMENT_TYPES)
    return Shape(
        element_type=_ELEMENT_TYPES[number] if known else f"type{number}",
        dimensions=tuple(proto.dimensions),
        layout=_layout(layout) if proto.HasField("layout") else "",
        memory_space=layout.memory_space,
        packed_bits=max(0, layout.element_size_in_bits),
        parts=tuple(_shape(part) for part in proto.tuple_shapes),
    )


def _layout(layout: hlo_pb2.Layout) -> str:
    """Return a layout in XLA's notation: order of dimensions, tiles, element bits, space."""
    order = ",".join(map(str, layout.minor_to_major))
    extras = []
    if layout.tiles:
        extras.append("T" + "".join(f"({_tile(tile)})" for tile in layout.tiles))
    if layout.element_size_in_bits:
        extras.append(f"E({layout.element_size_in_bits})")
    if layout.memory_space:
        extras.append(f"S({layout.memory_space})")
    if not order and not extras:
        return ""
    return "{" + order + (":" + "".join(extras) if extras else "") + "}"


def _tile(tile: hlo_pb2.Tile) -> str:
    sizes = tile.dimensions
    return ",".join("*" if size == _COMBINED_DIMENSION else str(size) for size in sizes)
