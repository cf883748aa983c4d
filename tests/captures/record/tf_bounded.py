"""Memory that levels off, is late, or comes in bursts, beside the same without its bound."""

from __future__ import annotations

import gc
from collections import deque
from typing import Any

import tensorflow as tf

from tests.captures.record.layers import ACTIVATION_BYTES, BATCH, WIDTH, Dense, batch
from tests.captures.record.registry import clean, leak, scenario
from tests.captures.record.tf_window import Window


@scenario(
    "a cache without bound; fixed: it holds 8, and fills within the window",
    leaky=leak("Relu", survivors=32, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=8),
)
def cache_fills_in_window(window: Window, fixed: bool) -> None:
    layer, inputs, cache = Dense(), batch(), deque[Any](maxlen=8 if fixed else None)

    def step(_: int) -> None:
        cache.append(layer(inputs))

    window.run(step, steps=32, warm_up=0)


@scenario(
    "a cache without bound; fixed: it holds 4, and was full before the window",
    leaky=leak("Relu", survivors=24, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=4),
)
def cache_full_before(window: Window, fixed: bool) -> None:
    layer, inputs, cache = Dense(), batch(), deque[Any](maxlen=4 if fixed else None)

    def step(_: int) -> None:
        layer.train(inputs)
        cache.append(layer(inputs))

    window.run(step, steps=24, warm_up=6)


@scenario(
    "a cache of 1000 that is far from full when the window ends: no profile can tell it from a"
    " leak; fixed: it holds 3",
    leaky=leak("Relu", survivors=20, accept=("leak", "inconclusive")),
    fixed=clean(survivors=3),
)
def cache_not_yet_full(window: Window, fixed: bool) -> None:
    layer, inputs, cache = Dense(), batch(), deque[Any](maxlen=3 if fixed else 1000)

    def step(_: int) -> None:
        cache.append(layer(inputs))

    window.run(step, steps=20, warm_up=5)


@scenario(
    "masks are cached under a key that is never the same; fixed: by length, of which there are 4",
    leaky=leak("Fill", "MatrixBandPart", survivors=24),
    fixed=clean(survivors=4),
)
def first_call_cache(window: Window, fixed: bool) -> None:
    masks = dict[Any, Any]()

    def mask(length: int, number: int) -> tf.Tensor:
        key = length if fixed else (length, number)
        if key not in masks:
            masks[key] = tf.linalg.band_part(tf.ones([length, length]), -1, 0)
        return masks[key]

    def step(number: int) -> None:
        length = 64 + 32 * (number % 4)
        tokens = batch(length)
        scores = tf.matmul(tokens, tokens, transpose_b=True)
        tf.reduce_sum(scores * mask(length, number))

    window.run(step, steps=24, warm_up=0)


@scenario(
    "each step keeps all earlier predictions; fixed: only that of the step before",
    leaky=leak("Relu", survivors=20, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=1),
)
def freed_one_step_late(window: Window, fixed: bool) -> None:
    layer, inputs, earlier = Dense(), batch(), deque[Any](maxlen=1 if fixed else None)

    def step(_: int) -> None:
        prediction = layer(inputs)
        if earlier:
            tf.reduce_mean(prediction - earlier[-1])
        earlier.append(prediction)

    window.run(step, steps=20)


@scenario(
    "each step keeps all earlier predictions; fixed: those of the two steps before",
    leaky=leak("Relu", survivors=20, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=2),
)
def freed_two_steps_late(window: Window, fixed: bool) -> None:
    layer, inputs, earlier = Dense(), batch(), deque[Any](maxlen=2 if fixed else None)

    def step(_: int) -> None:
        layer.train(inputs)
        earlier.append(layer(inputs))

    window.run(step, steps=20)


@scenario(
    "gradients are accumulated and never dropped; fixed: applied and dropped every fifth step",
    leaky=leak("MatMul", survivors=43, requested_bytes_per_step=WIDTH * WIDTH * 4),
    fixed=clean(survivors=3),
)
def accumulated_gradients(window: Window, fixed: bool) -> None:
    layer, inputs, gradients = Dense(), batch(), list[Any]()

    def step(number: int) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(layer(inputs) - 1.0))
        gradients.append(tape.gradient(loss, layer.kernel))
        if number % 5 == 4:
            layer.kernel.assign_sub(0.1 * tf.add_n(gradients[-5:]))
            if fixed:
                gradients.clear()

    window.run(step, steps=43, warm_up=5)


class Cycle:
    """An object that only the garbage collector can free."""

    def __init__(self, tensor: tf.Tensor) -> None:
        self.tensor = tensor
        self.itself = self


@scenario(
    "reference cycles are registered for ever; fixed: the garbage collector frees 8 at a time",
    leaky=leak("Relu", survivors=51, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=4),  # three steps since the last collection, and the one that collected
)
def freed_in_bursts(window: Window, fixed: bool) -> None:
    layer, inputs, registry = Dense(), batch(), list[Any]()
    gc.disable()

    def step(number: int) -> None:
        cycle = Cycle(layer(inputs))
        if not fixed:
            registry.append(cycle)
        if number % 8 == 7:
            gc.collect()

    window.run(step, steps=51, warm_up=8)


@scenario(
    "one tensor is replaced by a longer one each step; fixed: it keeps its last four batches",
    leaky=leak("ConcatV2", survivors=1, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(survivors=1),
)
def replaced_by_longer(window: Window, fixed: bool) -> None:
    layer, inputs = Dense(), batch()
    history = [tf.zeros([0, WIDTH])]

    def step(_: int) -> None:
        longer = tf.concat([history[0], layer(inputs)], axis=0)
        history[0] = longer[-4 * BATCH :] if fixed else longer

    window.run(step, steps=20, warm_up=6)
