from __future__ import annotations

from tensorboard_memleak.analysis.frames import naming_frame, readable
from tensorboard_memleak.analysis.pairing import pair
from tensorboard_memleak.analysis.sites import find_sites
from tensorboard_memleak.analysis.steps import find_steps, steps_of_blocks
from tensorboard_memleak.model.findings import Sites
from tests.window_builder import Window

JIT = (
    "$loop.py:3 fit",
    "PjitFunction(step)",
    "PJRT_LoadedExecutable_Execute",
    "Build buffer allocations",
)


def sites_of(window: Window) -> Sites:
    trace = window.trace()
    events = trace.memories[0].events
    blocks = pair(events, trace.start_ps, trace.end_ps)
    return find_sites(trace, events, blocks, steps_of_blocks(find_steps(trace), blocks))


def test_a_site_is_an_op_and_its_variants_are_shapes_and_requests() -> None:
    window = Window(steps=4)
    for step in range(4):
        window.block(
            "Relu", 64 * (1 + step % 2), born=step + 0.1, shape=f"[{step % 2}]", dtype="float"
        )
        window.block("Mul", 64, born=step + 0.2, shape="[9]", dtype="float", region="temp")
    sites = sites_of(window)
    assert [(one.op, one.shape, one.dtype, one.region) for one in sites.sites] == [
        ("Relu", "", "float", ""),
        ("Mul", "[9]", "float", "temp"),
    ]
    assert sites.of_block.tolist() == [0, 1] * 4
    assert sites.variants.site.tolist() == [0, 1, 0]
    assert sites.variants.requested_bytes.tolist() == [64, 64, 128]
    assert sites.variant_of_block.tolist() == [0, 1, 2, 1, 0, 1, 2, 1]


def test_chunks_that_the_allocator_rounds_differently_are_one_variant() -> None:
    window = Window(steps=3)
    for step, chunk in enumerate((65536, 65792, 131072)):
        window.block("Relu", 65536, born=step + 0.1, size=chunk)
    assert len(sites_of(window).variants) == 1


def test_without_an_op_the_stack_is_the_site_and_the_program_names_it() -> None:
    window = Window(steps=2)
    for step in range(2):
        window.block("", 64, born=step + 0.1, stack=JIT)
        window.block("", 64, born=step + 0.2, stack=("$loop.py:3 fit", "$data.py:9 load"))
    sites = sites_of(window).sites
    assert [(one.op, one.source) for one in sites] == [
        ("PjitFunction(step)", "stack"),
        ("load (data.py:9)", "stack"),
    ]
    assert sites[0].stack == JIT[::-1]
    assert sites[0].unknown_why.startswith("the profile names no op here")
    assert not sites[0].unknown_why.endswith("no Python frames")


def test_a_thread_without_python_frames_is_said_to_have_none() -> None:
    window = Window(steps=1)
    window.block("", 64, born=0.1, stack=("PjitFunction(step)",), thread=1)
    (site,) = sites_of(window).sites
    assert site.unknown_why.endswith("its thread has no Python frames")


def test_stacks_that_differ_in_a_counter_are_one_site() -> None:
    window = Window(steps=6)
    for step in range(6):
        window.block("", 64, born=step + 0.1, stack=(f"batch {step}", "PjitFunction(f)"))
    assert len(sites_of(window).sites) == 1


def test_python_lines_are_no_counters() -> None:
    window = Window(steps=6)
    for step in range(6):
        window.block("", 64, born=step + 0.1, stack=(f"$a.py:{step} f",))
    assert len(sites_of(window).sites) == 6


def test_without_op_and_stack_the_thread_is_the_site() -> None:
    window = Window(steps=1)
    window.block("", 64, born=0.1, thread=1)
    window.block("", 64, born=0.2, thread=-1)
    sites = sites_of(window).sites
    assert [(one.op, one.source, bool(one.unknown_why)) for one in sites] == [
        ("worker", "thread", True),
        ("", "unknown", True),
    ]


def test_blocks_from_before_the_window_have_no_site() -> None:
    window = Window(steps=1)
    window.block("", 64, born=None, freed=0.5)
    sites = sites_of(window)
    assert (sites.of_block.tolist(), sites.variant_of_block.tolist(), sites.sites) == (
        [-1],
        [-1],
        (),
    )


def test_a_site_shows_the_stack_and_thread_of_most_of_its_blocks() -> None:
    window = Window(steps=3)
    window.block("Relu", 64, born=0.1, stack=("a",), thread=1)
    window.block("Relu", 64, born=1.1, stack=("b",), thread=1)
    window.block("Relu", 64, born=2.1, stack=("b",), thread=0)
    (site,) = sites_of(window).sites
    assert (site.stack, site.thread) == (("b",), "worker")


def test_frames_of_the_runtime_do_not_name_a_site() -> None:
    assert naming_frame(JIT[::-1]) == "PjitFunction(step)"
    assert naming_frame(("Build buffer allocations",)) == "Build buffer allocations"
    assert naming_frame(()) == ""


def test_a_python_frame_says_that_its_line_is_that_of_the_function() -> None:
    assert readable("$model.py:41 train_step") == "train_step (model.py:41)"
    assert readable("PjitFunction(f)") == "PjitFunction(f)"
