from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.address_picture import MIXED, address_picture
from tensorboard_memleak.analysis.addresses import Use
from tensorboard_memleak.analysis.blockmap import block_map
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.live import alive_at
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.trace import HostTrace
from tests.accuracy.simulate import simulate
from tests.window_builder import STEP_PS, Window

TERABYTE = 1 << 40


def analysed(trace: HostTrace) -> MemoryAnalysis:
    (memory,) = diagnose(trace).memories
    return memory


def neighbours() -> Window:
    """Four neighbours, of which the first and third go, and one a terabyte away."""
    window = Window(steps=4)
    for place, freed in enumerate((0.5, None, 0.6, None)):
        region = "temp" if place == 1 else "output"
        born = 0.1 + place / 100
        window.block("Op", 256, born=born, freed=freed, address=256 * place, region=region)
    window.block("Far", 256, born=0.2, address=TERABYTE)
    return window


def test_pieces_lie_on_the_axis_of_the_block_map() -> None:
    memory = analysed(neighbours().trace())

    found = address_picture(memory, STEP_PS, 10**6)

    assert found.offset.tolist() == [0, 256, 512, 768, 1024]
    assert found.size_bytes.tolist() == [256] * 5
    assert found.use.tolist() == [Use.FREE, Use.IN_USE, Use.FREE, Use.IN_USE, Use.IN_USE]
    assert found.block.tolist() == [-1, 1, -1, 3, 4]
    assert found.regions == block_map(memory, 0, STEP_PS, None, None, 10, 10).regions
    assert found.length_bytes == 1280


def test_a_pixel_tells_exactly_how_much_of_it_is_in_use() -> None:
    memory = analysed(neighbours().trace())

    found = address_picture(memory, STEP_PS, 2)  # cells of 640 bytes

    assert found.cell_bytes == 640
    assert found.offset.tolist() == [0, 768]
    assert found.use.tolist() == [MIXED, Use.IN_USE]
    assert found.used_bytes.tolist() == [256, 512]
    assert found.count.tolist() == [1, 2]
    assert found.block.tolist() == [-1, -1]
    assert found.oldest.tolist() == [1, 3]
    assert (found.pieces, len(found)) == (5, 2)


def test_blocks_of_one_piece_share_a_site_or_have_none() -> None:
    window = Window(steps=1)
    for place, op in enumerate("aab"):
        window.block(op, 64, born=0.1 + place / 10, address=64 * place, region=op)
    memory = analysed(window.trace())

    apart = address_picture(memory, STEP_PS, 192)
    together = address_picture(memory, STEP_PS, 1)

    assert apart.site[0] == apart.site[1] != apart.site[2]
    assert together.site.tolist() == [-1]
    assert together.region.tolist() == [-1]
    assert together.count.tolist() == [3]
    assert together.oldest.tolist() == [0]
    assert together.end.tolist() == [BlockEnd.SURVIVED]


@pytest.mark.parametrize("pixels", [1, 7, 200, 10_000])
def test_nothing_is_lost_and_few_pieces_are_sent(pixels: int) -> None:
    memory = analysed(simulate(seed=3, steps=20, leaks=1).trace)
    time = memory.steps.end_ps[10]

    found = address_picture(memory, int(time), pixels)

    blocks = memory.blocks
    alive = alive_at(blocks, int(time)) & (blocks.allocation_bytes > 0)
    assert int(found.size_bytes.sum()) == found.length_bytes
    assert int(found.used_bytes.sum()) == int(blocks.allocation_bytes[alive].sum())
    assert len(found) <= 2 * pixels + 1


def test_a_memory_without_blocks_has_no_pieces() -> None:
    memory = analysed(Window(steps=1).trace())

    assert len(address_picture(memory, 0, 100)) == 0
