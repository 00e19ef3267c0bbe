"""Everything that can be observed of a motion, computed from its stored states."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.tree.energy import gravity_energy, kinetic_energy, momentum
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import accelerations, poses_and_velocities
from duoti.dynamics.tree.reactions import closing_wrench, constraint_wrenches
from duoti.dynamics.tree.rnea import rnea_inward, rnea_outward, subtract_external
from duoti.dynamics.tree.states import call_states
from duoti.dynamics.workspace import DEFAULT, add_given_multipliers, new_workspace
from duoti.elements.markers import write_acceleration, write_frame
from duoti.integrate.state import call_with_state, state_rates
from duoti.kernel import cold_kernel, part, signature, unpack
from duoti.system.arrays import Ints, Reals, Work, size_of_state
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

# what `observe` computes
FRAMES, ENERGIES, ACCELERATIONS, REACTIONS, STATE_RATES, POWERS = 1, 2, 4, 8, 16, 32
BY_ACCELERATIONS = 64  # forces depend on accelerations, which are found first
ROWS_AT_ONCE = 1 << 14  # states that are read from a file at a time


@cold_kernel("i i d1 d2 d2 l1 l1 d3 d2 d2 d3 d1")
def _observe(context, what, t, y, x, markers, forces, frames, energies, zdot, powers, rates):
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        q, v = y[n][:nq], y[n][nq : nq + nv]
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        if what & BY_ACCELERATIONS:
            _accelerate(closures, w, t[n], y[n], x[n], rates)
        poses_and_velocities(tree, w, q, v)
        if what & FRAMES:
            for m in range(markers.shape[0]):
                write_frame(loads, w, markers[m], frames[n, m])
        if what & ENERGIES:
            call_forces(tree, loads, w, t[n], q, v)
            energies[n, 0] = kinetic_energy(tree, w, v)
            energies[n, 1] = gravity_energy(tree, w)
            energies[n, 2], energies[n, 3], energies[n, 4] = w.powers[0], w.powers[1], w.powers[2]
            momentum(tree, w, energies[n][5:])
        if what & POWERS:
            call_forces(tree, loads, w, t[n], q, v)
            for f in range(forces.shape[0]):
                for i in range(3):
                    powers[n, f, i] = w.force_powers[forces[f], i]
        if what & STATE_RATES:
            w.clock[0] = t[n]
            call_states(tree, w)
            for i in range(tree.nz):
                zdot[n, i] = w.ydot[nq + nv + i]


@part
def _accelerate(closures, w, t, y, x, rates):
    """Rates of a state: those that belong to the multipliers x, if these were recorded."""
    if x.shape[0] > 0 and x[0] == x[0]:  # not NaN
        for r in range(closures.rows):
            w.multipliers[r] = x[r]
        call_with_state(w, w.calls[0].given_multipliers, t, y)
        for i in range(y.shape[0]):
            rates[i] = w.ydot[i]
    else:
        state_rates(w, t, y, rates)


@cold_kernel("i i d1 d2 d2 l1 d2 d3 d3 d3 d2 d1")
def _observe_accelerations(
    context, what, t, y, x, markers, a, frame_accelerations, wrenches, closing, multipliers, rates
):  # fmt: skip
    """Accelerations and reactions apart: few ask for them, and all compile the rest."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        q, v = y[n][:nq], y[n][nq : nq + nv]
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        _accelerate(closures, w, t[n], y[n], x[n], rates)
        for i in range(nv):
            a[n, i] = rates[nq + i]
        poses_and_velocities(tree, w, q, v)  # near singular positions, the rates leave C of a state beside this one
        accelerations(tree, w, a[n])
        for m in range(markers.shape[0]):
            write_acceleration(loads, w, markers[m], frame_accelerations[n, m])
        if what & REACTIONS:
            for r in range(closures.rows):
                multipliers[n, r] = w.multipliers[r]
            for closure in range(closures.count):
                closing_wrench(loads, closures, w, closure, closing[n, closure])
            rnea_outward(tree, w, v, a[n])
            subtract_external(tree, w, w.F)  # of force elements, closures and contacts
            rnea_inward(tree, w, a[n], rates)
            constraint_wrenches(tree, w, wrenches[n])


def observing_kernel() -> tuple[Any, str]:
    """The kernel of `observe` and its signature, for those who compile it ahead."""
    one, two, three, integers = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1)), np.zeros(1, np.int64)
    arrays = (one, two, two, integers, integers, three, two, two, three, one)
    return _observe, signature(0, 0, *arrays)


class Observation:
    """Arrays over time, filled as far as asked: see `observe`."""

    def __init__(self, system: System, n: int, markers: Ints, forces: Ints, what: int):
        tree, m = system.tree, len(markers)
        later = n if what & (ACCELERATIONS | REACTIONS) else 0
        self.frames = np.zeros((n if what & FRAMES else 0, m, 18))
        self.energies = np.zeros((n if what & ENERGIES else 0, 14))
        self.a = np.zeros((later, tree.nv))
        self.frame_accelerations = np.zeros((later, m, 6))
        self.wrenches = np.zeros((n if what & REACTIONS else 0, tree.nb, 6))
        self.multipliers = np.zeros((n if what & REACTIONS else 0, system.closures.rows))
        self.closing = np.zeros((n if what & REACTIONS else 0, system.closures.count, 6))
        self.powers = np.zeros((n if what & POWERS else 0, len(forces), 3))
        self.zdot = np.zeros((n if what & STATE_RATES else 0, tree.nz))


def observe(
    system: System,
    t: Reals,
    y: Any,
    what: int,
    markers: list[int] | None = None,
    constraints: ConstraintMethod = DEFAULT,
    forces: list[int] | None = None,
    multipliers: Any = None,
    work: Work | None = None,
) -> Observation:
    """Observe the states y (an array, or what reads rows from a file) at the times t.

    `what` adds up FRAMES (of `markers`: rotation matrix, position, angular velocity, velocity, in world axes), ENERGIES
    (kinetic, gravity, elastic, supplied and dissipated power, angular momentum about the mass centre, linear momentum,
    mass centre), ACCELERATIONS (of v, and of the markers), REACTIONS (wrench of each inboard joint on its body, in the
    body's frame and at its origin), STATE_RATES (of the first-order states), POWERS (of the force elements `forces`:
    energy stored, power supplied, power dissipated).

    multipliers: those that the solver has recorded, one row per state, an array or what reads it from a file; then
    accelerations and reactions are those that belong to them, M a = f + G^T lambda. Otherwise, and where they are NaN,
    all follows from the state: G a = gamma (`constraints` says how). work: made with rates=True, if there is one.
    """
    chosen = np.array([] if markers is None else markers, dtype=np.int64)
    if what & STATE_RATES and np.any(system.loads.laws.state_law < 0):
        what |= ENERGIES  # rates of bond graphs come with their forces
    elements = np.array([] if forces is None else forces, dtype=np.int64)
    seen = Observation(system, len(y), chosen, elements, what)
    rates = np.zeros(size_of_state(system.tree))
    work = new_workspace(system, ydot=True, constraints=constraints) if work is None else work
    x: Any = np.zeros((len(y), 0)) if multipliers is None else multipliers
    if multipliers is not None:
        add_given_multipliers(work)
    if what & (ENERGIES | POWERS) and has_joint_friction(system):
        what |= BY_ACCELERATIONS
    if what & (ENERGIES | POWERS | STATE_RATES) and has_reaction_feedback(system):
        what |= BY_ACCELERATIONS
    work.wanted["energies"] = 1
    for first in range(0, len(y), ROWS_AT_ONCE):
        rows = slice(first, first + ROWS_AT_ONCE)
        # copies of t and y: a read-only array is another type, for which the kernel would be compiled once more
        states = np.array(y[rows])
        if states.shape[1] != len(rates):
            raise ValueError(f"states have {states.shape[1]} numbers each, and those of this model {len(rates)}")
        at, recorded = np.array(t[rows]), np.array(x[rows], order="C")
        if what & (FRAMES | ENERGIES | STATE_RATES | POWERS):
            _observe(
                work.at[0].system, what, at, states, recorded, chosen, elements, seen.frames[rows], seen.energies[rows],
                seen.zdot[rows], seen.powers[rows], rates,
            )  # fmt: skip
        if what & (ACCELERATIONS | REACTIONS):
            _observe_accelerations(
                work.at[0].system, what, at, states, recorded, chosen, seen.a[rows], seen.frame_accelerations[rows],
                seen.wrenches[rows], seen.closing[rows], seen.multipliers[rows], rates,
            )  # fmt: skip
    if what & STATE_RATES and has_reaction_feedback(system):
        seen.zdot[:, system.loads.laws.state_mass == 0] = 0.0  # no rates, but equations that are solved
    work.wanted["energies"] = 0
    return seen
