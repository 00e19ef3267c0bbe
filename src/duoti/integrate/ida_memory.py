"""What IDA's kernels keep between calls, and how they find it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.integrate.record import RecordLayout
from duoti.integrate.state import Run, example_run, new_run, one
from duoti.kernel import ContextType, address_of, pack, record_dtype
from duoti.system.arrays import WORKS
from duoti.system.context import example_tree
from duoti.system.system import System

DEGREE = 5  # of the polynomial through a step: the highest order of BDF

BLOCK_BYTES = 4096

SCALARS = record_dtype("IdaScalars", tried=float, kappa=float, tries=int)


class Memory(NamedTuple):
    """What the kernels keep between calls. n = length of Y, ny = length of the state without multipliers."""

    scalars: Any  # [1] tried: time of the last trial step; kappa; tries: trial steps since the last finished one
    velocity_row: Any  # [rows] 1: restricts velocities only
    compliance: Any  # [2, rows] s of lambda and of mu
    rate: Any  # [nv] scratch
    Y: Any  # [n] of the last trial
    Y_rate: Any  # [n]
    residual: Any  # [n]
    begin: Any  # [ny] IDA's state at the beginning of the step; run.y is that brought back to closed loops
    samples: Any  # [4, ny] IDA's states at 1/3 and 2/3 of the step, and their rates times the step
    samples_x: Any  # [2, rows] IDA's multipliers at 1/3 and 2/3 of the step
    fit: Any  # [DEGREE, 5] coefficients of theta, theta², ... from samples and end, as changes since the beginning


def new_memory(tree: Any, rows: int) -> Memory:
    """Zeros, and the polynomial's coefficients from values at 1/3, 2/3, 1 and rates at 1/3, 2/3."""
    ny = tree.nq + tree.nv + tree.nz + WORKS
    n = ny + 2 * rows
    powers = np.arange(1, DEGREE + 1)
    thirds = np.array([1.0, 2.0]) / 3.0
    values = np.array([*thirds, 1.0])[:, None] ** powers
    rates = powers * thirds[:, None] ** (powers - 1)
    return Memory(
        scalars=one(SCALARS), velocity_row=np.zeros(rows, np.int64),
        compliance=np.zeros((2, rows)), rate=np.zeros(tree.nv), Y=np.zeros(n), Y_rate=np.zeros(n),
        residual=np.zeros(n), begin=np.zeros(ny), samples=np.zeros((4, ny)),
        samples_x=np.zeros((2, rows)),
        fit=np.ascontiguousarray(np.linalg.inv(np.vstack([values, rates]))),
    )  # fmt: skip


def _example() -> tuple[Any, ...]:
    return example_run(), new_memory(example_tree(), 0)


IDA_CONTEXT = ContextType(_example)


class Packed(NamedTuple):
    """A run and its memory, and the block in which kernels find both: handing over an address costs nothing."""

    run: Run
    memory: Memory
    block: Any

    def repack(self) -> None:
        """Tell the kernels where the arrays are."""
        pack(self.block, (self.run, self.memory), IDA_CONTEXT)

    @property
    def address(self) -> int:
        """Of the block."""
        return address_of(self.block)


def new_packed(system: System, times: Any, layout: RecordLayout) -> Packed:
    """Arrays for a run with outputs at `times` (None: at steps)."""
    run = new_run(system.tree, system.loads, 1, DEGREE, times, nx=layout.size)
    memory = new_memory(system.tree, system.closures.rows)
    memory.velocity_row[:] = system.closures.velocity_row
    packed = Packed(run, memory, np.zeros(BLOCK_BYTES // 8))
    packed.repack()
    return packed
