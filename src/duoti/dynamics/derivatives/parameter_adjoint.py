"""Derivatives by parameters from the weights of an adjoint sweep (`step_adjoint`).

    -(w_r . r_p + w_c . c_p + w_g . g_p + w_d . d(dg/dt)/dp - w_z . f_p), summed over the records                    (1)

r is linear in the inertias, so that the gradient by all ten numbers of every body is one sweep: with the twist V, the
acceleration A less gravity and the virtual twist W = sum of S_i w_r,i of a body,

    w_r . r = sum over the bodies of W . (I A + V x* I V)                                                            (2)

Of rigid bodies, it is already part of the sweep (`tree_adjoint`).

Numbers of one force element have a complex step in the law of that element alone, whose wrenches meet the same virtual
twists. All others have one in the whole equations (`by_parameters`), one parameter after the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.derivatives.by_parameters import STEP
from duoti.dynamics.derivatives.tree_adjoint import inertia_gradient
from duoti.dynamics.tree.kinematics import joint_sweep, velocities, world_poses
from duoti.dynamics.tree.rnea import rnea_outward
from duoti.kernel import ContextType, call_entry, entry, helper, part, unpack
from duoti.spatial.algebra import (
    ZERO6,
    get_pose,
    get_spatial,
    put_spatial,
    to_child,
    vadd,
    vdot,
    vscale,
)
from duoti.system.context import PERTURBED_CONTEXT, REAL_CONTEXT


class Records(NamedTuple):
    """Records of a sweep; see `step_adjoint.Sweep`."""

    count: Any  # [1] how many
    sums: int
    nz: int  # states that the perturbed system has, of those of the sweep
    at_t: Any
    at_y: Any
    at_a: Any
    at_l: Any
    w_r: Any
    w_c: Any
    w_z: Any
    w_g: Any
    w_d: Any


def example_records() -> Records:
    """Of no use but for its types."""
    one, two, three = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
    return Records(np.zeros(1, np.int64), 0, 0, one, two, two, two, three, three, three, three, three)


class InertiaSums(NamedTuple):
    """Gradient by inertias."""

    system: int  # address of the context of the sweep
    W: Any  # [nb, 6] virtual twists
    bar: Any  # [sums nb, 10] gradient by `Tree.inertia`


class Directions(NamedTuple):
    """Changes of the numbers of a model with its parameters."""

    system: int  # address of the perturbed context
    entry: int  # address of `perturbed_entry`
    pool: Any  # all numbers with a complex step, one behind the other
    start: Any  # [parameters + 1] where the list of changes of each begins
    index: Any  # [changes] which number ...
    slope: Any  # [changes] ... and its derivative by the parameter
    bar: Any  # [sums, parameters] gradient


class Elements(NamedTuple):
    """Changes of numbers of single force elements."""

    system: int  # address of the perturbed context
    pool: Any  # as of `Directions`
    law: Any  # [parameters] address of the law of the element ...
    group: Any  # [parameters] ... and of a context in which it is alone
    start: Any  # as of `Directions`
    index: Any
    slope: Any
    W: Any  # [nb, 6] virtual twists
    bar: Any  # [sums, parameters] gradient


INERTIA_CONTEXT = ContextType(lambda: (example_records(), InertiaSums(0, np.zeros((1, 1)), np.zeros((1, 1)))))
DIRECTIONS_CONTEXT = ContextType(
    lambda: (
        example_records(),
        Directions(
            0, 0, np.zeros(1, complex), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1), np.zeros((1, 1))
        ),
    )
)


ELEMENTS_CONTEXT = ContextType(
    lambda: (
        example_records(),
        Elements(
            0, np.zeros(1, complex), np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros(1, np.int64),
            np.zeros(1, np.int64), np.zeros(1), np.zeros((1, 6)), np.zeros((1, 1)),
        ),
    )
)  # fmt: skip


@helper
def _imag(V):
    (a, b, c), (d, e, f) = V
    return (a.imag, b.imag, c.imag), (d.imag, e.imag, f.imag)


@helper
def _real_pose(X):
    R, p = X
    return (
        (R[0].real, R[1].real, R[2].real, R[3].real, R[4].real, R[5].real, R[6].real, R[7].real, R[8].real),
        (p[0].real, p[1].real, p[2].real),
    )


@helper
def _real(V):
    (a, b, c), (d, e, f) = V
    return (a.real, b.real, c.real), (d.real, e.real, f.real)


@entry
def elements_entry(context):
    """Entry: gradient by numbers of single force elements."""
    r, s = unpack(context, ELEMENTS_CONTEXT)
    tree, _, _, w = unpack(s.system, PERTURBED_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for c in range(tree.nc):
        for j in range(6):
            w.H[c, j] = tree.H0[c, j]
    for record in range(r.count[0]):
        w.clock[0] = r.at_t[record]
        for j in range(nq + nv + r.nz):
            w.y[j] = r.at_y[record, j]
        q, v = w.y[:nq], w.y[nq : nq + nv]
        joint_sweep(tree, w, q, v)
        world_poses(tree, w)
        velocities(tree, w, v)
        for o in range(r.sums):
            if _is_empty(r.w_r, record, o):
                continue
            put_spatial(s.W, 0, ZERO6)
            for b in range(1, tree.nb):
                W = to_child(_real_pose(get_pose(w.X_PB, b)), get_spatial(s.W, tree.parent[b]))
                for k in range(tree.first[b], tree.first[b + 1]):
                    W = vadd(W, vscale(r.w_r[record, o, tree.rate[k]], _real(get_spatial(w.H, k))))
                put_spatial(s.W, b, W)
            for k in range(s.start.shape[0] - 1):
                for j in range(nv):
                    w.tau[j] = 0.0
                for b in range(tree.nb):
                    put_spatial(w.F_ext, b, ZERO6)
                for c in range(s.start[k], s.start[k + 1]):
                    s.pool[s.index[c]] = complex(s.pool[s.index[c]].real, STEP * s.slope[c])
                call_entry(s.law[k], s.group[k])
                total = 0.0
                for j in range(nv):
                    total += r.w_r[record, o, j] * w.tau[j].imag
                for b in range(1, tree.nb):
                    total += vdot(get_spatial(s.W, b), _imag(get_spatial(w.F_ext, b)))
                s.bar[o, k] += total / STEP
                for c in range(s.start[k], s.start[k + 1]):
                    s.pool[s.index[c]] = complex(s.pool[s.index[c]].real, 0.0)


@part
def _is_empty(weights, record, o):
    """True if all weights are zero."""
    found = 0
    for j in range(weights.shape[2]):
        if weights[record, o, j] != 0.0:
            found = 1
    return found == 0


@entry
def inertia_entry(context):
    """Entry: gradient by all inertias, of trees that `tree_adjoint` does not pass."""
    r, s = unpack(context, INERTIA_CONTEXT)
    tree, _, _, w = unpack(s.system, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for record in range(r.count[0]):
        for j in range(nq + nv):
            w.y[j] = r.at_y[record, j]
        for j in range(nv):
            w.a_free[j] = r.at_a[record, j]
        v = w.y[nq : nq + nv]
        joint_sweep(tree, w, w.y[:nq], v)
        rnea_outward(tree, w, v, w.a_free)
        for o in range(r.sums):
            put_spatial(s.W, 0, ZERO6)
            for b in range(1, tree.nb):
                X = get_pose(w.X_PB, b)
                W = to_child(X, get_spatial(s.W, tree.parent[b]))
                for k in range(tree.first[b], tree.first[b + 1]):
                    W = vadd(W, vscale(r.w_r[record, o, tree.rate[k]], get_spatial(w.H, k)))
                put_spatial(s.W, b, W)
                inertia_gradient(W, get_spatial(w.V, b), get_spatial(w.A, b), s.bar[o * tree.nb :], b)


@part
def _weighted(tree, closures, w, r, record, o):
    """What (1) adds in a record, from the imaginary parts of the equations."""
    nq, nv = tree.nq, tree.nv
    total = 0.0
    for j in range(nv):
        total += r.w_r[record, o, j] * w.a_free[j].imag
    for row in range(closures.rows):
        x = -w.gamma[row].imag
        for k in range(closures.support[row], closures.support[row + 1]):
            x += w.G[k].imag * r.at_a[record, closures.support_dofs[k]]
        total += r.w_c[record, o, row] * x
        total += r.w_g[record, o, row] * w.g[row].imag + r.w_d[record, o, row] * w.gdot[row].imag
    for k in range(r.nz):
        total -= r.w_z[record, o, k] * w.ydot[nq + nv + k].imag
    return total


@entry
def directions_entry(context):
    """Entry: gradient by parameters whose changes are listed."""
    r, s = unpack(context, DIRECTIONS_CONTEXT)
    tree, _, closures, w = unpack(s.system, PERTURBED_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for record in range(r.count[0]):
        any_weight = False
        for o in range(r.sums):
            if not (
                _is_empty(r.w_r, record, o)
                and _is_empty(r.w_c, record, o)
                and _is_empty(r.w_z, record, o)
                and _is_empty(r.w_g, record, o)
                and _is_empty(r.w_d, record, o)
            ):
                any_weight = True
        if not any_weight:
            continue
        for k in range(s.start.shape[0] - 1):
            w.clock[0] = r.at_t[record]
            for j in range(nq + nv + r.nz):
                w.y[j] = r.at_y[record, j]
            for j in range(nv):
                w.ydot[nq + j] = r.at_a[record, j]
            for row in range(closures.rows):
                w.multipliers[row] = r.at_l[record, row]
            for c in range(s.start[k], s.start[k + 1]):
                s.pool[s.index[c]] = complex(s.pool[s.index[c]].real, STEP * s.slope[c])
            for c in range(tree.nc):
                for j in range(6):
                    w.H[c, j] = tree.H0[c, j]
            for row in range(closures.rows):
                w.values[row, 0] = closures.value[row]
            call_entry(s.entry, s.system)
            for o in range(r.sums):
                s.bar[o, k] -= _weighted(tree, closures, w, r, record, o) / STEP
            for c in range(s.start[k], s.start[k + 1]):
                s.pool[s.index[c]] = complex(s.pool[s.index[c]].real, 0.0)
