"""All derivatives of the equations of motion (`dynamics.derivatives.linearise`) with a complex step in a direction.

With p + i h in place of a number p of the model and q + i h dq/dp, v + i h dv/dp, ... in place of the state, the
imaginary parts of K, C, M, Z, G, Gq, Aq, Av, Fq, Fv and Fz over h are their derivatives by p along the way that the
state goes with p (an equilibrium that moves), to round-off. Laws are differentiated twice by `evaluate_slope`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.derivatives.by_parameters import STEP, PerturbedEquations
from duoti.dynamics.derivatives.constraints import acceleration_derivatives
from duoti.dynamics.derivatives.forces import state_tangents
from duoti.dynamics.derivatives.linearise import linearise
from duoti.elements.equation_types import perturbed_equation_tangents
from duoti.elements.force_types import perturbed_force_tangent
from duoti.kernel import address_of, entry, entry_address, pack, run_entry, unpack
from duoti.kernel.decorators import plain  # by its file: in plain Python the package has a module of this name
from duoti.spatial.algebra import quaternion_rate
from duoti.system.arrays import Reals, runs_of
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.context import PERTURBED_CONTEXT, PERTURBED_TANGENT_CONTEXT
from duoti.system.path_scratch import allocate_path_scratch
from duoti.system.system import System
from duoti.system.tangent_arrays import allocate_tangent

BYTES = 4096


@entry
def perturbed_linearise_entry(context):
    """Entry: K, C, M, Z, Gq, w.G, and Aq, Av where there are closures; see `linearise_entry`."""
    tree, loads, closures, w = unpack(context, PERTURBED_CONTEXT)
    tan, path = unpack(w.at[0].tangent, PERTURBED_TANGENT_CONTEXT)
    nq, nv = tree.nq, tree.nv
    q, v, a = w.y[:nq], w.y[nq : nq + nv], w.ydot[nq : nq + nv]
    linearise(tree, loads, closures, w, tan, path, w.clock[0], q, v, a)
    if closures.rows > 0:
        acceleration_derivatives(tree, loads, closures, w, tan, path, q, v, a)


@entry
def perturbed_state_tangents_entry(context):
    """Entry: Fq, Fv, Fz in the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, PERTURBED_CONTEXT)
    tan, path = unpack(w.at[0].tangent, PERTURBED_TANGENT_CONTEXT)
    state_tangents(tree, loads, w, tan, path)


class Direction(NamedTuple):
    """How the state and what is held with it change with a number of the model."""

    delta: Reals  # [nv] displacement
    v: Reals
    z: Reals
    a: Reals
    multipliers: Reals


class PerturbedTangent:
    """The derivatives of a system in the state that its perturbed equations were put in."""

    def __init__(self, equations: PerturbedEquations):
        self.equations = equations
        system, w = equations.system, equations.work
        self.tangent = allocate_tangent(equations.tree, equations.closures, complex)
        self.path = allocate_path_scratch(equations.tree, system.loads, system.stack_depth, dtype=complex)
        self.block = np.zeros(BYTES // 8)
        pack(self.block, (self.tangent, self.path), PERTURBED_TANGENT_CONTEXT)
        w.at[0].tangent = address_of(self.block)
        forces = system.loads.forces
        types = [system.force_types[forces.kind[first]] for first in runs_of(forces)[:-1]]
        w.types.force_tangent[:] = [entry_address(perturbed_force_tangent(cls)) for cls in types]
        rows = [perturbed_equation_tangents(cls) for cls in system.equation_kinds]
        w.types.equation_tangent[:] = [entry_address(tangent) for tangent, _ in rows]
        w.types.equation_acceleration[:] = [entry_address(acceleration) for _, acceleration in rows]
        if system.nz:
            w.calls[0].state_tangents = entry_address(perturbed_state_tangents_entry)
        self.address = entry_address(perturbed_linearise_entry)

    def evaluate(self, changes: dict[tuple[str, ...], Reals], along: Direction) -> dict[str, Any]:
        """The matrices by their names, complex: derivatives in this direction are their imaginary parts over STEP."""
        x, w, system = self.equations, self.equations.work, self.equations.system
        nq, nv, nz = system.nq, system.nv, system.nz
        x.step(changes)
        q = w.y[:nq].real
        change = np.concatenate([coordinate_change(system, q, along.delta), along.v, along.z])
        w.y.imag[: nq + nv + nz] = STEP * change
        w.ydot.imag[nq : nq + nv], w.multipliers.imag[:] = STEP * along.a, STEP * along.multipliers
        run_entry(self.address, w.at[0].system)
        t = self.tangent
        found = {name: getattr(t, name).copy() for name in ("K", "C", "M", "Z", "Gq", "Aq", "Av", "Fq", "Fv", "Fz")}
        w.y.imag[:], w.ydot.imag[:], w.multipliers.imag[:] = 0.0, 0.0, 0.0
        return {**found, "G": dense_jacobian(system.closures, nv, w.G)}


def coordinate_change(system: System, q: Reals, delta: Reals) -> Reals:
    """dq of a displacement: itself, or the change of a quaternion."""
    tree, change = system.tree, np.zeros(system.nq)
    change[tree.plain_q] = delta[tree.plain_v]
    rate: Any = plain(quaternion_rate)
    for k, j in zip(tree.quat_q, tree.quat_v, strict=True):
        change[k : k + 4] = rate(*q[k : k + 4], tuple(delta[j : j + 3]))
    return change
