"""What to do about each kind of finding, in the words of the framework that made the capture.

Advice says what usually causes a pattern, how to confirm it and what to change. It never claims a
cause: the evidence shows that blocks stay, not who holds them.
"""

from __future__ import annotations

from typing import Final, Literal

from tensorboard_memleak.model.findings import FindingKind

Framework = Literal["jax", "tensorflow", "pytorch_xla", ""]

_GENERAL: Final[dict[str, str]] = {
    "growth": (
        "Something keeps a reference to each of these blocks. Usual causes: results appended to a "
        "list or dictionary, a metric or loss kept as a device array, a cache without a bound, an "
        "exception or closure that holds its frame. Keep a host copy or a running value instead "
        "and drop the reference when the step is done."
    ),
    "retained": (
        "Kept once, as weights, optimizer slots and first-call caches are. Nothing to do unless "
        "it is larger than you expect."
    ),
    "bounded": "The number of blocks in use has levelled off: a cache or queue of fixed depth.",
    "delayed_free": (
        "Blocks are released, but late and many at once. Usual causes: gradient accumulation, or "
        "reference cycles that wait for the garbage collector. If the peak matters, break the "
        "cycle or release earlier."
    ),
    "in_flight": "Still in use when the capture ended; a longer capture would show the release.",
    "fragmentation": "Free memory is split into pieces; allocate large blocks first and once.",
}
_BY_FRAMEWORK: Final[dict[str, dict[str, str]]] = {
    "tensorflow": {
        "growth": (
            "Something keeps a reference to each of these tensors. Usual causes in TensorFlow and "
            "Keras: tensors appended to a Python list, a loss kept as a tensor for logging, a "
            "persistent GradientTape, variables or models made in the loop, tf.function called "
            "with new Python values (one retrace each). To confirm, look at the function on the "
            "stack and count the objects it stores. Keep float(x) or x.numpy() instead, make "
            "variables and models once, pass tensors rather than Python numbers."
        ),
    },
    "jax": {
        "growth": (
            "Something keeps a reference to each of these arrays. Usual causes in JAX: arrays "
            "appended to a list (metrics, losses, intermediate states), jax.vjp residuals that are "
            "kept, a cache keyed by step. To confirm, compare two "
            "jax.profiler.save_device_memory_profile files taken steps apart. Keep "
            "jax.device_get(x) or a running value instead, and donate the old state to the step."
        ),
    },
    "pytorch_xla": {
        "growth": (
            "Something keeps a reference to each of these tensors. Usual causes in PyTorch/XLA: "
            "losses or outputs appended without detach(), tensors kept with their graph, a missing "
            "mark_step. Keep loss.detach() or loss.item() at intervals, and step the graph each "
            "iteration."
        ),
    },
}


def advice_for(kind: FindingKind, framework: Framework) -> str:
    """Return what to do about a kind of finding."""
    return _BY_FRAMEWORK.get(framework, {}).get(kind, _GENERAL.get(kind, ""))
