"""`PathScratch`: derivatives of what acts between two bodies, by the columns on the path between them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.system.allocation import most_inputs
from duoti.system.arrays import Loads, Tree


class PathScratch(NamedTuple):
    """The columns on the path between two bodies, and derivatives by them. Each field says which function writes it.

    Not more than nc columns are on a path; the first n places of each list are in use.
    """

    column: Any  # [nc] columns, from body b inward, then from body a inward; elements.body_pairs.path_between
    rate: Any  # [nc] the rates that they belong to; path_between
    side: Any  # [nc] 1 on b's side, -1 on a's; path_between
    first: Any  # [nc] where the columns of the same row begin in these lists; path_between
    columns: Any  # [nc, 6] these columns times their sides; elements.body_pairs.add_pair
    W_q: Any  # [nc, 6] change of the wrench on b when b moves as the column says; the element's own function
    W_v: Any  # [nc, 6] the same for its velocity; the element's own function
    row_q: Any  # [1, nv] derivatives of a law; zero between uses; elements.law_gradient
    row_v: Any  # [1, nv]
    row_z: Any  # [1, nz]
    coordinate: Any  # [nq, 2] rate of a coordinate and -1, or first rate and component of a quaternion; constant
    law_in: Any  # [..] complex inputs of a law; elements.law_gradient
    law_out: Any  # [8] complex outputs of a function law
    law_x: Any  # [..] real numbers that a function gets ...
    law_y: Any  # [8] ... and gives
    stack: Any  # [..] complex scratch of expressions
    block_scratch: Any  # [Forces.block_scratch] complex scratch of elements with blocks; their own kernels


def allocate_path_scratch(
    tree: Tree, loads: Loads, stack: int = 64, fill: float = 0.0, dtype: type = float
) -> PathScratch:
    """Arrays for a system; `fill` is for tests that poison the scratch. dtype: of all but sides and laws."""
    nv, nc = tree.nv, tree.nc
    coordinate = np.full((tree.nq, 2), -1, np.int64)
    coordinate[tree.plain_q, 0] = tree.plain_v
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        coordinate[k : k + 4, 0] = j
        coordinate[k : k + 4, 1] = np.arange(4)
    inputs = most_inputs(loads.laws)
    side, wrenches = np.zeros(nc), np.zeros((3, nc, 6), dtype)
    if fill:
        side[:] = wrenches[:] = fill
    return PathScratch(
        column=np.zeros(nc, np.int64), rate=np.zeros(nc, np.int64), side=side,
        first=np.zeros(nc, np.int64), columns=wrenches[0], W_q=wrenches[1], W_v=wrenches[2],
        row_q=np.zeros((1, nv), dtype), row_v=np.zeros((1, nv), dtype), row_z=np.zeros((1, tree.nz), dtype),
        coordinate=coordinate,
        law_in=np.zeros(inputs, complex), law_out=np.zeros(8, complex), law_x=np.zeros(inputs), law_y=np.zeros(8),
        stack=np.zeros(stack, complex), block_scratch=np.zeros(loads.forces.block_scratch, complex),
    )  # fmt: skip
