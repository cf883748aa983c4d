from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tensorboard_memleak.analysis.diagnose import diagnose
from tensorboard_memleak.analysis.flame import FlameTree, Grouping, Measure, flame_tree
from tensorboard_memleak.analysis.program.block_modules import block_modules
from tensorboard_memleak.model.analysis import MemoryAnalysis
from tensorboard_memleak.model.blocks import BlockEnd
from tensorboard_memleak.model.trace import HostTrace
from tests.window_builder import STEP_PS, Window, spans

TRAIN = ("train", "$model.py:7 forward")


def analysed(window: Window) -> tuple[HostTrace, MemoryAnalysis]:
    trace = window.trace()
    return trace, diagnose(trace).memories[0]


def everything(
    window: Window,
    by: Grouping = "stack",
    measure: Measure = "bytes",
    most_nodes: int = 100,
) -> FlameTree:
    trace, analysis = analysed(window)
    chosen = np.ones(len(analysis.blocks), bool)
    return told(flame_tree(trace, analysis, chosen, by, measure, most_nodes))


def told(tree: FlameTree | None) -> FlameTree:
    assert tree is not None
    return tree


def paths(tree: FlameTree) -> dict[str, tuple[int, int]]:
    """The path of each node with its bytes and blocks, the largest first."""
    names: list[str] = [""]
    for frame, parent in zip(tree.frame[1:], tree.parent.tolist()[1:], strict=True):
        names.append(f"{names[parent]} > {frame}".removeprefix(" > "))
    return dict(
        zip(names, zip(tree.bytes.tolist(), tree.blocks.tolist(), strict=True), strict=True)
    )


def test_what_an_op_holds_stands_below_its_stack() -> None:
    window = Window(steps=4)
    window.block("Relu", 512, born=0.2, stack=TRAIN)
    window.block("Relu", 512, born=1.2, stack=TRAIN)
    window.block("Mul", 256, born=1.3, stack=("train",))

    assert paths(everything(window)) == {
        "": (1280, 3),
        "train": (1280, 3),
        "train > $model.py:7 forward": (1024, 2),
        "train > $model.py:7 forward > Relu": (1024, 2),
        "train > Mul": (256, 1),
    }


def test_one_site_stands_at_every_stack_that_it_was_allocated_from() -> None:
    window = Window(steps=4)
    window.block("Relu", 512, born=0.2, stack=("train",))
    window.block("Relu", 256, born=1.2, stack=("evaluate",))

    tree = everything(window)

    assert paths(tree) == {
        "": (768, 2),
        "train": (512, 1),
        "train > Relu": (512, 1),
        "evaluate": (256, 1),
        "evaluate > Relu": (256, 1),
    }
    assert tree.site.tolist() == [-1, -1, 0, -1, 0]


def test_a_stack_that_names_its_site_is_the_end_of_the_path() -> None:
    window = Window(steps=4)
    window.block("", 512, born=0.2, stack=TRAIN)

    tree = everything(window)

    assert list(paths(tree)) == ["", "train", "train > $model.py:7 forward"]
    assert tree.site.tolist() == [-1, -1, 0]


def test_frames_that_differ_in_a_counter_are_one() -> None:
    window = Window(steps=12)
    for step in range(12):
        window.block("Relu", 512, born=step + 0.2, stack=("train", f"batch {step}"))

    assert paths(everything(window))["train > batch * > Relu"] == (12 * 512, 12)


def test_counters_are_told_by_all_blocks_and_not_by_the_chosen_ones() -> None:
    window = Window(steps=12)
    for step in range(12):
        freed = None if step == 3 else step + 0.5
        window.block("Relu", 512, born=step + 0.2, freed=freed, stack=(f"batch {step}",))
    trace, analysis = analysed(window)

    survivors = told(flame_tree(trace, analysis, analysis.blocks.end == BlockEnd.SURVIVED))

    assert paths(survivors) == {"": (512, 1), "batch *": (512, 1), "batch * > Relu": (512, 1)}


def test_without_a_stack_the_thread_is_told() -> None:
    window = Window(steps=2)
    window.block("Relu", 512, born=0.2, thread=1)
    window.block("", 256, born=0.3, thread=0)

    assert paths(everything(window)) == {
        "": (768, 2),
        "thread worker": (512, 1),
        "thread worker > Relu": (512, 1),
        "thread python": (256, 1),
    }


def test_the_scopes_of_an_op_are_its_path() -> None:
    window = Window(steps=2)
    window.block("net/dense/MatMul", 512, born=0.2)
    window.block("net/dense", 256, born=0.3)
    window.block("", 128, born=0.4, stack=("load a/b",))

    assert paths(everything(window, by="op")) == {
        "": (896, 3),
        "net": (768, 2),
        "net > dense": (256, 1),  # the op of that name, beside the scope of that name
        "net > dense > MatMul": (512, 1),
        "load a/b": (128, 1),
    }


def by_module(window: Window, runs: list[tuple[str, int, int, int]]) -> FlameTree:
    """The tree by module, where module runs are (name, start, end, thread) in thousandths."""
    trace = window.trace()
    strings = {text: index for index, text in enumerate(trace.strings)}
    rows = [
        (name, start * STEP_PS // 1000, end * STEP_PS // 1000, -1) for name, start, end, _ in runs
    ]
    ran = spans(strings, rows, [thread for *_, thread in runs])
    trace = replace(trace, module_runs=ran, strings=tuple(strings))
    analysis = diagnose(trace).memories[0]
    chosen = np.ones(len(analysis.blocks), bool)
    modules = block_modules(trace, analysis, [])
    return told(flame_tree(trace, analysis, chosen, "module", modules=modules))


def test_the_module_is_that_of_the_run_around_the_allocation() -> None:
    window = Window(steps=2)
    window.block("", 4096, born=None, freed=0.25)  # of an earlier time: no module is known
    window.block("dot", 1024, born=0.2)
    window.block("add", 512, born=0.25, freed=1.2)
    window.block("dot", 128, born=0.5)
    window.block("Relu", 64, born=0.6)  # between runs
    window.block("Relu", 32, born=0.25, thread=1)  # beside a run, on another thread

    tree = by_module(window, [("jit_f", 100, 300, 0), ("jit_g", 400, 550, 0)])

    assert paths(tree) == {
        "": (1760, 5),
        "jit_f": (1536, 2),
        "jit_f > dot": (1024, 1),
        "jit_f > add": (512, 1),
        "jit_g": (128, 1),
        "jit_g > dot": (128, 1),
        "no compiled module": (96, 2),
        "no compiled module > Relu": (96, 2),
    }


def test_without_runs_nothing_has_a_module() -> None:
    window = Window(steps=2)
    window.block("Relu", 64, born=0.6)

    assert paths(by_module(window, [])) == {
        "": (64, 1),
        "no compiled module": (64, 1),
        "no compiled module > Relu": (64, 1),
    }


def test_blocks_from_before_the_window_have_no_place() -> None:
    window = Window(steps=2)
    window.block("", 512, born=None, freed=0.5)
    window.block("Relu", 256, born=0.6)

    assert paths(everything(window, by="op")) == {"": (256, 1), "Relu": (256, 1)}


def test_bytes_that_last_rank_before_more_bytes_that_do_not() -> None:
    window = Window(steps=10)
    window.block("Short", 4096, born=1.0, freed=2.0)
    window.block("Long", 1024, born=1.0, freed=9.0)

    tree = everything(window, by="op", measure="byte_seconds")

    assert tree.frame == ("", "Long", "Short")
    step_seconds = STEP_PS / 1e12
    assert tree.byte_seconds.tolist() == pytest.approx(
        [12288 * step_seconds, 8192 * step_seconds, 4096 * step_seconds]
    )


def test_what_is_too_small_stays_in_the_sums_above_it() -> None:
    window = Window(steps=2)
    for size in (1024, 512, 256):
        window.block(f"Op{size}", size, born=0.2, stack=("train",))

    tree = everything(window, most_nodes=3)

    assert list(paths(tree).values()) == [(1792, 3), (1792, 3), (1024, 1)]
    assert tree.left_out == 2


def below(window: Window, *path: str, most_nodes: int = 100) -> FlameTree | None:
    trace, analysis = analysed(window)
    chosen = np.ones(len(analysis.blocks), bool)
    return flame_tree(trace, analysis, chosen, most_nodes=most_nodes, below=path)


def test_below_a_frame_is_told_what_was_too_small_beside_the_others() -> None:
    window = Window(steps=2)
    for size in (1024, 512, 256):
        window.block(f"Op{size}", size, born=0.2, stack=("train",))
    window.block("Small", 8, born=0.3, stack=("evaluate", "inner"))
    window.block("Smaller", 4, born=0.3, stack=("evaluate", "inner"))

    tree = told(below(window, "evaluate", most_nodes=4))

    assert paths(tree) == {
        "": (1804, 5),
        "evaluate": (12, 2),
        "evaluate > inner": (12, 2),
        "evaluate > inner > Small": (8, 1),
    }
    assert tree.left_out == 1
    assert below(window, "nowhere") is None


def test_frames_of_one_name_have_numbers_by_their_size() -> None:
    window = Window(steps=2)
    window.block("net/dense/MatMul", 512, born=0.2)
    window.block("net/dense", 256, born=0.3)
    trace, analysis = analysed(window)
    chosen = np.ones(len(analysis.blocks), bool)

    def ends(*path: str) -> dict[str, tuple[int, int]]:
        return paths(told(flame_tree(trace, analysis, chosen, "op", below=path)))

    assert list(ends("net", "dense"))[1:] == ["net", "net > dense", "net > dense > MatMul"]
    assert ends("net", "dense (2)") == {"": (768, 2), "net": (768, 2), "net > dense": (256, 1)}


def test_nothing_chosen_is_a_root_alone() -> None:
    window = Window(steps=2)
    window.block("Relu", 256, born=0.6, freed=0.7)
    trace, analysis = analysed(window)

    tree = told(flame_tree(trace, analysis, np.zeros(len(analysis.blocks), bool)))

    assert (tree.parent.tolist(), tree.bytes.tolist(), tree.left_out) == ([-1], [0], 0)


stacks = st.lists(st.sampled_from("abc"), max_size=4).map(tuple)
some_blocks = st.lists(st.tuples(stacks, st.sampled_from(["", "f", "g/h"]), st.integers(1, 9)))


@given(some_blocks.filter(bool), st.integers(1, 40), st.sampled_from(["stack", "op", "module"]))
def test_every_tree_adds_up(
    blocks: list[tuple[tuple[str, ...], str, int]], most_nodes: int, by: Grouping
) -> None:
    window = Window(steps=3)
    for place, (stack, op, size) in enumerate(blocks):
        window.block(op, size, born=0.1 + place / 1000, stack=stack)

    tree = everything(window, by=by, most_nodes=most_nodes)

    assert tree.bytes[0] == sum(size for _, _, size in blocks)
    assert tree.blocks[0] == len(blocks)
    assert len(tree) + tree.left_out >= len(tree) <= most_nodes
    assert np.all(tree.parent[1:] < np.arange(1, len(tree)))
    below = np.bincount(tree.parent[1:], tree.bytes[1:], minlength=len(tree))
    assert np.all(below <= tree.bytes)
    if not tree.left_out:
        ends = tree.site >= 0
        assert int((tree.bytes - below)[ends].sum()) == tree.bytes[0]
