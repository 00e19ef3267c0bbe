"""What the kernels of a force element read beside its row: integers behind programs, numbers behind constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np


class Block(NamedTuple):
    """Integers, whose first two places are kept free, numbers, and what the kernels need of `Work.stack`.

    shared: nothing in the scratch is needed later, so that all such blocks have the same.
    """

    integers: Any
    numbers: Any
    scratch: int
    shared: bool = False


def with_blocks(blocks: Sequence[Block], code: Any, constants: Any, depth: int) -> tuple[Any, Any, int]:
    """Code and constants with the blocks, and how deep the stack is.

    The first two integers of each block say where its scratch and its numbers begin.
    """
    codes, numbers, end = [code], [constants], len(constants)
    common = depth
    depth += max((each.scratch for each in blocks if each.shared), default=0)
    for each in blocks:
        integers = each.integers.copy()
        integers[0], integers[1] = common if each.shared else depth, end
        codes.append(integers)
        numbers.append(each.numbers)
        end, depth = end + len(each.numbers), depth + (0 if each.shared else each.scratch)
    return np.concatenate(codes), np.concatenate(numbers), depth
