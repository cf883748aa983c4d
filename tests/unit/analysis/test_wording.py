from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.advice import Framework, advice_for, without_functions
from tensorboard_memleak.analysis.framework import framework_of
from tensorboard_memleak.analysis.wording import count_text, ordinal, site_text
from tensorboard_memleak.model.findings import FindingKind, Site
from tests.window_builder import Window


def test_counts_agree_with_their_noun() -> None:
    assert [count_text(n, "block") for n in (0, 1, 1234)] == [
        "0 blocks",
        "1 block",
        "1\u202f234 blocks",
    ]
    assert count_text(2, "address was", "addresses were") == "2 addresses were"


def test_ordinals() -> None:
    said = [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102.4)]
    assert said == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd"]


def site(op: str, shape: str = "", dtype: str = "") -> Site:
    return Site(op, shape, dtype, "", "", (), "op")


def test_a_site_is_named_by_what_is_known_of_it() -> None:
    assert site_text(site("Relu", "[128,256]", "float32")) == "Relu [128,256] float32"
    assert site_text(site("Relu", "f32[8]{0}", "")) == "Relu f32[8]{0}"
    assert site_text(site("")) == "an unknown origin"


def test_advice_speaks_the_language_of_the_framework() -> None:
    said = {name: advice_for("growth", name) for name in ("jax", "tensorflow", "pytorch_xla", "")}  # type: ignore[arg-type]
    assert len(set(said.values())) == 4
    assert "jax.device_get" in said["jax"]
    assert ".numpy()" in said["tensorflow"]
    assert "detach()" in said["pytorch_xla"]


@pytest.mark.parametrize("framework", ["jax", "tensorflow", "pytorch_xla", ""])
@pytest.mark.parametrize(
    "kind", ["growth", "retained", "bounded", "delayed_free", "in_flight", "fragmentation"]
)
def test_every_kind_has_advice_in_every_framework(kind: FindingKind, framework: Framework) -> None:
    text = advice_for(kind, framework)
    assert text.endswith(".")
    assert len(text) < 500, "a terminal shows no more of a text"
    assert without_functions(text) == text


def test_other_texts_are_no_advice() -> None:
    assert without_functions("Ask the author of secret_model.py.") == ""


@pytest.mark.parametrize("framework", ["jax", "tensorflow", "pytorch_xla", ""])
@pytest.mark.parametrize("by_size", [False, True])
def test_advice_on_growth_names_the_functions_to_look_at(
    framework: Framework, by_size: bool
) -> None:
    functions = ["train_step (model.py:41)", "fit (loop.py:88)"]
    text = advice_for("growth", framework, by_size, functions)
    assert "in train_step (model.py:41) or fit (loop.py:88)." in text
    assert len(text) < 500, "a terminal shows no more of a text"
    assert without_functions(text) == advice_for("growth", framework, by_size)


def test_advice_on_what_does_not_grow_names_nobody() -> None:
    assert advice_for("retained", "jax", functions=["f (a.py:1)"]) == advice_for("retained", "jax")


def test_growth_by_size_is_advised_apart() -> None:
    assert "write into it" in advice_for("growth", "", by_size=True)
    assert "dynamic_update_slice" in advice_for("growth", "jax", by_size=True)


def with_text(text: str, op: str = "") -> Window:
    window = Window(steps=1)
    window.block(op, 64, born=0.1, stack=(text,) if text else ())
    return window


@pytest.mark.parametrize(
    ("text", "framework"),
    [
        ("PjitFunction(step)", "jax"),
        ("EagerLocalExecute: Relu", "tensorflow"),
        ("SyncTensorsGraph", "pytorch_xla"),
        ("something else", ""),
    ],
)
def test_a_framework_is_known_by_its_trace_events(text: str, framework: str) -> None:
    assert framework_of(with_text(text).trace()) == framework


def test_annotated_ops_are_those_of_tensorflow() -> None:
    assert framework_of(with_text("", op="MatMul").trace()) == "tensorflow"
