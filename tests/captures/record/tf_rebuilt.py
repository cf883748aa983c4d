"""What is built anew each step and never goes: variables, models, optimizers, traces."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tests.captures.record.layers import ACTIVATION_BYTES, BATCH, WIDTH, Dense, batch
from tests.captures.record.registry import clean, leak, scenario
from tests.captures.record.tf_window import Window

STEPS = 20
HANDLE_BYTES = 200  # of a variable
SMALL_CONSTANT_BYTES = 8  # the shape that `fill` is given


@scenario(
    "a variable is made and kept each step; fixed: one is made, in the first step, and assigned to",
    leaky=leak("Fill", requested_bytes_per_step=ACTIVATION_BYTES + HANDLE_BYTES),
    fixed=clean(survivors=None),
)
def variable_rebuilt(window: Window, fixed: bool) -> None:
    layer, inputs, states = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        layer.train(inputs)
        if fixed and states:
            states[0].assign(tf.zeros([BATCH, WIDTH]))
        else:
            states.append(tf.Variable(tf.zeros([BATCH, WIDTH])))

    window.run(step, steps=STEPS, warm_up=0)


@scenario(
    "a Keras model is built and kept each step, under numbered names; fixed: built in the first",
    leaky=leak("AddV2"),  # the last operation of the default initializer, Glorot's
    fixed=clean(survivors=None),
)
def model_rebuilt(window: Window, fixed: bool) -> None:
    inputs, models = batch(), list[Any]()

    def step(_: int) -> None:
        if not (fixed and models):
            layers = [tf.keras.layers.Dense(64), tf.keras.layers.Dense(8)]
            models.append(tf.keras.Sequential(layers))
        models[-1](inputs)

    window.run(step, steps=STEPS, warm_up=0)


@scenario(
    "an Adam optimizer is made each step and keeps its slots; fixed: one, whose slots the first"
    " step makes",
    leaky=leak("Fill"),  # two slots, filled with zeros
    fixed=clean(survivors=None),
)
def optimizer_rebuilt(window: Window, fixed: bool) -> None:
    layer, inputs, optimizers = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(layer(inputs) - 1.0))
        if not (fixed and optimizers):
            optimizers.append(tf.keras.optimizers.Adam(1e-3))
        gradient = tape.gradient(loss, layer.kernel)
        optimizers[-1].apply_gradients([(gradient, layer.kernel)])

    window.run(step, steps=STEPS, warm_up=0)


@scenario(
    "a function is traced for each Python number, and each trace keeps a constant; fixed: the"
    " number is a tensor",
    leaky=leak("Fill", requested_bytes_per_step=ACTIVATION_BYTES + SMALL_CONSTANT_BYTES),
    fixed=clean(survivors=None),
)
def retraced_by_value(window: Window, fixed: bool) -> None:
    inputs = batch()

    @tf.function
    def scaled(values: tf.Tensor, factor: Any) -> tf.Tensor:
        return values + tf.fill([BATCH, WIDTH], tf.cast(factor, tf.float32))

    def step(number: int) -> None:
        scaled(inputs, tf.constant(number) if fixed else number)

    window.run(step, steps=STEPS)


@scenario(
    "the output of an XLA-compiled function is kept; fixed: its host copy",
    leaky=leak("scale", survivors=STEPS, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(),
)
def compiled_output_kept(window: Window, fixed: bool) -> None:
    layer, inputs, outputs = Dense(), batch(), list[Any]()

    @tf.function(jit_compile=True)
    def scale(values: tf.Tensor) -> tf.Tensor:
        return tf.tanh(layer(values)) * 2.0

    def step(_: int) -> None:
        output = scale(inputs)
        outputs.append(output.numpy() if fixed else output)

    window.run(step, steps=STEPS)


@scenario(
    "the output of a graph function is kept; fixed: its host copy",
    # The compiler may let tanh write into the buffer of what it takes.
    leaky=leak(
        "Tanh", "Relu", "MatMul", survivors=STEPS, requested_bytes_per_step=ACTIVATION_BYTES
    ),
    fixed=clean(),
)
def graph_output_kept(window: Window, fixed: bool) -> None:
    layer, inputs, outputs = Dense(), batch(), list[Any]()

    @tf.function
    def train(values: tf.Tensor) -> tf.Tensor:
        layer.train(values)
        return tf.tanh(layer(values))

    def step(_: int) -> None:
        output = train(inputs)
        outputs.append(output.numpy() if fixed else output)

    window.run(step, steps=STEPS)
