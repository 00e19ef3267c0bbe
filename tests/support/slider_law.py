"""A body law for tests: a particle that slides inside a rigid body, along x of its row's frame.

The body has one coordinate of its own, the place of the particle, as a flexible body has modal ones.
Mass [kg] is the second of the row's joint parameters, for want of a better place in a test.
"""

from __future__ import annotations

from duoti.dynamics.tree.body_laws import ENERGY, GRAVITY, INERTIA, MASS_MATRIX, MOMENTUM, WRENCH
from duoti.kernel import entry, unpack
from duoti.spatial.algebra import (
    add,
    cross,
    dot,
    force_to_parent,
    get3,
    get6,
    get_pose,
    get_spatial,
    mul,
    put3,
    put6,
    put_spatial,
    scale,
    vadd,
)
from duoti.spatial.inertia_algebra import rigid_to_parent, sym_add
from duoti.system.context import REAL_CONTEXT

SLIDER = 1


@entry
def slider_entry(context):
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    b, task = w.body_task[0], w.body_task[1]
    i = tree.iv[b] + tree.dof[b] - 1  # its own coordinate is the last of the row's
    mass, x = tree.joint_parameters[b, 1], (1.0, 0.0, 0.0)
    r, rate = (w.y[tree.iq[b] + tree.dof[b] - 1], 0.0, 0.0), w.y[tree.nq + i]
    omega, v = get_spatial(w.V, b)
    if task == WRENCH:
        alpha, a = get_spatial(w.A, b)
        # acceleration of a point that moves on a body: Euler, centripetal, Coriolis and its own
        a = add(add(a, cross(omega, v)), add(cross(alpha, r), cross(omega, cross(omega, r))))
        a = add(a, add(scale(2.0 * rate, cross(omega, x)), scale(w.ydot[tree.nq + i], x)))
        force = scale(mass, a)
        put_spatial(w.F, b, vadd(get_spatial(w.F, b), (cross(r, force), force)))
        w.body_tau[i] += force[0]
    elif task == INERTIA:
        square = mass * r[0] * r[0]
        m, h, J = rigid_to_parent(get_pose(w.X_RB, b), (mass, scale(mass, r), (0.0, 0.0, square, 0.0, 0.0, square)))
        w.I_R[b, 0] += m
        put3(w.I_R, b, 1, add(get3(w.I_R, b, 1), h))
        put6(w.I_R, b, 4, sym_add(get6(w.I_R, b, 4), J))
    elif task == MASS_MATRIX:
        row, S = tree.M_row[i], w.S_R
        w.M[row + tree.depth[i]] += mass
        torque, force = force_to_parent(get_pose(w.X_RB, b), (cross(r, scale(mass, x)), scale(mass, x)))
        k = tree.first[b + 1] - 1
        while k >= 0:
            by = dot((S[0, k], S[1, k], S[2, k]), torque) + dot((S[3, k], S[4, k], S[5, k]), force)
            w.M[row + tree.depth[tree.rate[k]]] += by
            k = tree.inner[k]
    elif task == GRAVITY:
        R, p = get_pose(w.X_WB, b)
        p = add(p, mul(R, r))
        w.body_sums[1] -= mass * (tree.gravity[0] * p[0] + tree.gravity[1] * p[1] + tree.gravity[2] * p[2])
    else:
        velocity = add(add(v, cross(omega, r)), scale(rate, x))
        if task == ENERGY:
            w.body_sums[0] += 0.5 * mass * dot(velocity, velocity)
        elif task == MOMENTUM:
            R, p = get_pose(w.X_WB, b)
            p, velocity = add(p, mul(R, r)), mul(R, velocity)
            spin = cross(p, scale(mass, velocity))
            for n in range(3):
                w.body_sums[2 + n] += spin[n]
                w.body_sums[5 + n] += mass * velocity[n]
                w.body_sums[9 + n] += mass * p[n]
            w.body_sums[8] += mass
