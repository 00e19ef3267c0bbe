"""Workspaces: all arrays of one (`arrays.Work`) in one block of memory, laid out once for a system.

A run makes a workspace, and a short run takes hardly longer than that. Where the arrays of a system's workspaces are
and how large they are is the same for all of them, so that the words by which kernels find them (`kernel.packing`)
follow from the address of the block.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from duoti.kernel import address_of, flatten, remember
from duoti.kernel.lanes import LINE, aligned_zeros
from duoti.system.arrays import (
    CALLS,
    CONSTRAINT_SETTINGS,
    CONTEXTS,
    ENERGY_ACCUMULATORS,
    FRAME_NUMBERS,
    GROUP_WORDS,
    LOOPS,
    WANTED,
    Closures,
    ConstraintSettings,
    Ints,
    Laws,
    Loads,
    Tree,
    TypeEntries,
    Work,
    by_mass_matrix,
    runs_of,
    size_of_state,
)
from duoti.system.stages import N_STAGES

REAL, INTEGER = np.dtype(np.float64), np.dtype(np.int64)
TYPES = Work._fields.index("types")
LEAST_NORM = np.array([ConstraintSettings()], CONSTRAINT_SETTINGS)


SIGNATURES: dict[Any, str] = {}
"""Of workspaces by their number type: sizes have no part in it."""


class Sizes(NamedTuple):
    """What the sizes of the arrays of a workspace follow from."""

    nb: int
    nq: int
    nv: int
    nc: int
    ny: int
    rows: int
    closures: int
    terms: int
    entries: int  # of G
    profile: int  # entries of the Delassus matrix
    n: int  # rates, if there is a mass matrix
    mass: int  # entries of the mass matrix
    forces: int
    groups: int  # of force elements
    kinds: int  # of rows
    events: int
    algebraic: int
    inputs: int
    flexible: int
    stack: int
    block_scratch: int
    block_lists: int
    block: int


class WorkLayout(NamedTuple):
    """Where the arrays of a workspace are in its memory, the same for all systems of the same sizes."""

    places: tuple[tuple[tuple[int, ...], Any, int], ...]  # shape, type, first byte of each array
    poisoned: tuple[int, ...]  # those that tests fill with NaN
    size: int
    words: Ints  # as `kernel.packing` has them, if the memory began at zero
    is_address: Ints  # 1 for those of the words that count from there


class WorkPlan:
    """Where the arrays of a workspace are, and what stands in them to begin with.

    `block` numbers are for contexts (`Work.block`).
    """

    def __init__(
        self, tree: Tree, loads: Loads, closures: Closures, dtype: Any = float, stack: int = 64, block: int = 0
    ):
        self.H0, self.values = tree.H0, closures.value
        self.dtype = np.dtype(dtype)
        self.layout = _layout(_sizes(tree, loads, closures, stack, block), self.dtype)

    def new(self, fill: float = 0.0, memory: Any = None) -> Work:
        """A workspace without entries, in memory [layout.size] if given; `fill` is for tests that poison it."""
        layout = self.layout
        if memory is None:
            memory = aligned_zeros(layout.size)
        arrays = [np.ndarray(shape, kind, memory, place) for shape, kind, place in layout.places]
        after = TYPES + len(TypeEntries._fields)
        w = Work._make([*arrays[:TYPES], TypeEntries(*arrays[TYPES:after]), *arrays[after:]])
        if fill != 0.0:
            for k in layout.poisoned:
                arrays[k][...] = fill
            w.G[:] = 0.0  # of it only the entries between the bodies of a closure are ever written
            w.values[:] = 0.0
        w.H[:] = self.H0
        w.method[:] = LEAST_NORM
        w.loops["rank"] = -1
        w.error_weights[:-ENERGY_ACCUMULATORS] = 1.0
        if len(self.values):
            w.values[:, 0] = self.values
        if self.dtype not in SIGNATURES:
            SIGNATURES[self.dtype] = flatten((w,))[1]
        words = layout.words + address_of(memory) * layout.is_address
        remember(w, words.tolist(), SIGNATURES[self.dtype])
        return w


def allocate(tree: Tree, loads: Loads, closures: Closures, dtype: Any = float, stack: int = 64) -> Work:
    """Arrays of a workspace, without entries. See `dynamics.workspace`."""
    return WorkPlan(tree, loads, closures, dtype, stack).new()


def _sizes(tree: Tree, loads: Loads, closures: Closures, stack: int, block: int) -> Sizes:
    nv, rows = tree.nv, closures.rows
    n, mass = (nv, nv + int(tree.depth.sum())) if rows or by_mass_matrix(tree) else (0, 0)
    profile = int((np.arange(1, rows + 1) - closures.profile[:rows]).sum()) if rows else 0
    return Sizes(
        nb=tree.nb, nq=tree.nq, nv=nv, nc=tree.nc, ny=size_of_state(tree), rows=rows, closures=closures.count,
        terms=len(closures.term_q), entries=len(closures.support_dofs), profile=profile, n=n, mass=mass,
        forces=loads.forces.count, groups=len(runs_of(loads.forces)) - 1, kinds=len(closures.kind) - 1,
        events=len(loads.laws.event_law), algebraic=tree.nz - int(np.count_nonzero(loads.laws.state_mass)),
        inputs=most_inputs(loads.laws), flexible=tree.flexible, stack=stack,
        block_scratch=loads.forces.block_scratch, block_lists=loads.forces.block_lists, block=block,
    )  # fmt: skip


@lru_cache(maxsize=256)
def _layout(sizes: Sizes, dtype: Any) -> WorkLayout:
    """All arrays one behind the other, each from the beginning of a line of the cache."""
    numbers, others = _shapes(sizes)
    shapes = {name: (shape, dtype) for name, shape in numbers.items()} | others
    order = [*Work._fields[:TYPES], *TypeEntries._fields, *Work._fields[TYPES + 1 :]]
    places: list[tuple[tuple[int, ...], Any, int]] = []
    here, words, is_address = 0, list[int](), list[int]()
    for name in order:
        shape, kind = shapes[name]
        places.append((shape, kind, here))
        words += (here, *shape)
        is_address += (1, *(0,) * len(shape))
        here += -(-math.prod(shape) * kind.itemsize // LINE) * LINE
    poisoned = tuple(k for k, name in enumerate(order) if name in numbers)
    return WorkLayout(tuple(places), poisoned, here // 8, np.array(words, np.int64), np.array(is_address, np.int64))


def _shapes(s: Sizes) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[tuple[int, ...], Any]]]:
    """Shapes of the arrays of the workspace's number type, and shapes and types of the others."""
    nb, nv, nc, rows = s.nb, s.nv, s.nc, s.rows
    numbers: dict[str, tuple[int, ...]] = {
        "X_PB": (nb, 12), "H": (nc, 6), "c": (nb, 6), "X_WB": (nb, 12), "V": (nb, 6), "C": (nb, 6), "A": (nb, 6),
        "F": (nb, 6), "F_ext": (nb, 6), "tau": (max(nv, 1),), "powers": (3,), "force_powers": (s.forces, 3),
        "P": (nb, 6), "Y": (nb, 21), "U": (nv, 6), "D": (nv,), "u": (nv,), "X_RB": (nb, 12), "I_R": (nb, 10),
        "S_R": (6, nc), "y": (s.ny,), "ydot": (s.ny,), "event": (max(s.events, 1),),
        "algebra": (s.algebraic, s.algebraic + 5), "g": (rows,), "gdot": (rows,), "gamma": (rows,), "values": (rows, 3),
        "frames": (s.closures, FRAME_NUMBERS), "terms": (s.terms, 3), "equation_wrench": (rows, 6),
        "S_W": (6, nc if s.n else 0), "G": (s.entries,), "M": (s.mass,), "L_G": (s.entries,),
        "delassus": (s.profile,), "dense_row": (s.n,),
        "scaling": (rows,), "multipliers": (rows,), "rhs": (rows,), "solution": (rows,), "a_free": (nv,),
        "law_in": (s.inputs,), "law_out": (8,), "stack": (s.stack,),
        "block_scratch": (s.block_scratch,), "body_tau": (nv if s.flexible else 0,),
        "body_sums": (12,),
    }  # fmt: skip
    others: dict[str, tuple[tuple[int, ...], Any]] = {
        "clock": ((1,), REAL), "law_x": ((s.inputs,), REAL), "law_y": ((8,), REAL), "block": ((s.block,), REAL),
        "body_entry": ((nb if s.flexible else 0,), INTEGER), "body_task": ((2,), INTEGER),
        "block_lists": ((s.block_lists,), INTEGER),
        "calls": ((1,), CALLS), "at": ((1,), CONTEXTS), "memory": ((s.groups + s.kinds, GROUP_WORDS), REAL),
        "method": ((1,), CONSTRAINT_SETTINGS), "loops": ((1,), LOOPS), "error_weights": ((s.ny,), REAL),
        "usual_pivots": ((rows,), REAL), "kept": ((s.nq + nv if rows else 0,), REAL),
        "passage": ((3, nv if rows else 0), REAL), "wanted": ((1,), WANTED), "stages": ((N_STAGES,), INTEGER),
    }  # fmt: skip
    others |= dict.fromkeys(("force", "force_tangent", "force_group"), ((s.groups,), INTEGER))
    others |= dict.fromkeys(
        ("row", "equation_tangent", "equation_acceleration", "equation_group"), ((s.kinds,), INTEGER)
    )
    return numbers, others


def most_inputs(laws: Laws) -> int:
    """Room for the inputs of a law."""
    ends = laws.law_signals
    return 1 + (int((ends[:, 1] - ends[:, 0]).max()) if len(ends) else 0)
