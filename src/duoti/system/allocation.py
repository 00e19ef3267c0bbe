"""Workspaces: all arrays of one (`arrays.Work`) in one block of memory, laid out once for a system.

A run makes a workspace, and a short run takes hardly longer than that. Where the arrays of a system's workspaces are
and how large they are is the same for all of them, so that the words by which kernels find them (`kernel.packing`)
follow from the address of the block.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from duoti.kernel import address_of, flatten, remember
from duoti.system.arrays import (
    FRAME_NUMBERS,
    GROUP_WORDS,
    N_ENTRIES,
    PROXIMAL,
    Closures,
    Laws,
    Loads,
    Reals,
    Tree,
    TypeEntries,
    Work,
    by_mass_matrix,
    runs_of,
    size_of_state,
)

LINE = 64  # bytes: arrays begin at a line of the processor's cache
REAL, WHOLE = np.dtype(np.float64), np.dtype(np.int64)
TYPES = Work._fields.index("types")


SIGNATURES: dict[Any, str] = {}
"""Of workspaces by their number type: sizes have no part in it."""


class WorkPlan:
    """Where the arrays of a workspace are. `block` numbers are for contexts (`Work.block`)."""

    def __init__(
        self, tree: Tree, loads: Loads, closures: Closures, dtype: type = float, stack: int = 64, block: int = 0
    ):
        self.H0, self.values = tree.H0, closures.value
        self.constraint_method = _constraint_numbers(tree, closures.rows)
        numbers, others = _shapes(tree, loads, closures, stack, block)
        others["constraint_method"] = ((len(self.constraint_method),), REAL)
        shapes = {name: (shape, np.dtype(dtype)) for name, shape in numbers.items()} | others
        order = [*Work._fields[:TYPES], *TypeEntries._fields, *Work._fields[TYPES + 1 :]]
        self.places: list[tuple[tuple[int, ...], Any, int]] = []
        self.poisoned = [k for k, name in enumerate(order) if name in numbers]
        here, words, is_address = 0, list[int](), list[int]()
        for name in order:
            shape, kind = shapes[name]
            self.places.append((shape, kind, here))
            words += (here, *shape)  # as `packing` has it, if the memory began at zero
            is_address += (1, *(0,) * len(shape))
            here += -(-math.prod(shape) * kind.itemsize // LINE) * LINE
        self.size, self.dtype = here // 8, np.dtype(dtype)
        self.words, self.is_address = np.array(words, np.int64), np.array(is_address, np.int64)

    def new(self, fill: float = 0.0) -> Work:
        """A workspace without entries; `fill` is for tests that poison it."""
        memory = np.zeros(self.size)
        arrays = [np.ndarray(shape, kind, memory, place) for shape, kind, place in self.places]
        after = TYPES + len(TypeEntries._fields)
        w = Work._make([*arrays[:TYPES], TypeEntries(*arrays[TYPES:after]), *arrays[after:]])
        if fill != 0.0:
            for k in self.poisoned:
                arrays[k][...] = fill
            w.G[:] = 0.0  # of it only the entries between the bodies of a closure are ever written
            w.values[:] = 0.0
        w.H[:] = self.H0
        w.constraint_method[:] = self.constraint_method
        if len(self.values):
            w.values[:, 0] = self.values
        if self.dtype not in SIGNATURES:
            SIGNATURES[self.dtype] = flatten((w,))[1]
        remember(w, (self.words + address_of(memory) * self.is_address).tolist(), SIGNATURES[self.dtype])
        return w


def allocate(tree: Tree, loads: Loads, closures: Closures, dtype: type = float, stack: int = 64) -> Work:
    """Arrays of a workspace, without entries. See `dynamics.workspace`."""
    return WorkPlan(tree, loads, closures, dtype, stack).new()


def _constraint_numbers(tree: Tree, rows: int) -> Reals:
    """Work.constraint_method, to begin with."""
    singular = np.zeros(rows + tree.nq + 4 * tree.nv + 3 if rows else 1)
    return np.concatenate([PROXIMAL, np.ones(size_of_state(tree)), singular])


def _shapes(
    tree: Tree, loads: Loads, closures: Closures, stack: int, block: int
) -> tuple[dict[str, tuple[int, ...]], dict[str, tuple[tuple[int, ...], Any]]]:
    """Shapes of the arrays of the workspace's number type, and shapes and types of the others."""
    nb, nv, nc, rows = tree.nb, tree.nv, tree.nc, closures.rows
    n, mass = (nv, nv + int(tree.depth.sum())) if rows or by_mass_matrix(tree) else (0, 0)
    entries, algebraic = len(closures.support_rates), tree.nz - int(np.count_nonzero(loads.laws.state_mass))
    profile = int((np.arange(1, rows + 1) - closures.profile[:rows]).sum()) if rows else 0
    ny, inputs = size_of_state(tree), most_inputs(loads.laws)
    groups, kinds = len(runs_of(loads.forces)) - 1, len(closures.kind) - 1
    numbers: dict[str, tuple[int, ...]] = {
        "X_PB": (nb, 12), "H": (nc, 6), "c": (nb, 6), "X_WB": (nb, 12), "V": (nb, 6), "C": (nb, 6), "A": (nb, 6),
        "F": (nb, 6), "F_ext": (nb, 6), "tau": (max(nv, 1),), "powers": (3,), "force_powers": (loads.forces.count, 3),
        "P": (nb, 6), "Y": (nb, 21), "U": (nv, 6), "D": (nv,), "u": (nv,), "X_RB": (nb, 12), "I_R": (nb, 10),
        "S_R": (6, nc), "y": (ny,), "ydot": (ny,), "event": (max(len(loads.laws.event_law), 1),),
        "algebra": (algebraic, algebraic + 5), "g": (rows,), "gdot": (rows,), "gamma": (rows,), "values": (rows, 3),
        "frames": (closures.count, FRAME_NUMBERS), "terms": (len(closures.term_q), 3), "row_wrench": (rows, 6),
        "S_W": (6, nc if n else 0), "G": (entries,), "M": (mass,), "L_G": (entries,),
        "delassus": (profile,), "dense_row": (n,),
        "scaling": (rows,), "multipliers": (rows,), "rhs": (rows,), "solution": (rows,), "a_free": (nv,),
        "law_in": (inputs,), "law_out": (8,), "stack": (stack,), "body_tau": (nv if tree.flexible else 0,),
        "body_sums": (12,),
    }  # fmt: skip
    others: dict[str, tuple[tuple[int, ...], Any]] = {
        "clock": ((1,), REAL), "law_x": ((inputs,), REAL), "law_y": ((8,), REAL), "block": ((block,), REAL),
        "body_entry": ((nb if tree.flexible else 0,), WHOLE), "body_task": ((2,), WHOLE),
        "entries": ((N_ENTRIES,), WHOLE), "context": ((6,), WHOLE), "memory": ((groups + kinds, GROUP_WORDS), REAL),
    }  # fmt: skip
    others |= dict.fromkeys(("force", "force_tangent", "force_group"), ((groups,), WHOLE))
    others |= dict.fromkeys(("row", "row_tangent", "row_acceleration", "row_group"), ((kinds,), WHOLE))
    return numbers, others


def most_inputs(laws: Laws) -> int:
    """Room for the inputs of a law."""
    ends = laws.law_signals
    return 1 + (int((ends[:, 1] - ends[:, 0]).max()) if len(ends) else 0)
