"""Leaks by a reference that is kept: what most leaks are."""

from __future__ import annotations

import threading
from queue import Queue
from typing import Any

import tensorflow as tf

from tests.captures.record.layers import ACTIVATION_BYTES, BATCH, Dense, batch
from tests.captures.record.registry import WITH_PYTHON_FRAMES, clean, leak, scenario
from tests.captures.record.tf_window import Window

STEPS = 20


@scenario(
    "predictions are appended to a list; fixed: their host copies are",
    leaky=leak("Relu", survivors=STEPS, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(),
)
def activation_kept(window: Window, fixed: bool) -> None:
    layer, inputs, predictions = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        layer.train(inputs)
        prediction = layer(inputs)
        predictions.append(prediction.numpy() if fixed else prediction)

    window.run(step, steps=STEPS)


@scenario(
    "activation_kept with the Python tracer on",
    leaky=leak(
        "Relu",
        survivors=STEPS,
        requested_bytes_per_step=ACTIVATION_BYTES,
        frame="remember_prediction",
    ),
    fixed=clean(),
    environment=WITH_PYTHON_FRAMES,
)
def python_frames(window: Window, fixed: bool) -> None:
    layer, inputs, predictions = Dense(), batch(), list[Any]()

    def remember_prediction(_: int) -> None:
        prediction = layer(inputs)
        predictions.append(prediction.numpy() if fixed else prediction)

    window.run(remember_prediction, steps=STEPS)


@scenario(
    "the loss of each step is kept as a tensor, four bytes in a chunk of 256; fixed: as a float",
    leaky=leak("Mean", survivors=STEPS, requested_bytes_per_step=4),
    fixed=clean(),
)
def scalar_kept(window: Window, fixed: bool) -> None:
    layer, inputs, losses = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        loss = layer.train(inputs)
        losses.append(float(loss) if fixed else loss)

    window.run(step, steps=STEPS)


@scenario(
    "every fifth step logs its prediction as a tensor; fixed: as a host copy",
    leaky=leak("Relu", survivors=12, requested_bytes_per_step=ACTIVATION_BYTES // 5),
    fixed=clean(),
)
def kept_every_fifth(window: Window, fixed: bool) -> None:
    layer, inputs, log = Dense(), batch(), list[Any]()

    def step(number: int) -> None:
        prediction = layer(inputs)
        if number % 5 == 0:
            log.append(prediction.numpy() if fixed else prediction)

    window.run(step, steps=60, warm_up=5)


@scenario(
    "stored exceptions keep their tracebacks, whose frames keep tensors; fixed: the text is stored",
    leaky=leak("Relu", survivors=STEPS, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(),
)
def kept_by_exceptions(window: Window, fixed: bool) -> None:
    layer, inputs, failures = Dense(), batch(), list[Any]()

    def validate() -> None:
        prediction = layer(inputs)
        raise ValueError(f"no label for a batch of {len(prediction)}")

    def step(_: int) -> None:
        try:
            validate()
        except ValueError as failure:
            failures.append(str(failure) if fixed else failure)

    window.run(step, steps=STEPS)


@scenario(
    "predictions every step and probabilities every second step are kept; fixed: host copies",
    leaky=leak(
        "Sigmoid",
        "Relu",
        also=("Sigmoid", "Relu"),
        survivors=30 + 15,
        requested_bytes_per_step=ACTIVATION_BYTES + 4 * ACTIVATION_BYTES // 2,
    ),
    fixed=clean(),
)
def two_rates(window: Window, fixed: bool) -> None:
    layer, inputs, wide = Dense(), batch(), batch(4 * BATCH)
    predictions, probabilities = list[Any](), list[Any]()

    def step(number: int) -> None:
        prediction = layer(inputs)
        predictions.append(prediction.numpy() if fixed else prediction)
        if number % 2 == 0:
            probability = tf.sigmoid(wide)
            probabilities.append(probability.numpy() if fixed else probability)

    window.run(step, steps=30, warm_up=4)


@scenario(
    "a worker thread keeps the predictions that it makes; fixed: their host copies",
    leaky=leak("Relu", survivors=STEPS, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(),
)
def kept_on_worker_thread(window: Window, fixed: bool) -> None:
    layer, inputs, jobs, predictions = Dense(), batch(), Queue[int](), list[Any]()

    def predict_for_ever() -> None:
        while True:
            jobs.get()
            prediction = layer(inputs)
            predictions.append(prediction.numpy() if fixed else prediction)
            del prediction
            jobs.task_done()

    threading.Thread(target=predict_for_ever, name="predictor", daemon=True).start()

    def step(number: int) -> None:
        layer.train(inputs)
        jobs.put(number)
        jobs.join()

    window.run(step, steps=STEPS)


@scenario(
    "from step 20 on, half way, predictions are kept; fixed: their host copies",
    leaky=leak("Relu", survivors=16, requested_bytes_per_step=ACTIVATION_BYTES),
    fixed=clean(),
)
def late_start(window: Window, fixed: bool) -> None:
    layer, inputs, predictions = Dense(), batch(), list[Any]()

    def step(number: int) -> None:
        prediction = layer(inputs)
        if number >= 20:
            predictions.append(prediction.numpy() if fixed else prediction)

    window.run(step, steps=32, warm_up=4)


@scenario(
    "one kilobyte a step is kept among megabytes of temporaries; fixed: its host copy",
    leaky=leak("Relu", survivors=40, requested_bytes_per_step=16 * 16 * 4),
    fixed=clean(),
)
def small_leak_heavy_churn(window: Window, fixed: bool) -> None:
    signs, sizes = list[Any](), [batch(64 + 32 * size) for size in range(11)]

    def step(number: int) -> None:
        for layer in range(10):
            inputs = sizes[(number * 5 + layer * 3) % len(sizes)]
            hidden = tf.matmul(inputs, inputs, transpose_b=True)
            tf.reduce_sum(tf.square(hidden))
        sign = tf.nn.relu(hidden[:16, :16])
        signs.append(sign.numpy() if fixed else sign)

    window.run(step, steps=40)


@scenario(
    "gradient tapes are kept, and with them every activation; fixed: each is dropped",
    leaky=leak("Relu", "MatMul", "Sub", "Square", "AssignSubVariableOp"),
    fixed=clean(survivors=1),  # a kernel that a tape holds is copied when it is assigned to
)
def tape_kept(window: Window, fixed: bool) -> None:
    layer, inputs, tapes = Dense(), batch(), list[Any]()

    def step(_: int) -> None:
        with tf.GradientTape(persistent=True) as tape:
            hidden = layer(inputs)
            loss = tf.reduce_mean(tf.square(hidden - 1.0))
        layer.kernel.assign_sub(0.1 * tape.gradient(loss, layer.kernel))
        if not fixed:
            tapes.append(tape)

    window.run(step, steps=STEPS)


@scenario(
    "predictions of batches of changing size are kept; fixed: their host copies",
    leaky=leak("Relu", survivors=36),
    fixed=clean(),
)
def changing_batches(window: Window, fixed: bool) -> None:
    layer, predictions = Dense(), list[Any]()

    def step(number: int) -> None:
        prediction = layer(batch(16 * (1 + number * 7 % 9)))
        predictions.append(prediction.numpy() if fixed else prediction)

    window.run(step, steps=36)


@scenario(
    "every fifth step evaluates with big temporaries and keeps the classes; fixed: host copies",
    leaky=leak("ArgMax", survivors=12, requested_bytes_per_step=1024 * 8 // 5),
    fixed=clean(),
)
def evaluation_kept(window: Window, fixed: bool) -> None:
    layer, inputs, validation, classes = Dense(), batch(), batch(1024), list[Any]()

    def step(number: int) -> None:
        layer.train(inputs)
        if number % 5 == 0:
            predicted = tf.argmax(tf.nn.softmax(layer(validation)), axis=1)
            classes.append(predicted.numpy() if fixed else predicted)

    window.run(step, steps=60, warm_up=6)
