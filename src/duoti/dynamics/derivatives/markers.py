"""Derivatives of the motion of a marker.

Of its body, the twist V = (omega, v) and the acceleration A are known about a fixed point, with their derivatives
((2) to (4) in `dynamics.derivatives.rnea`). With r from that point to the marker,

    dr/dt = v + omega x r,   d²r/dt² = A_v + A_omega x r + omega x dr/dt                                    (1)

and each derivative of these follows by the product rule.
"""

from duoti.dynamics.derivatives.displacements import tangent_kinematics
from duoti.dynamics.derivatives.rnea import PHI, PSI2, outward
from duoti.dynamics.tree.kinematics import joint_sweep, world_poses
from duoti.elements.markers import marker_point
from duoti.kernel import helper, kernel
from duoti.spatial.algebra import ZERO6, add, cross, cross_motion, get3, get_column, get_spatial, put_spatial, sub, vadd


@helper
def _of_point(dV, dA, r, dr, omega, alpha, velocity):
    """Change of velocity and acceleration (1) of the point r that itself changes by dr."""
    d_velocity = add(add(dV[1], cross(dV[0], r)), cross(omega, dr))
    d_acceleration = add(add(dA[1], cross(dA[0], r)), cross(alpha, dr))
    return d_velocity, add(d_acceleration, add(cross(dV[0], velocity), cross(omega, d_velocity)))


@helper
def _add(rows, i, V):
    """Add to row i, which other columns of the same rate may have been added to."""
    put_spatial(rows, i, vadd(get_spatial(rows, i), V))


@kernel("tree loads work tangent d1 d1 d1 i d2 d3", "tree loads complex_work complex_tangent D1 D1 D1 i D2 D3")
def marker_derivatives(tree, loads, w, tan, q, v, a, m, motion, out):
    """Motion of marker m in world axes and its derivatives.

    motion[3, 6]: position (last three), angular velocity and velocity, angular acceleration and acceleration.
    out[4, nv, 6] (zero before): per unit of each rate, the columns of the Jacobian, d(velocities)/d delta,
    d(accelerations)/d delta and d(accelerations)/dv.
    """
    joint_sweep(tree, w, q, v)
    world_poses(tree, w)
    tangent_kinematics(tree, w, tan, v)
    outward(tree, w, tan, v, a)
    T = tan.columns
    b = loads.markers.body[m]
    point, _ = marker_point(loads, w, m)
    r = point
    V, A = ZERO6, ZERO6
    if b > 0:
        r = sub(point, get3(w.X_WB, 1, 9))
        # what ground was given for gravity is taken out again
        V, A = get_spatial(tan.V_W, b), get_spatial(tan.A_W, b)
        A = (A[0], sub(A[1], get3(tan.A_W, 0, 3)))
    omega, alpha = V[0], A[0]
    velocity = add(V[1], cross(omega, r))
    acceleration = add(add(A[1], cross(alpha, r)), cross(omega, velocity))
    put_spatial(motion, 0, (ZERO6[0], point))
    put_spatial(motion, 1, (omega, velocity))
    put_spatial(motion, 2, (alpha, acceleration))
    A_full = get_spatial(tan.A_W, b)
    while b > 0:
        for j in range(tree.first[b], tree.first[b + 1]):
            rate = tree.rate[j]
            S_j = get_column(tan.S, j)
            psi = get_column(tan.Psi, j)
            psi2 = (get3(T, j, PSI2), get3(T, j, PSI2 + 3))
            phi = (get3(T, j, PHI), get3(T, j, PHI + 3))
            along = cross_motion(S_j, V)
            shift = add(S_j[1], cross(S_j[0], r))
            dV = vadd(along, psi)
            dA = vadd(vadd(cross_motion(S_j, A_full), cross_motion(psi, V)), psi2)
            d_velocity, d_acceleration = _of_point(dV, dA, r, shift, omega, alpha, velocity)
            _add(out[0], rate, (S_j[0], shift))
            _add(out[1], rate, (dV[0], d_velocity))
            _add(out[2], rate, (dA[0], d_acceleration))
            dA = vadd(along, phi)
            _, d_acceleration = _of_point(S_j, dA, r, ZERO6[0], omega, alpha, velocity)
            _add(out[3], rate, (dA[0], d_acceleration))
        b = tree.parent[b]
