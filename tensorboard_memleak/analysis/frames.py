"""Which frame of an enclosing stack names a site.

The full stack is always kept. Its innermost frames, though, are the same for every allocation of
a runtime (`Build buffer allocations` below `PjitFunction(step)`), so that the name is taken from
the innermost frame that belongs to the program rather than to the runtime underneath it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tensorboard_memleak.analysis.own_code import LIBRARY

_RUNTIME: Final = re.compile(
    r"""^(?:
        Build\ buffer\ allocations | DevicePut | shard_args | batched_device_put
      | cpp_pjit_shard_arg_fallback | ExecuteReplicated | Scheduled\ .* | (?:\w+::)*Allocat\w*
      | (?:PJRT_|PjRt|CommonPjRt|StreamExecutor|Tfrt|TFE_Py_|tpu::|DeferredTpu)\S*
      | KernelAndDeviceFunc::\S* | EagerKernelExecute | EagerLocalExecute | EagerExecute
      | Linearize\w*
      | ExecutorState::Process | FunctionRun | SessionRun | BFCAllocator\S*
      | CopyProgramsToShared\w*
      | \$\S*_pywrap\S*\ \w+
    )(?:[:. ].*)?$""",
    re.VERBOSE,
)
_PYTHON: Final = re.compile(r"^\$?(?P<file>.+\.py):(?P<line>\d+) (?P<function>.+)$")


def naming_frame(stack: Sequence[str]) -> str:
    """Return the frame of a stack (innermost first) that names what allocates."""
    for frame in stack:
        if not _RUNTIME.match(frame):
            return readable(frame)
    return readable(stack[0]) if stack else ""


def readable(frame: str) -> str:
    """Say a frame of Python in words. The tracer's line is that of the function's `def`."""
    python = _PYTHON.match(frame)
    if python is None:
        return frame
    return f"{python['function']} ({python['file']}:{python['line']})"


def own_frames(stack: Sequence[str]) -> list[str]:
    """Return the frames of a stack that belong to the program, in words, innermost first."""
    outside = [frame for frame in stack if not _RUNTIME.match(frame)]
    own = [frame for frame in outside if not LIBRARY.search(frame)]
    return [readable(frame) for frame in own or outside]
