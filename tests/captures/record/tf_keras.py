"""Keras' own training loop, which marks no steps, with a callback that keeps or does not."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tests.captures.record.layers import BATCH, WIDTH, batch
from tests.captures.record.registry import clean, leak, scenario
from tests.captures.record.tf_window import Window

FIRST, LAST = 5, 35


class KeepPredictions(tf.keras.callbacks.Callback):
    """Looks at the model after each batch, and profiles batches `FIRST` to `LAST`."""

    def __init__(self, window: Window, fixed: bool) -> None:
        super().__init__()
        self.window, self.fixed = window, fixed
        self.inputs, self.predictions = batch(), list[Any]()

    def on_train_batch_begin(self, number: int, logs: Any = None) -> None:
        """Open the window."""
        if number == FIRST:
            self.window.start()

    def on_train_batch_end(self, number: int, logs: Any = None) -> None:
        """Keep what the model says, and close the window."""
        prediction = self.model(self.inputs)
        self.predictions.append(prediction.numpy() if self.fixed else prediction)
        if number == LAST - 1:
            self.window.stop()


@scenario(
    "a Keras callback keeps a prediction a batch, and nothing marks the steps; fixed: host copies",
    leaky=leak("Relu", accept=("leak", "inconclusive")),
    fixed=clean(survivors=None, accept=("no_leak", "inconclusive")),
)
def keras_callback(window: Window, fixed: bool) -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(WIDTH, activation="relu")])
    model.compile(optimizer="sgd", loss="mse")
    rows = batch(BATCH * (LAST + 2))
    model.fit(rows, rows, BATCH, verbose=0, callbacks=[KeepPredictions(window, fixed)])
