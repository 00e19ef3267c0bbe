"""Kinetic and potential energy, momentum, mass centre."""

from duoti.dynamics.tree.body_laws import ENERGY, GRAVITY, MOMENTUM, call_bodies
from duoti.kernel import part
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    force_to_parent,
    get3,
    get_pose,
    get_spatial,
    mul,
    scale,
    vadd,
    vdot,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times
from duoti.system.stages import need_poses, need_velocities


@part
def kinetic_energy(tree, w, v):
    """Sum of V . I V / 2 over the bodies and of rotor v² / 2 over the rates [J]. Needs velocities."""
    need_velocities(w)
    energy = 0.0 * w.V[0, 0]
    for b in range(1, tree.nb):
        V = get_spatial(w.V, b)
        energy += 0.5 * vdot(V, inertia_times(get_rigid(tree.inertia, b), V))
    for i in range(tree.nv):
        energy += 0.5 * tree.rotor[i] * v[i] * v[i]
    if tree.flexible > 0:
        w.body_sums[0] = 0.0
        call_bodies(tree, w, ENERGY)
        energy += w.body_sums[0]
    return energy


@part
def gravity_energy(tree, w):
    """Potential energy of uniform gravity [J], zero at the world's origin. Needs world_poses."""
    need_poses(w)
    energy = 0.0 * w.X_WB[0, 0]
    g = tree.gravity
    for b in range(tree.nb):  # row 0 has what is welded to ground
        R, p = get_pose(w.X_WB, b)
        h = add(mul(R, get3(tree.inertia, b, 1)), scale(tree.inertia[b, 0], p))  # first moment about the origin
        energy -= g[0] * h[0] + g[1] * h[1] + g[2] * h[2]
    if tree.flexible > 0:
        w.body_sums[1] = 0.0
        call_bodies(tree, w, GRAVITY)
        energy += w.body_sums[1]
    return energy


@part
def momentum(tree, w, out):
    """out = angular momentum about the mass centre [N m s], linear momentum [N s], mass centre [m], in world axes.

    Needs world_poses and velocities.
    """
    need_poses(w)
    need_velocities(w)
    L, mass, moment = (ZERO3, ZERO3), 0.0, ZERO3
    for b in range(tree.nb):
        X_WB = get_pose(w.X_WB, b)
        I = get_rigid(tree.inertia, b)
        L = vadd(L, force_to_parent(X_WB, inertia_times(I, get_spatial(w.V, b))))
        mass += I[0]
        moment = add(moment, add(mul(X_WB[0], I[1]), scale(I[0], X_WB[1])))
    if tree.flexible > 0:
        s = w.body_sums
        for i in range(2, 12):
            s[i] = 0.0
        call_bodies(tree, w, MOMENTUM)
        L = vadd(L, ((s[2], s[3], s[4]), (s[5], s[6], s[7])))
        mass += s[8]
        moment = add(moment, (s[9], s[10], s[11]))
    centre = scale(1.0 / mass, moment)
    spin = add(L[0], scale(-1.0, cross(centre, L[1])))
    for i in range(3):
        out[i], out[3 + i], out[6 + i] = spin[i], L[1][i], centre[i]
