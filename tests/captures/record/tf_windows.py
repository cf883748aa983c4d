"""Windows that make judging hard: no markers, too few steps, cut in mid-step; input pipelines."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tests.captures.record.layers import ACTIVATION_BYTES, WIDTH, Dense, batch
from tests.captures.record.registry import clean, leak, no_events, scenario
from tests.captures.record.tf_window import Window

CANNOT_TELL = ("inconclusive",)
NOT_A_LEAK = ("no_leak", "inconclusive")
EVALUATION_ROWS = 512
PIPELINE_ROWS = 8


def prediction_keeper(fixed: bool) -> Any:
    """A step that trains and keeps its prediction; fixed: the host copy."""
    layer, inputs, predictions = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        layer.train(inputs)
        prediction = layer(inputs)
        predictions.append(prediction.numpy() if fixed else prediction)

    return step


@scenario(
    "predictions are kept, and nothing marks the steps; fixed: host copies",
    leaky=leak("Relu", survivors=20, accept=("leak", "inconclusive")),
    fixed=clean(),
)
def no_step_markers(window: Window, fixed: bool) -> None:
    window.run_unmarked(prediction_keeper(fixed), steps=20)


@scenario(
    "predictions are kept, and the window holds one step: nobody can tell; fixed: host copies",
    leaky=leak("Relu", survivors=1, accept=CANNOT_TELL),
    fixed=clean(accept=NOT_A_LEAK),
)
def one_step(window: Window, fixed: bool) -> None:
    window.run(prediction_keeper(fixed), steps=1)


@scenario(
    "predictions are kept, and the window holds two steps: nobody can tell; fixed: host copies",
    leaky=leak("Relu", survivors=2, accept=CANNOT_TELL),
    fixed=clean(accept=NOT_A_LEAK),
)
def two_steps(window: Window, fixed: bool) -> None:
    window.run(prediction_keeper(fixed), steps=2)


@scenario(
    "predictions are kept, and the window starts and ends in the middle of a step; fixed: host"
    " copies",
    # `hidden` of the step that stops the window is alive then.
    leaky=leak("Relu", survivors=20 + 1, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=1),
)
def cut_in_mid_step(window: Window, fixed: bool) -> None:
    layer, inputs, predictions = Dense(), batch(), list[Any]()

    def step(number: int) -> None:
        hidden = layer(inputs)
        if number == 3:
            window.start()
        if number == 23:
            window.stop()
        layer.train(inputs)
        prediction = layer(hidden)
        predictions.append(prediction.numpy() if fixed else prediction)

    for number in range(26):
        with window.step(number):
            step(number)


@scenario(
    "evaluation, marked apart from training, keeps its classes; fixed: host copies",
    leaky=leak("ArgMax", survivors=10),
    fixed=clean(),
)
def evaluation_marked(window: Window, fixed: bool) -> None:
    layer, inputs, classes = Dense(), batch(), list[Any]()
    validation = batch(EVALUATION_ROWS)

    def evaluate() -> None:
        predicted = tf.argmax(tf.nn.softmax(layer(validation)), axis=1)
        classes.append(predicted.numpy() if fixed else predicted)

    layer.train(inputs)
    evaluate()
    window.start()
    for number in range(40):
        with window.step(number):
            layer.train(inputs)
        if number % 4 == 3:
            with window.step(number // 4, name="evaluate"):
                evaluate()
    window.stop()


@scenario(
    "batches that an input pipeline prefetches are kept; fixed: used and dropped",
    leaky=leak(requested_bytes_per_step=PIPELINE_ROWS * WIDTH * 4),
    fixed=clean(survivors=None),  # as many as the pipeline has ready
)
def pipeline_batches_kept(window: Window, fixed: bool) -> None:
    layer, seen = Dense(), list[Any]()
    numbers = tf.data.Dataset.range(100_000)
    rows = numbers.map(lambda row: tf.fill([WIDTH], tf.cast(row, tf.float32)))
    # Without its own tuning the pipeline has no more than its two batches ready.
    options = tf.data.Options()
    options.autotune.enabled = False
    batches = iter(rows.batch(PIPELINE_ROWS).prefetch(2).with_options(options))

    def step(_: int) -> None:
        inputs = next(batches)
        layer.train(inputs)
        if not fixed:
            seen.append(inputs)

    window.run(step, steps=24)


@scenario(
    "activation_kept without the BFC allocator, which alone reports what it does",
    leaky=no_events(),
    fixed=no_events(),
    # oneDNN would report its own scratch memory.
    variables={"TF_CPU_ALLOCATOR_USE_BFC": "false", "TF_ENABLE_ONEDNN_OPTS": "0"},
)
def no_bfc(window: Window, fixed: bool) -> None:
    window.run(prediction_keeper(fixed), steps=8)


@scenario(
    "as no_bfc, with oneDNN: its work space is all that reports, and shows no tensor, kept or not",
    leaky=clean(accept=("inconclusive",), warning="scratch_memory_only"),
    fixed=clean(accept=("inconclusive",), warning="scratch_memory_only"),
    variables={"TF_CPU_ALLOCATOR_USE_BFC": "false", "TF_ENABLE_ONEDNN_OPTS": "1"},
)
def only_work_space_reported(window: Window, fixed: bool) -> None:
    window.run(prediction_keeper(fixed), steps=8)
