"""Whose code a frame is, by what the two kinds of stacks tell."""

from __future__ import annotations

import pytest

from tensorboard_memleak.analysis.own_code import is_own, own_functions

SITE = "/venv/lib/python3.11/site-packages"


@pytest.mark.parametrize(
    ("frame", "own"),
    [
        ("$tf_kept.py:48 remember_prediction", True),
        ("$layers.py:23 __call__", True),
        ("$gen_nn_ops.py:11560 relu", False),
        ("$math_ops.py:1 matmul", False),
        ("$resource_variable_ops.py:1 read", False),
        ("$polymorphic_function.py:1 __call__", False),
        ("$trainer.py:1 fit", False),
        ("$pjit.py:139 _run_python_pjit", False),
        ("$_stablehlo_ops_gen.py:1 add", False),
        ("$tensorflow.python._pywrap_tfe TFE_Py_FastPathExecute", False),
        ("$builtins len", False),
        ("PjitFunction(step)", False),
        ("train", False),
        ("/app/jax_cases.py:12 append", True),
        ("/app/core.py:12 append", True),
        ("jax_programs.py:49 remember_output", True),
        (f"{SITE}/jax/_src/pjit.py:139 _run_python_pjit", False),
        (f"{SITE}/tensorflow/python/eager/execute.py:1 quick_execute", False),
        ("jax/_src/compiler.py:353 backend_compile_and_load", False),
        ("<frozen runpy>:88 _run_code", False),
    ],
)
def test_whose_code_a_frame_is(frame: str, own: bool) -> None:
    assert is_own(frame) is own


def test_the_innermost_functions_are_named_without_their_folders() -> None:
    stack = (
        "EagerExecute",
        "$gen_nn_ops.py:11560 relu",
        "$model.py:41 train_step",
        "$loop.py:88 fit",
        "$main.py:1 main",
    )
    assert own_functions(stack) == ["train_step (model.py:41)", "fit (loop.py:88)"]
    assert own_functions(["/app/cases/jax_cases.py:12 append"]) == ["append (jax_cases.py:12)"]


def test_what_says_little_is_named_only_where_there_is_nothing_else() -> None:
    stack = ("$layers.py:23 __call__", "$train.py:48 keep", "$train.py:9 <module>")
    assert own_functions(stack) == ["keep (train.py:48)"]
    assert own_functions(["/app/main.py:3 <module>", "/app/x.py:1 <lambda>"]) == [
        "<module> (main.py:3)"
    ]
    assert own_functions(["EagerExecute", "$gen_nn_ops.py:1 relu"]) == []


def test_a_function_that_calls_itself_is_named_once() -> None:
    assert own_functions(["$a.py:1 f", "$a.py:1 f", "$b.py:2 g"]) == ["f (a.py:1)", "g (b.py:2)"]
