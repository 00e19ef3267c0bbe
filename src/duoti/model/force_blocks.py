"""Lists and numbers that the kernels of a force element read beside its own integers and reals, and their scratch.

An element with a list of any length (the nodes of a beam, the plan of a bond graph) has a block. The integers of all
blocks stand in `Forces.block_integers`, an element knows where its own begin; the first three (`BLOCK_HEADER`) say
where the rest is:

    SCRATCH   in `Work.block_scratch` (and `PathScratch.block_scratch`): numbers that its kernels write
    NUMBERS   in `Forces.block_reals`
    LISTS     in `Work.block_lists`: integers that its kernels write
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

BLOCK_HEADER = ("scratch", "numbers", "lists")
SCRATCH, NUMBERS, LISTS = range(len(BLOCK_HEADER))
"""The first integers of a block; they are filled in when all blocks are known."""


class Block(NamedTuple):
    """What an element asks for. shared: nothing in the scratch is needed later, so that all such blocks share it."""

    integers: Any
    numbers: Any
    scratch: int
    lists: int = 0
    shared: bool = False


class Blocks(NamedTuple):
    """The blocks of all elements, one behind the other, and how much scratch they need."""

    integers: Any
    reals: Any
    scratch: int
    lists: int


def joined(blocks: Sequence[Block]) -> Blocks:
    """All blocks, with their headers filled in."""
    integers: list[Any] = [np.zeros(0, np.int64)]
    reals: list[Any] = [np.zeros(0)]
    scratch, numbers, lists = max((each.scratch for each in blocks if each.shared), default=0), 0, 0
    for each in blocks:
        own = np.array(each.integers, np.int64)
        own[SCRATCH], own[NUMBERS], own[LISTS] = 0 if each.shared else scratch, numbers, lists
        integers.append(own)
        reals.append(each.numbers)
        scratch += 0 if each.shared else each.scratch
        numbers, lists = numbers + len(each.numbers), lists + each.lists
    return Blocks(np.concatenate(integers), np.concatenate(reals), scratch, lists)
