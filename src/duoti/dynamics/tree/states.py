"""First-order states z of controllers, motors, ...: their rates dz/dt = f(t, q, v, z), by the laws of the user.

An algebraic state has an equation 0 = f(t, q, v, z) instead. The implicit integrators solve it with the motion; where
single states are wanted (the start, after a jump, outputs between steps), `algebraic_entry` does.
"""

import numpy as np

from duoti.dynamics.tree.kinematics import joint_sweep, velocities, world_poses
from duoti.elements.laws import law_value
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import COMPLEX_CONTEXT, REAL_CONTEXT
from duoti.system.stages import need_poses, need_velocities


@part
def evaluate_states(tree, loads, w):
    """Write the rates of z into w.ydot, in the state w.y at the time w.clock. Needs world_poses and velocities."""
    n = tree.nq + tree.nv
    q, v = w.y[: tree.nq], w.y[tree.nq : n]
    for i in range(tree.nz):
        law = loads.laws.state_law[i]
        if law >= 0:  # others are those of bond graphs, which write them with their forces
            need_poses(w)
            need_velocities(w)
            w.ydot[n + i] = law_value(loads, w, law, w.clock[0], q, v, 0.0, 0.0)


@entry
def states_entry(context):
    """Entry: the rates of z in w.ydot, in the state w.y at the time w.clock; needs world_poses and velocities."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    evaluate_states(tree, loads, w)


@entry
def complex_states_entry(context):
    """The same for complex-step derivatives."""
    tree, loads, _, w = unpack(context, COMPLEX_CONTEXT)
    evaluate_states(tree, loads, w)


ALGEBRAIC_ITERATIONS = 50
DIFFERENCE = 1e-7  # relative step of the derivatives: their error costs iterations, not accuracy
NEARLY_SOLVED = 1e-8
SOLVED = 1e-15  # correction, relative to the state, that is only round-off
LEAST_FRACTION = 1e-4  # of a Newton correction


@entry
def algebraic_entry(context):
    """Entry: the algebraic states in w.y that solve their equations, at the time w.clock, for q, v and the other z.

    Newton's method with derivatives by differences; a correction is shortened while it makes the equations worse. The
    last correction, relative to the state, stays in w.algebra[:, -2]; where it does not converge, w.y stays as it was.
    """
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    n = tree.nq + tree.nv
    joint_sweep(tree, w, w.y[: tree.nq], w.y[tree.nq : n])
    velocities(tree, w, w.y[tree.nq : n])
    world_poses(tree, w)
    _keep(tree, loads, w, np.int64(0))
    size, largest = _equations(tree, loads, w, np.int64(0)), 1.0
    for _ in range(ALGEBRAIC_ITERATIONS):
        _differences(tree, loads, w)
        m = w.algebra.shape[0]
        for k in range(m):
            w.algebra[k, m + 2] = -w.algebra[k, m]
        solve_column(w.algebra, m, m + 2)
        largest = _correct(tree, loads, w, 1.0)
        part, new = 1.0, _equations(tree, loads, w, np.int64(0))
        while not new <= size and part > LEAST_FRACTION and largest > 1e-8:
            _correct(tree, loads, w, -0.5 * part)
            part, new = 0.5 * part, _equations(tree, loads, w, np.int64(0))
        size = new
        if not largest > SOLVED:
            break
    if not largest <= NEARLY_SOLVED:
        _keep(tree, loads, w, np.int64(1))


@helper
def _keep(tree, loads, w, back):
    """Keep the algebraic states in the last column of w.algebra; back == 1: take them from there."""
    n, m, k = tree.nq + tree.nv, w.algebra.shape[0], 0
    for i in range(tree.nz):
        if loads.laws.state_mass[i] == 0:
            if back == 1:
                w.y[n + i] = w.algebra[k, m + 4]
            else:
                w.algebra[k, m + 4] = w.y[n + i]
            k += 1


@helper
def _equations(tree, loads, w, column):
    """Column m + `column` of w.algebra: values of the algebraic equations; returns the largest. m: their number."""
    n, m, k, largest = tree.nq + tree.nv, w.algebra.shape[0], 0, 0.0
    q, v = w.y[: tree.nq], w.y[tree.nq : n]
    for i in range(tree.nz):
        if loads.laws.state_mass[i] == 0:
            f = law_value(loads, w, loads.laws.state_law[i], w.clock[0], q, v, 0.0, 0.0)
            w.algebra[k, m + column] = f
            if not abs(f) <= largest:
                largest = abs(f)
            k += 1
    return largest


@part
def _differences(tree, loads, w):
    """w.algebra[:, :m]: derivatives of the equations by the algebraic states."""
    n, m, j = tree.nq + tree.nv, w.algebra.shape[0], 0
    for i in range(tree.nz):
        if loads.laws.state_mass[i] == 0:
            z = w.y[n + i]
            d = DIFFERENCE * (1.0 + abs(z))
            w.y[n + i] = z + d
            _equations(tree, loads, w, np.int64(1))
            w.y[n + i] = z
            for k in range(m):
                w.algebra[k, j] = (w.algebra[k, m + 1] - w.algebra[k, m]) / d
            j += 1


@helper
def _correct(tree, loads, w, part):
    """Add a part of the correction to the algebraic states; returns the largest whole one, relative to its state."""
    n, m, k, largest = tree.nq + tree.nv, w.algebra.shape[0], 0, 0.0
    for i in range(tree.nz):
        if loads.laws.state_mass[i] == 0:
            w.y[n + i] += part * w.algebra[k, m + 2]
            relative = abs(w.algebra[k, m + 2]) / (1.0 + abs(w.y[n + i]))
            w.algebra[k, m + 3] = relative
            if not relative <= largest:
                largest = relative
            k += 1
    return largest


@part
def call_states(tree, w):
    """The rates of z, through their entry."""
    if tree.nz > 0:
        call_entry(w.calls[0].states, w.at[0].system)


@part
def ydot_beside_motion(tree, w):
    """What w.ydot has behind the rates of q and v: those of z, and the powers whose integrals are the energy
    accumulators.
    """
    call_states(tree, w)
    n = tree.nq + tree.nv + tree.nz
    w.ydot[n], w.ydot[n + 1] = w.powers[1], w.powers[2]
