"""JAX on the CPU: compiled programs and device-memory profiles, no memory events."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from tests.captures.record.jax_window import Window
from tests.captures.record.registry import no_events, scenario

STEPS = 12
WIDTH = 256


def forward(parameters: dict[str, jax.Array], inputs: jax.Array) -> jax.Array:
    hidden = jnp.tanh(inputs @ parameters["hidden"] + parameters["bias"])
    return hidden @ parameters["output"]


def new_parameters() -> dict[str, jax.Array]:
    keys = jax.random.split(jax.random.key(0))
    return {
        "hidden": jax.random.normal(keys[0], (WIDTH, 2 * WIDTH)) * 0.05,
        "bias": jnp.zeros(2 * WIDTH),
        "output": jax.random.normal(keys[1], (2 * WIDTH, 16)) * 0.05,
    }


def train_step(parameters: dict[str, jax.Array], inputs: jax.Array) -> dict[str, jax.Array]:
    def loss(values: dict[str, jax.Array]) -> jax.Array:
        return jnp.mean((forward(values, inputs) - 1.0) ** 2)

    gradients = jax.grad(loss)(parameters)
    return jax.tree.map(lambda value, slope: value - 0.1 * slope, parameters, gradients)


@scenario(
    "each step's output is appended to a list; fixed: its mean as a float",
    leaky=no_events(snapshot_growth={"count": True, "func": "remember_output"}),
    fixed=no_events(snapshot_growth={}),
)
def jax_append(window: Window, fixed: bool) -> None:
    parameters, inputs, outputs = new_parameters(), jnp.ones((64, WIDTH)), list[Any]()
    predict = jax.jit(forward)

    def remember_output(_: int) -> None:
        output = predict(parameters, inputs)
        outputs.append(float(output.mean()) if fixed else output)

    window.run(remember_output, steps=STEPS)


@scenario(
    "a batch of another length each step compiles the program again; fixed: padded to one length",
    leaky=no_events(recompiled="jit_forward"),
    fixed=no_events(),
)
def jax_shapes(window: Window, fixed: bool) -> None:
    parameters = new_parameters()
    predict = jax.jit(forward)

    def step(number: int) -> None:
        rows = 64 if fixed else 16 + number
        predict(parameters, jnp.ones((rows, WIDTH))).block_until_ready()

    window.run(step, steps=8, frames=False)


PARAMETER_BYTES = 4 * (WIDTH * 2 * WIDTH + 2 * WIDTH + 2 * WIDTH * 16)


@scenario(
    "a train step returns new parameters beside the old; fixed: donate_argnums gives it the old",
    leaky=no_events(donation="missing", donatable_bytes=PARAMETER_BYTES),
    fixed=no_events(donation="declared and used"),
)
def jax_donation(window: Window, fixed: bool) -> None:
    inputs, state = jnp.ones((64, WIDTH)), [new_parameters()]
    train = jax.jit(train_step, donate_argnums=(0,) if fixed else ())

    def step(_: int) -> None:
        state[0] = train(state[0], inputs)

    window.run(step, steps=STEPS)
