"""The small TensorFlow model that the scenarios train: a dense layer with a loss."""

from __future__ import annotations

import tensorflow as tf

BATCH = 64
WIDTH = 256
ACTIVATION_BYTES = BATCH * WIDTH * 4


def batch(rows: int = BATCH, seed: int = 0) -> tf.Tensor:
    """A batch of inputs, the same for the same seed."""
    return tf.random.stateless_normal([rows, WIDTH], seed=[seed, 7])


class Dense:
    """One layer with weights of its own."""

    def __init__(self) -> None:
        self.kernel = tf.Variable(batch(WIDTH, seed=1) * 0.05)

    def __call__(self, inputs: tf.Tensor) -> tf.Tensor:
        """The activations."""
        return tf.nn.relu(tf.matmul(inputs, self.kernel))

    def train(self, inputs: tf.Tensor) -> tf.Tensor:
        """One step of gradient descent; the loss."""
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(inputs) - 1.0))
        self.kernel.assign_sub(0.1 * tape.gradient(loss, self.kernel))
        return loss
