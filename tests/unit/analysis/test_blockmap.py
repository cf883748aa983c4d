from __future__ import annotations

from itertools import pairwise, product
from string import ascii_lowercase

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.blockmap import block_map
from tensorboard_memleak.analysis.compact_axis import compact_axis
from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.model.blocks import BlockEnd
from tests.histories import KEPT_BYTES, PASSING_BYTES, STEP_PS, leaking_capture
from tests.unit.analysis.analysed import analysed
from tests.window_builder import STEP_PS as WINDOW_STEP_PS
from tests.window_builder import Window

extents = st.lists(st.tuples(st.integers(0, 2**48), st.integers(1, 2**30)), max_size=40)


def test_each_block_is_one_rectangle_where_there_is_room() -> None:
    found = block_map(analysed(leaking_capture(3)), 0, 3 * STEP_PS, None, None, 10**6, 10**6)

    assert found.blocks == len(found) == 6
    assert found.count.tolist() == [1] * 6
    assert found.end.tolist() == [BlockEnd.FREED] * 3 + [BlockEnd.SURVIVED] * 3
    assert found.size_bytes.tolist() == [PASSING_BYTES] * 3 + [KEPT_BYTES] * 3
    assert found.start_ps.tolist()[:3] == [step * STEP_PS + 2_000_000 for step in range(3)]


def test_small_ones_are_merged_and_survivors_only_with_survivors() -> None:
    found = block_map(analysed(leaking_capture(1000)), 0, 1000 * STEP_PS, None, None, 20, 20)

    assert found.blocks == 2000
    assert int(found.count.sum()) == 2000
    assert len(found) < 200
    survivors = found.end == BlockEnd.SURVIVED
    assert int(found.count[survivors].sum()) == 1000
    assert set(found.site[survivors].tolist()) == {0}


def test_a_part_of_the_picture_holds_what_touches_it() -> None:
    analysis = analysed(leaking_capture(12))

    found = block_map(analysis, 0, STEP_PS // 2, None, None, 1000, 1000)

    assert found.block.tolist() == [1, 0]  # the first step's two, the survivor on top
    assert block_map(analysis, 0, STEP_PS, 0, PASSING_BYTES, 1000, 1000).block.tolist() == [1]


def test_sites_are_given_up_before_the_picture_gets_untrue_and_those_of_survivors_last() -> None:
    window = Window(steps=100)
    for number, (first, second) in enumerate(product(ascii_lowercase[:15], ascii_lowercase[:20])):
        born = number / 3
        window.block(first + second, 64, born=born, freed=born + 0.01, address=0x800)
        if number % 100 == 0:
            window.block(f"kept {first}", 64, born=born)
    analysis = diagnose(window.trace()).memories[0]

    found = block_map(analysis, 0, 100 * WINDOW_STEP_PS, None, None, 50, 50, most=100)

    assert (found.cell_ps, found.blocks) == (2 * WINDOW_STEP_PS, 303)
    assert len(found) <= 100
    survivors = found.end == BlockEnd.SURVIVED
    kept = [analysis.sites.sites[site].op for site in found.site[survivors].tolist()]
    assert kept == ["kept a", "kept f", "kept k"]
    several = found.count > 1
    assert set(found.site[several].tolist()) == {-1}


stories = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 9), st.integers(0, 900), st.booleans()),
    min_size=1,
)


@given(stories, st.integers(1, 60), st.integers(1, 60), st.sampled_from([24, 60, 10_000]))
def test_whatever_is_merged_every_block_is_covered_and_none_too_many_are_drawn(
    story: list[tuple[str, int, int, bool]], width: int, height: int, most: int
) -> None:
    window = Window(steps=10)
    for op, size, at, stays in story:
        window.block(op, size * 256, born=at / 100, freed=None if stays else at / 100 + size / 20)
    analysis = diagnose(window.trace()).memories[0]
    blocks = analysis.blocks

    found = block_map(analysis, 0, 10 * WINDOW_STEP_PS, None, None, width, height, most)

    assert len(found) <= most
    assert int(found.count.sum()) == found.blocks == len(story)
    offset, _, _ = compact_axis(blocks.address, blocks.allocation_bytes)
    for row in range(len(blocks)):
        covered = (
            (found.end == blocks.end[row])
            & (found.start_ps <= blocks.born_ps[row])
            & (found.end_ps >= blocks.freed_ps[row])
            & (found.offset <= offset[row])
            & (found.offset + found.size_bytes >= offset[row] + blocks.allocation_bytes[row])
        )
        assert covered.any()


@given(extents)
def test_the_compact_axis_keeps_every_distance_inside_a_region(
    blocks: list[tuple[int, int]],
) -> None:
    address = np.array([one[0] for one in blocks], np.uint64)
    size = np.array([one[1] for one in blocks], np.int64)

    offset, regions, length = compact_axis(address, size)

    for start, bytes_, place in zip(address.tolist(), size.tolist(), offset.tolist(), strict=True):
        (region,) = (one for one in regions if one.address <= start < one.address + one.size_bytes)
        assert place - region.offset == start - region.address
        assert place + bytes_ <= region.offset + region.size_bytes <= length
    assert all(a.offset + a.size_bytes <= b.offset for a, b in pairwise(regions))


def test_far_pools_stand_beside_each_other() -> None:
    address = np.array([0x1000, 0x7F00_0000_0000], np.uint64)

    offset, regions, length = compact_axis(address, np.array([256, 256], np.int64))

    assert offset.tolist() == [0, 256]
    assert [one.address for one in regions] == [0x1000, 0x7F00_0000_0000]
    assert length == 512


def test_addresses_reach_to_the_last_one_there_is() -> None:
    address = np.array([2**64 - 256, 2**64 - 1, 0], np.uint64)

    offset, regions, length = compact_axis(address, np.array([512, 4096, 256], np.int64))

    assert offset.tolist() == [256, 511, 0]
    assert [(one.address, one.size_bytes) for one in regions] == [(0, 256), (2**64 - 256, 255)]
    assert length == 511


def test_each_rectangle_tells_its_region_and_several_regions_none() -> None:
    window = Window(steps=2)
    for place, region in enumerate(("temp", "output", "")):
        window.block("Op", 64, born=0.1 + place / 10, address=64 * place, region=region)
    trace = window.trace()
    analysis = diagnose(trace).memories[0]

    apart = block_map(analysis, 0, 2 * WINDOW_STEP_PS, None, None, 10**6, 10**6)
    together = block_map(analysis, 0, 2 * WINDOW_STEP_PS, None, None, 1, 1)

    assert [trace.strings[one] for one in apart.region.tolist()] == ["temp", "output", ""]
    assert together.region.tolist() == [-1]
