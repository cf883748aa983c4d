from __future__ import annotations

import numpy as np

from tensorboard_memleak.analysis.naming import NUMBER, without_counters


def stripped(uses: list[tuple[str, int]], **how: object) -> dict[str, str]:
    """Strip names used in steps; return what each became."""
    names = list(dict.fromkeys(name for name, _ in uses))
    name = np.array([names.index(one) for one, _ in uses], np.int64)
    step = np.array([step for _, step in uses], np.int32)
    return dict(zip(names, without_counters(names, name, step, **how), strict=True))  # type: ignore[arg-type]


def test_a_suffix_that_is_new_each_step_counts_instances() -> None:
    uses = [(f"adam_{n}/sequential_{n}/dense_{2 * n}/Relu", n) for n in range(1, 7)]
    assert set(stripped(uses).values()) == {"adam/sequential/dense/Relu"}


def test_a_suffix_that_comes_back_is_part_of_the_name() -> None:
    uses = [(name, step) for step in range(6) for name in ("Conv2D", "Conv2D_1", "Conv2D_2")]
    assert stripped(uses) == {name: name for name in ("Conv2D", "Conv2D_1", "Conv2D_2")}


def test_only_the_counting_place_of_a_name_is_taken_off() -> None:
    uses = [(f"model_{step}/layer_{layer}/Relu", step) for step in range(5) for layer in (1, 2)]
    assert set(stripped(uses).values()) == {"model/layer_1/Relu", "model/layer_2/Relu"}


def test_the_first_instance_has_no_number_and_joins_the_others() -> None:
    uses = [("dense/Relu", 0), *[(f"dense_{n}/Relu", n) for n in range(1, 5)]]
    assert set(stripped(uses).values()) == {"dense/Relu"}


def test_counters_inside_a_part_of_a_name_are_found() -> None:
    uses = [(f"adam/sequential_{n}_dense_{n}_kernel_momentum", n) for n in range(6)]
    assert set(stripped(uses).values()) == {"adam/sequential_dense_kernel_momentum"}


def test_a_layer_used_every_other_step_keeps_its_number() -> None:
    uses = [("block_1/Relu", step) for step in range(10)]
    uses += [("block_2/Relu", step) for step in range(0, 10, 2)]
    assert stripped(uses) == {"block_1/Relu": "block_1/Relu", "block_2/Relu": "block_2/Relu"}


def test_a_single_step_strips_nothing() -> None:
    uses = [("layer_1/Relu", 0), ("layer_2/Relu", 0)]
    assert stripped(uses) == {"layer_1/Relu": "layer_1/Relu", "layer_2/Relu": "layer_2/Relu"}


def test_numbers_in_trace_events_become_a_star() -> None:
    uses = [(f"batch {n}", n) for n in range(5)]
    assert set(stripped(uses, number=NUMBER, instead="*").values()) == {"batch *"}


def test_an_op_that_is_a_number_is_not_taken_for_a_counter() -> None:
    assert stripped([("3", 0), ("3", 1)]) == {"3": "3"}
