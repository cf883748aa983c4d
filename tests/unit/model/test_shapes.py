from __future__ import annotations

import pytest

from tensorboard_memleak.model.shapes import Shape


@pytest.mark.parametrize(
    ("shape", "size_bytes"),
    [
        (Shape("f32", (512, 32000)), 65_536_000),
        (Shape("bf16", ()), 2),
        (Shape("pred", (3,)), 3),
        (Shape("c128", (2, 2)), 64),
        (Shape("s4", (9,)), 9),
        (Shape("s4", (9,), packed_bits=4), 5),
        (Shape("f32", (0, 7)), 0),
        (Shape("token"), 0),
        (Shape("tuple", parts=(Shape("f32", (2,)), Shape("tuple"))), 16),
        (Shape("type99", (2,)), None),
        (Shape("f32", (-1, 2)), None),
    ],
)
def test_unpadded_bytes(shape: Shape, size_bytes: int | None) -> None:
    assert shape.unpadded_bytes == size_bytes


def test_text_is_xlas_notation() -> None:
    array = Shape("f32", (512, 16), layout="{1,0:T(8,128)S(1)}")
    assert array.text == "f32[512,16]{1,0:T(8,128)S(1)}"
    assert Shape("tuple", parts=(array, Shape("s32"))).text == f"({array.text}, s32[])"


def test_parts_are_found_by_index() -> None:
    inner = Shape("s32", (4,))
    nested = Shape("tuple", parts=(Shape("f32"), Shape("tuple", parts=(inner,))))
    assert nested.part(()) is nested
    assert nested.part((1, 0)) is inner
    assert nested.part((1, 1)) is None
    assert nested.part((-1,)) is None
    assert nested.leaves() == [((0,), Shape("f32")), ((1, 0), inner)]
    assert inner.leaves() == [((), inner)]
