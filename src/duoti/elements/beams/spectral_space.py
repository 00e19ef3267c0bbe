"""Beam elements of higher order in space: wrenches on their nodes, and the derivatives of these.

A node that moves by a small twist (a, b) about a fixed point changes its place r by b + a x r and its quaternion by
a q/2; so derivatives by the variables of the Gauss points (`elements.beams.spectral_points`) become wrenches:

    (h_r, h_q)  ->  (r x h_r + vec(h_q q*)/2, h_r)                                                            (4)
"""

from __future__ import annotations

from duoti.elements.beams.spectral_nodes import (
    ARM,
    BY_PLACE,
    BY_QUATERNION,
    DAMPED,
    MARKERS,
    NODE,
    NODES,
    PLACE,
    POINTS,
    QUATERNION,
    QUATERNION_RATE,
    SPIN,
    VELOCITY,
    along,
    at3,
    at4,
    centre_of,
    common_ancestor,
    gather,
    put3_at,
    put4_at,
    stride,
)
from duoti.elements.beams.spectral_points import (
    JACOBIAN,
    Y,
    add_curvature,
    by_variables,
    put_changed_jacobian,
    put_jacobian,
    put_product,
    put_square,
    section_times,
    strain_rates,
    strains,
)
from duoti.elements.body_pairs import displacement
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.force_blocks import NUMBERS, SCRATCH
from duoti.spatial.algebra import (
    add,
    cross,
    cross_force,
    dot,
    get_column,
    get_spatial,
    mul,
    scale,
    sub,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.quaternion_algebra import (
    add4,
    conjugate,
    dot4,
    quaternion_product,
    scale4,
    vector_part,
    vector_times,
)


def scratch_size(nodes: int, points: int) -> int:
    """How many numbers the kernels of an element write."""
    return NODE * nodes + 3 * JACOBIAN + (2 * Y * Y + 2 * JACOBIAN) * points + 72


@helper
def _add_to_nodes(c, x, b, first, n, by_r, by_Q, by_P):
    """The derivative of the energy at a Gauss point by places and quaternions of the nodes."""
    for i in range(n):
        N, D, at = c[b + i], c[b + n + i], first + NODE * i
        put3_at(x, at + BY_PLACE, add(at3(x, at + BY_PLACE), scale(D, by_r)))
        sum4 = add4(scale4(N, by_Q), scale4(D, by_P))
        put4_at(x, at + BY_QUATERNION, add4(at4(x, at + BY_QUATERNION), sum4))


@helper
def _bent(c, x, b, first, n, R_F):
    """Of a Gauss point: Q, Q', r', 1/s, strains in world axes; those less what they are without stress, and the elastic
    section forces.
    """
    Q, P, r = along(c, x, b, first, n, QUATERNION, PLACE)
    per = 1.0 / dot4(Q, Q)
    g_W, k_W, g, k = strains(R_F, Q, P, r, per)
    g, k = sub(g, at3(c, b + 2 * n)), sub(k, at3(c, b + 2 * n + 3))
    force, moment = section_times(c, b + 2 * n + 6, g, k)
    return Q, P, r, per, g_W, k_W, g, k, force, moment


@part
def space_law(p, loads, w):
    """Push the nodes of the element whose integers begin at p; potential energy, power supplied, power dissipated."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, n, damped = ints[p + SCRATCH], ints[p + NODES], ints[p + DAMPED]
    R_F, _ = gather(ints, p, loads, w)
    energy = lost = 0.0 * x[first]
    for point in range(ints[p + POINTS]):
        b = ints[p + NUMBERS] + stride(ints, p) * point
        Q, P, r, per, g_W, k_W, g, k, force, moment = _bent(c, x, b, first, n, R_F)
        energy += 0.5 * (dot(force, g) + dot(moment, k))
        if damped == 1:
            dQ, dP, dr = along(c, x, b, first, n, QUATERNION_RATE, VELOCITY)
            dg, dk = strain_rates(R_F, Q, P, r, per, g_W, k_W, dQ, dP, dr)
            slower, twisted = section_times(c, b + 2 * n + 42, dg, dk)
            lost += dot(slower, dg) + dot(twisted, dk)
            force, moment = add(force, slower), add(moment, twisted)
        force, moment = mul(R_F, force), mul(R_F, moment)
        by_r, by_Q, by_P = by_variables(Q, P, r, per, force, moment, dot(force, g_W) + dot(moment, k_W))
        _add_to_nodes(c, x, b, first, n, by_r, by_Q, by_P)
    for i in range(n):
        at = first + NODE * i
        turned = quaternion_product(at4(x, at + BY_QUATERNION), conjugate(at4(x, at + QUATERNION)))
        force, torque = scale(-1.0, at3(x, at + BY_PLACE)), scale(-0.5, vector_part(turned))
        apply_wrench(loads, w, ints[p + MARKERS + i], at3(x, at + ARM), force, torque)
    return energy, 0.0 * energy, lost


@helper
def _wrench_of(rho, q, h_r, h_q):
    """(4)"""
    turned = vector_part(quaternion_product(h_q, conjugate(q)))
    return add(cross(rho, h_r), scale(0.5, turned)), h_r


@part
def _put_points(p, loads, w, H, V, first_J):
    """Second derivatives of all Gauss points: H by y, V by its rate; and the derivatives by nodes."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, n, damped = ints[p + SCRATCH], ints[p + NODES], ints[p + DAMPED]
    R_F, p_F = gather(ints, p, loads, w)
    J, X, E = first_J, first_J + JACOBIAN, first_J + 2 * JACOBIAN
    for point in range(ints[p + POINTS]):
        b, here = ints[p + NUMBERS] + stride(ints, p) * point, H + Y * Y * point
        C = b + 2 * n + 6
        Q, P, r, per, g_W, k_W, _, _, force, moment = _bent(c, x, b, first, n, R_F)
        put_jacobian(x, J, R_F, Q, P, r, per, g_W, k_W)
        if damped == 1:
            dQ, dP, dr = along(c, x, b, first, n, QUATERNION_RATE, VELOCITY)
            dg, dk = strain_rates(R_F, Q, P, r, per, g_W, k_W, dQ, dP, dr)
            slower, twisted = section_times(c, b + 2 * n + 42, dg, dk)
            force, moment = add(force, slower), add(moment, twisted)
            put_product(c, x, C + 36, J, X, 1)
            put_square(x, J, X, V + Y * Y * point)
            put_changed_jacobian(x, E, R_F, Q, P, r, per, g_W, k_W, dQ, dP, dr)
            put_product(c, x, C + 36, E, X, 1)
            put_product(c, x, C, J, X, 0)
        else:
            put_product(c, x, C, J, X, 1)
        put_square(x, J, X, here)
        force, moment = mul(R_F, force), mul(R_F, moment)
        phi = dot(force, g_W) + dot(moment, k_W)
        by_r, by_Q, by_P = by_variables(Q, P, r, per, force, moment, phi)
        add_curvature(x, here, Q, r, per, force, moment, phi, by_r, by_Q, by_P)
        _add_to_nodes(c, x, b, first, n, by_r, by_Q, by_P)
    return p_F


@helper
def _node(x, at, origin):
    """Place and quaternion of a node."""
    return add(at3(x, at + PLACE), origin), at4(x, at + QUATERNION)


@part
def _put_columns(p, loads, w, l, H, V, into, into_V, origin):
    """Changes of the derivatives by y (rows) at all Gauss points when node l moves by a twist, or faster by one."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    n, damped = ints[p + NODES], ints[p + DAMPED]
    at = ints[p + SCRATCH] + NODE * l
    rho, q = _node(x, at, origin)
    spin = at3(x, at + SPIN)
    for point in range(ints[p + POINTS]):
        b = ints[p + NUMBERS] + stride(ints, p) * point
        N, D = c[b + l], c[b + n + l]
        for row in range(Y):
            h = H + Y * Y * point + Y * row
            W = _wrench_of(rho, q, scale(D, at3(x, h)), add4(scale4(N, at4(x, h + 3)), scale4(D, at4(x, h + 7))))
            if damped == 1:
                h = V + Y * Y * point + Y * row
                h_r, h_q = scale(D, at3(x, h)), add4(scale4(N, at4(x, h + 3)), scale4(D, at4(x, h + 7)))
                _put_wrench(x, into_V + JACOBIAN * point + 6 * row, _wrench_of(rho, q, h_r, h_q))
                W = vadd(W, _wrench_of(rho, q, cross(h_r, spin), vector_times(-0.5, spin, h_q)))
            _put_wrench(x, into + JACOBIAN * point + 6 * row, W)


@helper
def _put_wrench(x, at, W):
    put3_at(x, at, W[0])
    put3_at(x, at + 3, W[1])


@part
def _put_block(p, loads, w, m, columns, block, origin):
    """The 6x6 matrix of the change of the (negative) wrench on node m from the changes in `columns`."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    n = ints[p + NODES]
    rho, q = _node(x, ints[p + SCRATCH] + NODE * m, origin)
    for k in range(6):
        r0 = r1 = r2 = q0 = q1 = q2 = q3 = 0.0 * x[columns]
        for point in range(ints[p + POINTS]):
            b, at = ints[p + NUMBERS] + stride(ints, p) * point, columns + JACOBIAN * point + k
            N, D = c[b + m], c[b + n + m]
            r0 += D * x[at]
            r1 += D * x[at + 6]
            r2 += D * x[at + 12]
            q0 += N * x[at + 18] + D * x[at + 42]
            q1 += N * x[at + 24] + D * x[at + 48]
            q2 += N * x[at + 30] + D * x[at + 54]
            q3 += N * x[at + 36] + D * x[at + 60]
        (n0, n1, n2), (f0, f1, f2) = _wrench_of(rho, q, (r0, r1, r2), (q0, q1, q2, q3))
        x[block + k], x[block + 6 + k], x[block + 12 + k] = n0, n1, n2
        x[block + 18 + k], x[block + 24 + k], x[block + 30 + k] = f0, f1, f2


@helper
def _add_own_change(x, at, block, origin):
    """What (4) itself changes when its node moves: place and quaternion in it."""
    rho, q = _node(x, at, origin)
    h = at3(x, at + BY_PLACE)
    turned = quaternion_product(at4(x, at + BY_QUATERNION), conjugate(q))
    diagonal = -dot(h, rho) - 0.25 * turned[0]
    for i in range(3):
        for k in range(3):
            x[block + 6 * i + k] += rho[i] * h[k]
        x[block + 7 * i] += diagonal
    for s, v, at_column in ((-0.25, vector_part(turned), 0), (-1.0, h, 3)):  # s times v x ...
        x[block + 1 + at_column] -= s * v[2]
        x[block + 2 + at_column] += s * v[1]
        x[block + 6 + at_column] += s * v[2]
        x[block + 8 + at_column] -= s * v[0]
        x[block + 12 + at_column] -= s * v[1]
        x[block + 13 + at_column] += s * v[0]


@helper
def _block_times(x, block, S):
    return section_times(x, block, S[0], S[1])


@part
def _add_pair(tree, tan, x, block, viscous, damped, a, b, end, mirrored):
    """K, C += S_i . (block S_j) for all columns i that move body a and j that move body b; mirrored = 1: and (j, i)."""
    V_b = get_spatial(tan.V_W, b)
    body_b = b
    while body_b != end:
        for j in range(tree.first[body_b], tree.first[body_b + 1]):
            rate_j = tree.rate[j]
            S_j = get_column(tan.S, j)
            W = _block_times(x, block, S_j)
            faster = W
            if damped == 1:
                _, y_j = displacement(tan, j, V_b)
                W = vadd(W, _block_times(x, viscous, y_j))
                faster = _block_times(x, viscous, S_j)
            body_a = a
            while body_a != end:
                for i in range(tree.first[body_a], tree.first[body_a + 1]):
                    S_i, rate_i = get_column(tan.S, i), tree.rate[i]
                    effect = vdot(S_i, W)
                    tan.K[rate_i, rate_j] += effect
                    if mirrored == 1:
                        tan.K[rate_j, rate_i] += effect
                    if damped == 1:
                        tan.C[rate_i, rate_j] += vdot(S_i, faster)
                body_a = tree.parent[body_a]
        body_b = tree.parent[body_b]


@part
def add_carried(tree, tan, a, end, W):
    """K += S_i . (S_j x* W) where column j moves the axis of column i, for a wrench W on body a (`body_pairs`)."""
    body_j = a
    while body_j != end:
        for j in range(tree.first[body_j], tree.first[body_j + 1]):
            turned, rate_j = cross_force(get_column(tan.S, j), W), tree.rate[j]
            body_i = a
            while body_i != body_j:
                for i in range(tree.first[body_i], tree.first[body_i + 1]):
                    tan.K[tree.rate[i], rate_j] += vdot(get_column(tan.S, i), turned)
                body_i = tree.parent[body_i]
            first = tree.first[body_j]
            for i in range(first, tree.first[body_j + 1]):
                if tree.moves[j, i - first] == 1:
                    tan.K[tree.rate[i], rate_j] += vdot(get_column(tan.S, i), turned)
        body_j = tree.parent[body_j]


@part
def space_tangent(p, tree, loads, w, tan):
    """K, C -= derivatives of `space_law`."""
    ints, x = loads.forces.block_integers, w.block_scratch
    first, n, points, damped = ints[p + SCRATCH], ints[p + NODES], ints[p + POINTS], ints[p + DAMPED]
    J = first + NODE * n
    H = J + 3 * JACOBIAN
    V = H + Y * Y * points
    columns = V + Y * Y * points
    viscous_columns = columns + JACOBIAN * points
    block = viscous_columns + JACOBIAN * points
    p_F = _put_points(p, loads, w, H, V, J)
    origin = sub(p_F, centre_of(w))
    end = common_ancestor(tree, ints, p, loads)
    for l in range(n):
        body = loads.markers.body[ints[p + MARKERS + l]]
        if body == end:
            continue
        _put_columns(p, loads, w, l, H, V, columns, viscous_columns, origin)
        for m in range(0 if damped == 1 else l, n):
            body_m = loads.markers.body[ints[p + MARKERS + m]]
            if body_m == end:
                continue
            _put_block(p, loads, w, m, columns, block, origin)
            if damped == 1:
                _put_block(p, loads, w, m, viscous_columns, block + 36, origin)
            if m == l:
                _add_own_change(x, first + NODE * l, block, origin)
            _add_pair(tree, tan, x, block, block + 36, damped, body_m, body, end, 1 * (m != l and damped == 0))
        at = first + NODE * l
        rho, q = _node(x, at, origin)
        W = _wrench_of(rho, q, at3(x, at + BY_PLACE), at4(x, at + BY_QUATERNION))
        add_carried(tree, tan, body, end, vscale(-1.0, W))
