"""What the analysis of one host leaves behind: everything that the page and the report draw on."""

from __future__ import annotations

from dataclasses import dataclass

from tensorboard_memleak.model.blocks import Balance, Blocks, BlockSteps, Steps
from tensorboard_memleak.model.findings import Diagnosis, Sites
from tensorboard_memleak.model.trace import Memory, Notice


@dataclass(frozen=True, slots=True)
class MemoryAnalysis:
    """One memory with its blocks, where they come from and when, and the verdict on it.

    `block_steps` and `sites.of_block` are aligned to `blocks`; `blocks.birth_event` and
    `blocks.free_event` index `memory.events`. `steps` is the host's, shared by its memories.
    """

    memory: Memory
    steps: Steps
    blocks: Blocks
    block_steps: BlockSteps
    sites: Sites
    balance: Balance
    diagnosis: Diagnosis


@dataclass(frozen=True, slots=True)
class HostDiagnosis:
    """The analyses of one host's memories, those that need action first."""

    steps: Steps
    memories: tuple[MemoryAnalysis, ...]
    notices: tuple[Notice, ...]
