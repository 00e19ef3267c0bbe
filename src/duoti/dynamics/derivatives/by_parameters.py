"""The equations of motion and of the closures with a complex step in the numbers of the model.

With p + i h in place of a number p of the model (a length, an inertia, a stiffness: `system.context.PERTURBED`), and
all of q, v, a and lambda held, the imaginary parts over h are the derivatives by p, to round-off (Squire, Trapp 1998):

    r = M a + h - forces - G^T lambda,    g,    dg/dt = G v + g_t,    G a - gamma,    dz/dt = f
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.events import evaluate_events
from duoti.dynamics.loops.constraints import (
    ALL,
    add_closure_wrenches,
    call_values,
    closure_jacobian,
    evaluate_closures,
    evaluate_values,
)
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, world_poses
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.tree.states import call_states, evaluate_states
from duoti.elements.equation_types import perturbed_equation_entry
from duoti.elements.force_types import perturbed_force_entry
from duoti.kernel import address_of, entry, entry_address, pack, run_entry, unpack
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.allocation import allocate
from duoti.system.arrays import GROUP_WORDS, Group, Reals, runs_of
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.context import GROUP_CONTEXT, PERTURBED_CONTEXT
from duoti.system.number_pool import numbers_of, with_numbers
from duoti.system.system import System

STEP = 1e-40  # its square vanishes beside one
BYTES = 16_384


@entry
def perturbed_entry(context):
    """Entry: in the state w.y at the time w.clock, with accelerations in w.ydot and the multipliers w.multipliers."""
    tree, loads, closures, w = unpack(context, PERTURBED_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    for i in range(nv):
        w.a_free[i], w.u[i] = 0.0, a[i]
    rnea_outward(tree, w, v, w.a_free)  # gamma is that of zero accelerations
    for i in range(nv):
        a[i] = w.u[i]  # flexible bodies have put these into w.ydot
    if closures.rows > 0:
        call_values(closures, w, w.clock[0])
        evaluate_closures(loads, closures, w, q, v, ALL)
        closure_jacobian(tree, loads, closures, w)
    rnea_outward(tree, w, v, a)
    for b in range(tree.nb):
        put_spatial(w.F_ext, b, ZERO6)
    call_forces(tree, loads, w, w.clock[0], q, v)
    call_states(tree, w)
    if closures.rows > 0:
        add_closure_wrenches(loads, closures, w)
    subtract_external(tree, w, w.F)
    rnea_inward(tree, w, a, w.a_free)
    for i in range(nv):
        w.a_free[i] -= w.tau[i]


@entry
def perturbed_states_entry(context):
    """Entry: the rates of z in w.ydot; needs world_poses and velocities."""
    tree, loads, _, w = unpack(context, PERTURBED_CONTEXT)
    evaluate_states(tree, loads, w)


@entry
def perturbed_values_entry(context):
    """Entry: values of the rows that change with time, and their derivatives, at the time w.clock."""
    tree, loads, closures, w = unpack(context, PERTURBED_CONTEXT)
    evaluate_values(tree, loads, closures, w)


@entry
def perturbed_events_entry(context):
    """Entry: in the state w.y, dq/dt in w.ydot and the event functions in w.event."""
    tree, loads, _, w = unpack(context, PERTURBED_CONTEXT)
    calc_qdot(tree, w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv], w.ydot[: tree.nq])
    evaluate_events(tree, loads, w)


class Slopes(NamedTuple):
    """Derivatives by a number of the model, all else held."""

    r: Reals  # [nv] of the equations of motion
    c: Reals  # [rows] of G a - gamma
    gdot: Reals  # [rows]
    g: Reals  # [rows]
    zdot: Reals  # [nz]


class PerturbedEquations:
    """The equations of a system in a state, whose derivatives by numbers of the model are asked for."""

    def __init__(self, system: System):
        self.system = system
        real = numbers_of(system)
        self.pool = np.concatenate([array.ravel() for array in real.values()]).astype(complex)
        ends = np.cumsum([array.size for array in real.values()])[:-1]
        parts = np.split(self.pool, ends)  # views
        self.numbers = {path: part.reshape(real[path].shape) for path, part in zip(real, parts, strict=True)}
        tree, loads, closures = (
            with_numbers(getattr(system, part), (part,), self.numbers) for part in ("tree", "loads", "closures")
        )
        self.work = work = allocate(tree, loads, closures, complex, stack=system.stack_depth)
        self.block = np.zeros(BYTES // 8)
        self.work.at[0].system = address_of(self.block)
        pack(self.block, (tree, loads, closures, work), PERTURBED_CONTEXT)
        if closures.timed:
            work.calls[0].values = entry_address(perturbed_values_entry)
        if tree.nz:
            work.calls[0].states = entry_address(perturbed_states_entry)
        self._add_types()
        self.address = entry_address(perturbed_entry)
        self.tree, self.loads, self.closures = tree, loads, closures

    def _add_types(self) -> None:
        system, types = self.system, self.work.types
        forces, kinds = system.loads.forces, system.closures.kind.tolist()
        runs = runs_of(forces)
        laws = [perturbed_force_entry(system.force_types[forces.kind[first]]) for first in runs[:-1]]
        rows = [perturbed_equation_entry(cls) for cls in system.equation_kinds]
        spans = [*pairwise(runs), *pairwise(kinds)]
        assert types.memory.shape == (len(spans), GROUP_WORDS)
        for memory, span in zip(types.memory, spans, strict=True):
            pack(memory, (Group(int(self.work.at[0].system), *span),), GROUP_CONTEXT)
        addresses = [address_of(memory) for memory in types.memory]
        types.force_group[:], types.equation_group[:] = addresses[: len(laws)], addresses[len(laws) :]
        types.force[:] = [entry_address(each) for each in laws]
        types.row[:] = [entry_address(each) for each in rows]

    def put(self, q: Reals, v: Reals, z: Reals, t: float, a: Reals, multipliers: Reals) -> None:
        """Set the state, the time, and what is held with them."""
        nq, nv = self.system.nq, self.system.nv
        w = self.work
        w.y[:nq], w.y[nq : nq + nv], w.y[nq + nv : nq + nv + self.system.nz] = q, v, z
        w.ydot[nq : nq + nv], w.multipliers[:], w.clock[0] = a, multipliers, t
        self.a = a

    def step(self, changes: dict[tuple[str, ...], Reals]) -> None:
        """Set the imaginary parts of the arrays, and of what the workspace has of them."""
        for path, array in self.numbers.items():
            array.imag = STEP * changes[path] if path in changes else 0.0
        if ("tree", "H0") in self.numbers:
            self.work.H[:] = self.numbers["tree", "H0"]
        self.work.values[:, 0] = self.numbers["closures", "value"]

    def slopes(self, changes: dict[tuple[str, ...], Reals]) -> Slopes:
        """Derivatives of the equations in the direction of these changes of the arrays."""
        self.step(changes)
        return Slopes(*(part.imag / STEP for part in self._evaluate()))

    def values(self) -> Slopes:
        """The equations themselves."""
        self.step({})
        return Slopes(*(part.real.copy() for part in self._evaluate()))

    def _evaluate(self) -> tuple[Any, ...]:
        w, nv, nz = self.work, self.system.nv, self.system.nz
        first = self.system.nq + nv
        run_entry(self.address, w.at[0].system)
        G = dense_jacobian(self.system.closures, nv, w.G)
        return w.a_free, G @ self.a - w.gamma, w.gdot, w.g, w.ydot[first : first + nz]
