"""Functions of one instant as entries: arguments and results stand in a context, for one state or for many.

`analyses.instant.evaluator` packs an `Instant` once and calls the entries by their addresses: a call from Python is
then the copy of its arguments and the recursion itself. Arguments that are not finite, states that open a loop and
constraint forces that were not found are reported in `status`; Python knows what to say or to do about them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.derivatives.column_rates import (
    centroidal_momentum,
    column_rates,
    coriolis_matrix,
    point_jacobian,
)
from duoti.dynamics.derivatives.forward import solve_derivatives
from duoti.dynamics.loops.constraints import closures_at
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.tree.energy import gravity_energy, kinetic_energy, momentum
from duoti.dynamics.tree.forward import accelerate, call_forces, inverse_dynamics
from duoti.dynamics.tree.kinematics import joint_sweep, marker_jacobian, poses_and_velocities
from duoti.dynamics.tree.rnea import rnea, rnea_outward
from duoti.elements.markers import write_frame
from duoti.kernel import ContextType, call_entry, entry, helper, part, unpack
from duoti.spatial.algebra import add, compose, cross, dot, get_pose, get_spatial, to_child
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT

FINE, NOT_FINITE, OPEN_LOOP, NOT_SOLVED = range(4)
"""What an entry writes into `Instant.status[0]`; `status[1]` is the number of the state."""
FRAME = 18
"""Numbers of a frame: rotation matrix, position, angular velocity, velocity."""


class Instant(NamedTuple):
    """Arguments and results of N states. Arrays that an entry does not use may be empty."""

    system: int  # address of the context (tree, loads, closures, w)
    open: Any  # [1] residual [m, rad] from which on a loop is open; infinite: any state will do
    status: Any  # [2] integers
    t: Any  # [N]
    q: Any  # [N, nq]
    v: Any  # [N, nv]
    a: Any  # [N, nv]
    z: Any  # [N, nz]
    rest: Any  # [nv] zeros
    M: Any  # [N, nv, nv] mass matrix
    tau: Any  # [N, nv] inverse dynamics
    h: Any  # [N, nv] bias forces
    forces: Any  # [N, nv] generalised forces of the force elements
    acceleration: Any  # [N, nv]
    markers: Any  # [m] of frames and Jacobians
    J: Any  # [N, 6, nv] of the first marker
    frames: Any  # [N, m, FRAME]
    energies: Any  # [N, 14] kinetic, gravity, elastic, powers (2), angular and linear momentum, mass centre
    bodies: Any  # [bodies] markers of the bodies' own frames
    rotors: Any  # [rotors] rates with a rotor
    Y: Any  # [N, nv, 10 bodies + rotors]
    L: Any  # scratch for the factor of M
    X: Any  # [nv, 3 nv] da/d delta, da/dv, M^-1
    tangent: int  # address of the context (tan, path) for rates of columns
    local: Any  # [1] 1: Jacobians of a point in the axes of the marker
    point: Any  # [3] the point in the axes of the marker
    J_dot: Any  # [N, 6, nv] dJ/dt
    C: Any  # [N, nv, nv] Coriolis matrix
    centroidal: Any  # [N, 6, nv] centroidal momentum matrix
    centroidal_bias: Any  # [N, 10] its bias, mass, mass centre


def empty_instant(**given: Any) -> Instant:
    """An `Instant` of empty arrays but for those given."""
    none, flat, cube = np.zeros(0), np.zeros((0, 0)), np.zeros((0, 0, 0))
    integers = np.zeros(0, np.int64)
    made = Instant(
        0, none, integers, none, flat, flat, flat, flat, none, cube, flat, flat, flat, flat, integers, cube, cube, flat,
        integers, integers, cube, none, flat, 0, integers, none, cube, cube, cube, flat,
    )  # fmt: skip
    return made._replace(**given)


INSTANT_CONTEXT = ContextType(lambda: (empty_instant(),))


@helper
def _finite(x):
    count = 0
    for i in range(x.shape[0]):
        if x[i] - x[i] == 0.0:  # NaN for those that are infinite, too
            count += 1
    return count == x.shape[0]


@helper
def _put_states(tree, w, e, n):
    """First-order states, where laws find them."""
    for i in range(tree.nz):
        w.y[tree.nq + tree.nv + i] = e.z[n, i]


@helper
def _report(e, what, n):
    e.status[0], e.status[1] = what, n


@entry
def mass_matrix_entry(context):
    """Entry: M of q, both triangles."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, _, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _finite(e.q[n]):
            _report(e, NOT_FINITE, n)
            return
        M = e.M[n]
        crba(tree, w, e.q[n], e.rest, M)
        for i in range(tree.nv):
            for j in range(i):
                M[j, i] = M[i, j]


@entry
def inverse_dynamics_entry(context):
    """Entry: tau of t, q, v, a, z, of a tree."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.a[n]) and _finite(e.z[n])):
            _report(e, NOT_FINITE, n)
            return
        _put_states(tree, w, e, n)
        inverse_dynamics(tree, loads, w, e.t[n], e.q[n], e.v[n], e.a[n], e.tau[n])


@entry
def bias_forces_entry(context):
    """Entry: h of q, v: what gravity and velocities ask for."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, _, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n])):
            _report(e, NOT_FINITE, n)
            return
        rnea(tree, w, e.q[n], e.v[n], e.rest, e.h[n])


@entry
def generalised_forces_entry(context):
    """Entry: forces of t, q, v, z; also h."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.z[n])):
            _report(e, NOT_FINITE, n)
            return
        _put_states(tree, w, e, n)
        inverse_dynamics(tree, loads, w, e.t[n], e.q[n], e.v[n], e.rest, e.forces[n])
        rnea(tree, w, e.q[n], e.v[n], e.rest, e.h[n])
        for i in range(tree.nv):
            e.forces[n, i] = e.h[n, i] - e.forces[n, i]


@entry
def tree_accelerations_entry(context):
    """Entry: acceleration of t, q, v, z, of a tree of rigid bodies."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.z[n])):
            _report(e, NOT_FINITE, n)
            return
        _put_states(tree, w, e, n)
        accelerate(tree, loads, w, e.t[n], e.q[n], e.v[n], e.acceleration[n])


@part
def _is_open(tree, loads, closures, w, e, n):
    """Whether a state opens a loop or tears it apart."""
    closures_at(tree, loads, closures, w, e.t[n], e.q[n], e.v[n])
    fastest = 1.0
    for i in range(tree.nv):
        fastest = max(fastest, abs(e.v[n, i]))
    closed = 0
    for r in range(closures.rows):
        if abs(w.g[r]) <= e.open[0] and abs(w.gdot[r]) <= e.open[0] * fastest:
            closed += 1
    return closed < closures.rows


@part
def _put_whole_state(tree, loads, closures, w, e, n):
    """t, q, v and z into the workspace; False if they are not finite or open a loop."""
    if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.z[n])):
        _report(e, NOT_FINITE, n)
        return False
    nq, nv = tree.nq, tree.nv
    for i in range(nq):
        w.y[i] = e.q[n, i]
    for i in range(nv):
        w.y[nq + i] = e.v[n, i]
    _put_states(tree, w, e, n)
    w.clock[0] = e.t[n]
    if closures.rows > 0 and e.open[0] < np.inf and _is_open(tree, loads, closures, w, e, n):
        _report(e, OPEN_LOOP, n)
        return False
    return True


@entry
def ydot_of_state_entry(context):
    """Entry: acceleration of t, q, v, z by the entry YDOT: closed loops, flexible bodies."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, closures, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _put_whole_state(tree, loads, closures, w, e, n):
            return
        call_entry(w.calls[0].ydot, e.system)
        if closures.rows > 0 and w.loops[0].unconverged > 0:
            _report(e, NOT_SOLVED, n)
            return
        for i in range(tree.nv):
            e.acceleration[n, i] = w.ydot[tree.nq + i]


@entry
def jacobian_entry(context):
    """Entry: J of q, of the first marker."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _finite(e.q[n]):
            _report(e, NOT_FINITE, n)
            return
        for r in range(6):
            for i in range(tree.nv):
                e.J[n, r, i] = 0.0
        marker_jacobian(tree, loads, w, e.q[n], e.rest, e.markers[0], e.J[n])


@part
def _columns(tree, w, tan, e, n):
    """Columns and their rates of a state; False if it is not finite."""
    if not (_finite(e.q[n]) and _finite(e.v[n])):
        _report(e, NOT_FINITE, n)
        return False
    column_rates(tree, w, tan, e.q[n], e.v[n])
    return True


@entry
def point_jacobian_entry(context):
    """Entry: J and its rate of q, v, of a point of the first marker."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    tan, _ = unpack(e.tangent, TANGENT_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _columns(tree, w, tan, e, n):
            return
        for r in range(6):
            for i in range(tree.nv):
                e.J[n, r, i] = e.J_dot[n, r, i] = 0.0
        point_jacobian(
            tree, loads, w, tan, e.markers[0], (e.point[0], e.point[1], e.point[2]), e.local[0], e.J[n], e.J_dot[n]
        )


@entry
def coriolis_matrix_entry(context):
    """Entry: C of q, v."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, _, _, w = unpack(e.system, REAL_CONTEXT)
    tan, _ = unpack(e.tangent, TANGENT_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _columns(tree, w, tan, e, n):
            return
        coriolis_matrix(tree, w, tan, e.C[n])


@entry
def centroidal_momentum_entry(context):
    """Entry: centroidal momentum matrix of q and its bias of q, v."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, _, _, w = unpack(e.system, REAL_CONTEXT)
    tan, _ = unpack(e.tangent, TANGENT_CONTEXT)
    for n in range(e.q.shape[0]):
        if not _columns(tree, w, tan, e, n):
            return
        for r in range(6):
            for i in range(tree.nv):
                e.centroidal[n, r, i] = 0.0
        centroidal_momentum(tree, w, tan, e.v[n], e.centroidal[n], e.centroidal_bias[n])


@entry
def frames_entry(context):
    """Entry: frames of q, v, of all markers."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n])):
            _report(e, NOT_FINITE, n)
            return
        poses_and_velocities(tree, w, e.q[n], e.v[n])
        for k in range(e.markers.shape[0]):
            write_frame(loads, w, e.markers[k], e.frames[n, k])


@entry
def energies_entry(context):
    """Entry: energies of t, q, v, z, where forces follow from these."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.z[n])):
            _report(e, NOT_FINITE, n)
            return
        _put_states(tree, w, e, n)
        poses_and_velocities(tree, w, e.q[n], e.v[n])
        w.wanted[0].energies = 1
        call_forces(tree, loads, w, e.t[n], e.q[n], e.v[n])
        w.wanted[0].energies = 0
        out = e.energies[n]
        out[0] = kinetic_energy(tree, w, e.v[n])
        out[1] = gravity_energy(tree, w)
        out[2], out[3], out[4] = w.powers[0], w.powers[1], w.powers[2]
        momentum(tree, w, out[5:])


@part
def _body_columns(tree, w, X_BM, b, Y, first):
    """Ten columns of the regressor, from `first` on, of a body with the pose X_BM on row b; needs V and A.

    With omega, alpha and the acceleration a of its origin less gravity, in its axes, and the motion (w_k, u_k) of its
    frame by a unit of rate k, the generalised forces are

        mass:  u_k . a
        m c:   a x w_k + u_k x alpha + omega x (omega x u_k)
        I:     w_k . I alpha + (w_k x omega) . I omega
    """
    omega, velocity = to_child(X_BM, get_spatial(w.V, b))
    alpha, spatial = to_child(X_BM, get_spatial(w.A, b))
    a = add(spatial, cross(omega, velocity))
    X = X_BM
    while b > 0:
        for k in range(tree.first[b], tree.first[b + 1]):
            turn, shift = to_child(X, get_spatial(w.H, k))
            out = Y[tree.rate[k], first : first + 10]
            moment = add(add(cross(a, turn), cross(shift, alpha)), cross(omega, cross(omega, shift)))
            s = cross(turn, omega)
            out[0] += dot(shift, a)
            out[1] += moment[0]
            out[2] += moment[1]
            out[3] += moment[2]
            out[4] += turn[0] * alpha[0] + s[0] * omega[0]
            out[5] += turn[0] * alpha[1] + turn[1] * alpha[0] + s[0] * omega[1] + s[1] * omega[0]
            out[6] += turn[1] * alpha[1] + s[1] * omega[1]
            out[7] += turn[0] * alpha[2] + turn[2] * alpha[0] + s[0] * omega[2] + s[2] * omega[0]
            out[8] += turn[1] * alpha[2] + turn[2] * alpha[1] + s[1] * omega[2] + s[2] * omega[1]
            out[9] += turn[2] * alpha[2] + s[2] * omega[2]
        X = compose(get_pose(w.X_PB, b), X)
        b = tree.parent[b]


@entry
def regressor_entry(context):
    """Entry: Y of q, v, a: M a + h = Y p, ten numbers for each body and one for each rotor."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, _, w = unpack(e.system, REAL_CONTEXT)
    for n in range(e.q.shape[0]):
        if not (_finite(e.q[n]) and _finite(e.v[n]) and _finite(e.a[n])):
            _report(e, NOT_FINITE, n)
            return
        Y = e.Y[n]
        for i in range(Y.shape[0]):
            for j in range(Y.shape[1]):
                Y[i, j] = 0.0
        joint_sweep(tree, w, e.q[n], e.v[n])
        rnea_outward(tree, w, e.v[n], e.a[n])
        count = e.bodies.shape[0]
        for k in range(count):
            m = e.bodies[k]
            _body_columns(tree, w, get_pose(loads.markers.X_BM, m), loads.markers.body[m], Y, 10 * k)
        for k in range(e.rotors.shape[0]):
            Y[e.rotors[k], 10 * count + k] = e.a[n, e.rotors[k]]


@entry
def inverse_derivatives_entry(context):
    """Entry: K, C, M and Z of the workspace's tangent, of the first state."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, closures, w = unpack(e.system, REAL_CONTEXT)
    if not _finite(e.a[0]):
        _report(e, NOT_FINITE, 0)
        return
    if _put_whole_state(tree, loads, closures, w, e, 0):
        for i in range(tree.nv):
            w.ydot[tree.nq + i] = e.a[0, i]
        call_entry(w.calls[0].linearise, e.system)


@entry
def forward_derivatives_entry(context):
    """Entry: acceleration of the first state and, of a tree, X; K, C, M and Z are in the workspace's tangent."""
    (e,) = unpack(context, INSTANT_CONTEXT)
    tree, loads, closures, w = unpack(e.system, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    if _put_whole_state(tree, loads, closures, w, e, 0):
        call_entry(w.calls[0].ydot, e.system)
        for i in range(tree.nv):
            e.acceleration[0, i] = w.ydot[tree.nq + i]
        call_entry(w.calls[0].linearise, e.system)
        solve_derivatives(tree, tan, e.L, e.X)
