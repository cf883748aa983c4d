"""Array shapes as XLA writes them: element type, dimensions, layout, tuples of shapes."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

_ELEMENTS_BY_BITS: Final = {
    0: "invalid tuple opaque token buffer",
    8: "pred s8 u8 s4 u4 s2 u2 s1 u1 f8e5m2 f8e4m3fn f8e4m3b11fnuz f8e5m2fnuz f8e4m3fnuz "
    "f8e4m3 f8e3m4 f8e8m0fnu f4e2m1fn",
    16: "s16 u16 f16 bf16",
    32: "s32 u32 f32",
    64: "s64 u64 f64 c64",
    128: "c128",
}
ELEMENT_BITS: Final = {
    name: bits for bits, names in _ELEMENTS_BY_BITS.items() for name in names.split()
}
"""Bits an element takes unless its layout packs it: XLA stores a 4-bit number in a byte of its
own where the layout does not say otherwise."""

POINTER_BYTES: Final = 8
"""A tuple is a table of pointers to its parts."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape; `parts` are the shapes of a tuple, `layout` the text between XLA's braces."""

    element_type: str
    dimensions: tuple[int, ...] = ()
    layout: str = ""
    memory_space: int = 0
    packed_bits: int = 0
    parts: tuple[Shape, ...] = ()

    @property
    def text(self) -> str:
        """XLA's own notation, as in `f32[512,32000]{1,0:T(8,128)}`."""
        if self.element_type == "tuple":
            return f"({', '.join(part.text for part in self.parts)})"
        dimensions = ",".join(map(str, self.dimensions))
        return f"{self.element_type}[{dimensions}]{self.layout}"

    @property
    def unpadded_bytes(self) -> int | None:
        """Bytes of the elements alone, without the padding of tiles and alignment.

        `None` where the element type is unknown to this version or a dimension is negative.
        """
        if self.element_type == "tuple":
            return POINTER_BYTES * len(self.parts)
        bits = self.packed_bits or ELEMENT_BITS.get(self.element_type)
        if bits is None or any(size < 0 for size in self.dimensions):
            return None
        return -(-prod(self.dimensions) * bits // 8)

    def part(self, index: tuple[int, ...]) -> Shape | None:
        """Return the shape at a tuple index, `None` where there is no such part."""
        shape = self
        for position in index:
            if not 0 <= position < len(shape.parts):
                return None
            shape = shape.parts[position]
        return shape

    def leaves(self) -> list[tuple[tuple[int, ...], Shape]]:
        """Return every array of the shape with its tuple index, in order."""
        if self.element_type != "tuple":
            return [((), self)]
        return [
            ((position, *index), leaf)
            for position, part in enumerate(self.parts)
            for index, leaf in part.leaves()
        ]
