"""What to do about each kind of finding, in the words of the framework that made the capture.

Advice says what usually causes a pattern, how to confirm it and what to change. It never claims a
cause: the evidence shows that blocks stay, not who holds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tensorboard_memleak.model.findings import FindingKind

Framework = Literal["jax", "tensorflow", "pytorch_xla", ""]


@dataclass(frozen=True, slots=True)
class Advice:
    """Usual causes, how to tell which it is, and what to change; "" where there is nothing to.

    `named` stands in place of `confirm` where the stack names functions of the person's own.
    """

    causes: str
    confirm: str = ""
    change: str = ""
    named: str = ""

    @property
    def text(self) -> str:
        """All of it, as one paragraph."""
        return _paragraph(self.causes, self.confirm, self.change)

    def of(self, functions: Sequence[str]) -> str:
        """Return the paragraph with the functions to look at."""
        if not functions or not self.named:
            return self.text
        return _paragraph(self.causes, self.named.format(" or ".join(functions)), self.change)


def _paragraph(*parts: str) -> str:
    return " ".join(part for part in parts if part)


_LOOK: Final = "Look for an append, or another reference that stays, in {}"


_GROWTH: Final[dict[Framework, Advice]] = {
    "": Advice(
        "Something keeps a reference to each of these blocks. Usual causes: results appended to a "
        "list or dictionary, a metric kept as a device array, a cache without a bound, an "
        "exception or closure that holds its frame.",
        "Follow where the result of this operation is stored.",
        "Keep a host copy or a running value instead, and drop the reference when the step is "
        "done.",
        f"{_LOOK}.",
    ),
    "tensorflow": Advice(
        "Something keeps a reference to each of these tensors. Usual causes in TensorFlow and "
        "Keras: tensors appended to a list, a persistent GradientTape, variables or models made in "
        "the loop, a tf.function that traces again for each new Python value.",
        "Follow where the result of this operation is stored; for retracing watch "
        "fn.experimental_get_tracing_count().",
        "Keep float(x) or x.numpy(), make variables and models once, pass tensors rather than "
        "Python numbers.",
        f"{_LOOK}.",
    ),
    "jax": Advice(
        "Something keeps a reference to each of these arrays. Usual causes in JAX: losses or "
        "states appended to a list, residuals of jax.vjp that are kept, a cache keyed by step.",
        "Compare two files of jax.profiler.save_device_memory_profile taken steps apart: they name "
        "the line that made what is new.",
        "Keep jax.device_get(x) or a running value, and donate the old state to the step "
        "(donate_argnums).",
        f"{_LOOK}.",
    ),
    "pytorch_xla": Advice(
        "Something keeps a reference to each of these tensors. Usual causes in PyTorch/XLA: losses "
        "or outputs appended without detach(), which keeps their whole graph; metrics kept on the "
        "device; a loop that never calls torch_xla.sync() or mark_step().",
        "Read torch_xla.debug.metrics for CreateXlaTensor against DestroyXlaTensor.",
        "Append loss.detach(), call .item() only now and then, and end each step with "
        "torch_xla.sync().",
        f"{_LOOK}.",
    ),
}
_BY_SIZE: Final[dict[Framework, Advice]] = {
    "": Advice(
        "Each step replaces this block by a larger one. Usual causes: a result concatenated to all "
        "earlier ones, a key-value cache that is copied as it grows, a history kept as one tensor.",
        "The growth is harmless if it ends by itself, as a sequence does at its full length: "
        "capture past that point.",
        "Collect the pieces on the host and join them once, or allocate the full size once and "
        "write into it.",
        "The larger one is made in {}. It is harmless if the growth ends by itself, as a sequence "
        "does at its full length.",
    ),
    "jax": Advice(
        "Each step replaces this array by a larger one. Usual causes: jnp.concatenate onto all "
        "earlier results, a key-value cache that grows by one entry a step. Each new shape also "
        "compiles the program again.",
        "The growth is harmless if it ends by itself, as a sequence does at its full length: "
        "capture past that point.",
        "Allocate the full size once and write with x.at[i].set(...) or "
        "jax.lax.dynamic_update_slice, donating the old array.",
        "The larger one is made in {}. It is harmless if the growth ends by itself, as a sequence "
        "does at its full length.",
    ),
}
_RETAINED: Final[dict[Framework, Advice]] = {
    "": Advice(
        "Kept once, as weights, optimizer slots and first-call caches are: nothing to do.",
        "If it is larger than you expect, look at its stack for what makes it.",
    ),
}
_BOUNDED: Final[dict[Framework, Advice]] = {
    "": Advice(
        "The number of blocks in use has levelled off, as that of a cache, a queue or double "
        "buffers does: nothing to do.",
        "",
        "If the peak is too high, lower the depth of the queue or the size of the cache.",
    ),
    "tensorflow": Advice(
        "The number of blocks in use has levelled off, as that of a cache or of tf.data's prefetch "
        "buffers does: nothing to do.",
        "",
        "If the peak is too high, lower prefetch(n) and the size of the cache.",
    ),
}
_DELAYED: Final[dict[Framework, Advice]] = {
    "": Advice(
        "Blocks are released, but late and many at once. Usual causes: gradients accumulated over "
        "several steps, or reference cycles that wait for Python's garbage collector.",
        "Call gc.collect() each step for a test: if the memory stays low, cycles hold it.",
        "Nothing to do unless the peak is too high. Then accumulate fewer steps, or break the "
        "cycle (a closure or bound method that refers to its owner).",
    ),
    "tensorflow": Advice(
        "Blocks are released, but late and many at once. Usual causes: gradients accumulated over "
        "several steps; datasets or models made in each call (as model.predict in a loop does), "
        "whose reference cycles wait for Python's garbage collector.",
        "Call gc.collect() each step for a test: if the memory stays low, cycles hold it.",
        "Nothing to do unless the peak is too high. Then make the dataset once, call model(x) "
        "instead of model.predict(x) in a loop, or accumulate fewer steps.",
    ),
}
_IN_FLIGHT: Final[dict[Framework, Advice]] = {
    "": Advice("Still in use when the capture ended; a longer capture shows its release."),
}
_FRAGMENTATION: Final[dict[Framework, Advice]] = {
    "": Advice(
        "Free memory lies in pieces between blocks that stay. Usual causes: long-lived blocks made "
        "amid temporaries, and sizes that change from step to step.",
        "See which blocks lie between the free pieces: they are listed here.",
        "Allocate what stays before the first step, and pad ragged batches to a few sizes.",
    ),
    "tensorflow": Advice(
        "Free memory lies in pieces between blocks that stay. Usual causes: long-lived blocks made "
        "amid temporaries, and sizes that change from step to step.",
        "See which blocks lie between the free pieces: they are listed here.",
        "Build variables and optimizer slots before the first step, pad ragged batches to a few "
        "sizes, or try TF_GPU_ALLOCATOR=cuda_malloc_async (which writes no memory events).",
    ),
    "jax": Advice(
        "Free memory lies in pieces between blocks that stay. Usual causes: long-lived arrays made "
        "amid temporaries, and shapes that change from step to step.",
        "See which blocks lie between the free pieces: they are listed here.",
        "Make parameters and optimizer state before the first step, pad to a few shapes, donate "
        "arguments, and let JAX preallocate (XLA_PYTHON_CLIENT_PREALLOCATE).",
    ),
}
_TABLE: Final[dict[str, dict[Framework, Advice]]] = {
    "growth": _GROWTH,
    "retained": _RETAINED,
    "bounded": _BOUNDED,
    "delayed_free": _DELAYED,
    "in_flight": _IN_FLIGHT,
    "fragmentation": _FRAGMENTATION,
}


def advice_for(
    kind: FindingKind,
    framework: Framework,
    by_size: bool = False,
    functions: Sequence[str] = (),
) -> str:
    """Return what to do about a kind of finding; growth by size has its own advice.

    `functions` are the person's own, innermost first, as `analysis.own_code` names them.
    """
    table = _BY_SIZE if kind == "growth" and by_size else _TABLE[kind]
    return table.get(framework, table[""]).of(functions)


def without_functions(text: str) -> str:
    """Return a piece of advice as it is without the names in it, "" if it is none of these."""
    if text in _TEXTS:
        return text
    for advice in _ALL:
        if advice.named and text.startswith(advice.causes) and text.endswith(advice.change):
            return advice.text
    return ""


_ALL: Final = tuple(advice for table in (_BY_SIZE, *_TABLE.values()) for advice in table.values())
_TEXTS: Final = frozenset(advice.text for advice in _ALL)
