"""`PathScratch`: derivatives of what acts between two bodies, by the rates on the path from one to the other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.system.arrays import Loads, Tree


class PathScratch(NamedTuple):
    """The rates on the path between two bodies, and derivatives by them. Each field says which function writes it.

    Not more than nv rates are on a path; the first n places of each list are in use.
    """

    rate: Any  # [nv] rates, from body b inward, then from body a inward; model.pairs.path_between
    side: Any  # [nv] 1 on b's side, -1 on a's; path_between
    first: Any  # [nv] where the rates of the same joint begin in these lists; path_between
    columns: Any  # [nv, 6] columns of these rates times their sides; model.pairs.add_pair
    W_q: Any  # [nv, 6] change of the wrench on b when b moves like the rate would move it; the element's own function
    W_v: Any  # [nv, 6] the same for its velocity; the element's own function
    row_q: Any  # [1, nv] derivatives of a law; zero between uses; model.law_gradient
    row_v: Any  # [1, nv]
    row_z: Any  # [1, nz]
    gradient: Any  # [1] address of the entry for derivatives of laws; workspace.new_linearisation
    order: Any  # [4] whole numbers for what is to be done next; pairs.pair_ready, law_gradient.call_gradient, ...
    numbers: Any  # [5] real numbers likewise
    wrench: Any  # [1, 6] likewise
    coordinate: Any  # [nq, 2] rate of a coordinate and -1, or first rate and component of a quaternion; constant
    law_in: Any  # [..] complex inputs of a law; model.law_gradient
    law_out: Any  # [8] complex outputs of a function law
    law_x: Any  # [..] real numbers that a function gets ...
    law_y: Any  # [8] ... and gives
    stack: Any  # [..] complex scratch of expressions


def allocate_path_scratch(tree: Tree, loads: Loads, stack: int = 64, fill: float = 0.0) -> PathScratch:
    """Arrays for a system; `fill` is for tests that poison the scratch."""
    nv = tree.nv
    coordinate = np.full((tree.nq, 2), -1, np.int64)
    coordinate[tree.plain_q, 0] = tree.plain_v
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        coordinate[k : k + 4, 0] = j
        coordinate[k : k + 4, 1] = np.arange(4)
    inputs = 1 + int(np.max(loads.law_signals[:, 1] - loads.law_signals[:, 0], initial=0))
    return PathScratch(
        rate=np.zeros(nv, np.int64), side=np.full(nv, fill), first=np.zeros(nv, np.int64),
        columns=np.full((nv, 6), fill), W_q=np.full((nv, 6), fill), W_v=np.full((nv, 6), fill),
        row_q=np.zeros((1, nv)), row_v=np.zeros((1, nv)), row_z=np.zeros((1, tree.nz)),
        gradient=np.zeros(1, np.int64), order=np.zeros(4, np.int64), numbers=np.zeros(5), wrench=np.zeros((1, 6)),
        coordinate=coordinate,
        law_in=np.zeros(inputs, complex), law_out=np.zeros(8, complex), law_x=np.zeros(inputs), law_y=np.zeros(8),
        stack=np.zeros(stack, complex),
    )  # fmt: skip
