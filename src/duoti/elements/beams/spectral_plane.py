"""Beam elements of higher order whose nodes all move in one plane: complex numbers in the place of quaternions.

With the angles phi_i of the nodes from the middle one, z_i = exp(i phi_i/2), places as complex numbers in the axes
(e_1 along the middle node, e_2, normal), and D, N as in `elements.beams.spectral_nodes`,

    Z = sum N_i z_i,   Z' = sum D_i z_i,   zeta = Z'/Z,   exp(i Phi) = Z²/|Z|²
    Gamma = exp(-i Phi) r',   kappa = 2 Im zeta                                                               (1)

are its (1). Derivatives by phi_i, with rho_i = N_i z_i/Z and sigma_i = D_i z_i/Z:

    dPhi = Re rho_i,   dkappa = Re(sigma_i - zeta rho_i)                                                      (2)
    d²Phi = Im(rho_i rho_j)/2,   d²kappa = Im(sigma_i rho_j + rho_i sigma_j - 2 zeta rho_i rho_j)/2

the last two without what the diagonal has in addition, -1/2 of the imaginary parts of (2). With section forces n
(complex) and m, the energy's derivatives are exp(i Phi) n by r' and M = Im(n* Gamma) by Phi.
"""

from __future__ import annotations

from duoti.elements.beams.spectral_nodes import (
    MARKERS,
    NODES,
    PLANE,
    POINTS,
    at3,
    centre_of,
    common_ancestor,
    outward,
    put3_at,
    stride,
)
from duoti.elements.markers import marker_point
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.force_blocks import NUMBERS, SCRATCH
from duoti.spatial.algebra import add, dot, get9, get_column, mul, scale, shift_of, sqrt, sub

# of the scratch of a node: z, place, derivatives of the energy by place and by z (complex; see `_to_nodes`), lever arm
Z, PLACE, BY_PLACE, BY_Z, ARM, NODE = 0, 2, 4, 6, 8, 11
# of a node at a Gauss point: real parts of (2) times one, and times the second derivatives by Phi and kappa; rho and
# sigma, and what they are multiplied with in the curvature; the derivative of the force by phi_i
TURN, BEND, BY_TURN, BY_BEND, RHO, SIGMA, TIMES_RHO, TIMES_SIGMA, FORCE, AT_POINT = 0, 1, 2, 3, 4, 6, 8, 10, 12, 14
COLUMNS = 3  # of a node's joint, at most
Y_NORMAL = 1  # value of PLANE: the normal is the y axis of the nodes; otherwise z


def plane_scratch_size(nodes: int, points: int) -> int:
    """How many numbers the kernels of an element write."""
    return (NODE + 3 * COLUMNS) * nodes + (AT_POINT * nodes + 3) * points


@helper
def _axes(loads, w, m, plane):
    """Axis along the beam, the other axis of the plane, and the normal, of marker m in the world."""
    R_WB, R_BM = get9(w.X_WB, loads.markers.body[m], 0), get9(loads.markers.X_BM, m, 0)
    x, y = mul(R_WB, (R_BM[0], R_BM[3], R_BM[6])), mul(R_WB, (R_BM[1], R_BM[4], R_BM[7]))
    z = mul(R_WB, (R_BM[2], R_BM[5], R_BM[8]))
    return (x, scale(-1.0, z), y) if plane == Y_NORMAL else (x, y, z)


@helper
def _along_axis(loads, w, m):
    """The axis of marker m along the beam."""
    R_BM = get9(loads.markers.X_BM, m, 0)
    return mul(get9(w.X_WB, loads.markers.body[m], 0), (R_BM[0], R_BM[3], R_BM[6]))


@helper
def _times(a, b):
    """Product of two complex numbers (each a pair)."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@helper
def _star_times(a, b):
    """a* b."""
    return a[0] * b[0] + a[1] * b[1], a[0] * b[1] - a[1] * b[0]


@helper
def _half_angle(c, s):
    """Cosine and sine of half an angle with the cosine c and the sine s, or their opposites."""
    if c.real > -0.5:
        half = sqrt(0.5 + 0.5 * c)
        return half, 0.5 * s / half
    half = sqrt(0.5 - 0.5 * c)
    return 0.5 * s / half, half


@part
def _gather(ints, p, loads, w):
    """Write the nodes into the scratch; returns the axes of the plane."""
    x, first, n, plane = w.block_scratch, ints[p + SCRATCH], ints[p + NODES], ints[p + PLANE]
    middle = ints[p + MARKERS + n // 2]
    e_1, e_2, normal = _axes(loads, w, middle, plane)
    p_F, _ = marker_point(loads, w, middle)
    for j in range(n):
        i, inward = outward(j, n)
        m, at = ints[p + MARKERS + i], first + NODE * i
        axis = _along_axis(loads, w, m)
        place, arm = marker_point(loads, w, m)
        z = _half_angle(dot(e_1, axis), dot(e_2, axis))
        before = first + NODE * inward + Z
        if j > 0 and (z[0] * x[before] + z[1] * x[before + 1]).real < 0.0:
            z = (-z[0], -z[1])
        r = sub(place, p_F)
        x[at + Z], x[at + Z + 1] = z
        x[at + PLACE], x[at + PLACE + 1] = dot(e_1, r), dot(e_2, r)
        for k in range(BY_PLACE, ARM):
            x[at + k] = 0.0 * z[0]
        put3_at(x, at + ARM, arm)
    return e_1, e_2, normal


@helper
def _section(c, C, plane):
    """Stiffness of the plane's strains: EA and its couplings with shear and bending, GA, shear with bending, EI."""
    if plane == Y_NORMAL:
        return c[C], -c[C + 2], c[C + 4], c[C + 14], -c[C + 16], c[C + 28]
    return c[C], c[C + 1], c[C + 5], c[C + 7], c[C + 11], c[C + 35]


@helper
def _rest(c, b, plane):
    """The plane's strains without stress."""
    return (c[b], -c[b + 2], c[b + 4]) if plane == Y_NORMAL else (c[b], c[b + 1], c[b + 5])


@helper
def _point(c, x, b, first, n, plane):
    """Of a Gauss point: Z*/|Z|², zeta, exp(i Phi), Gamma, stiffnesses, section forces n and m, energy."""
    z0 = z1 = d0 = d1 = r0 = r1 = 0.0 * x[first]
    for i in range(n):
        N, D, at = c[b + i], c[b + n + i], first + NODE * i
        z0 += N * x[at + Z]
        z1 += N * x[at + Z + 1]
        d0 += D * x[at + Z]
        d1 += D * x[at + Z + 1]
        r0 += D * x[at + PLACE]
        r1 += D * x[at + PLACE + 1]
    per = 1.0 / (z0 * z0 + z1 * z1)
    inverse = (z0 * per, -z1 * per)
    zeta = _times((d0, d1), inverse)
    turn = ((z0 * z0 - z1 * z1) * per, 2.0 * z0 * z1 * per)
    gamma = _star_times(turn, (r0, r1))
    stiff = _section(c, b + 2 * n + 6, plane)
    rest = _rest(c, b + 2 * n, plane)
    u, v, k = gamma[0] - rest[0], gamma[1] - rest[1], 2.0 * zeta[1] - rest[2]
    force = (stiff[0] * u + stiff[1] * v + stiff[2] * k, stiff[1] * u + stiff[3] * v + stiff[4] * k)
    moment = stiff[2] * u + stiff[4] * v + stiff[5] * k
    return inverse, zeta, turn, gamma, stiff, force, moment, 0.5 * (force[0] * u + force[1] * v + moment * k)


@helper
def _to_nodes(c, x, b, first, n, turn, gamma, force, moment, zeta, inverse):
    """Derivatives of the energy by places; and complex numbers whose real part, times z_i, is that by phi_i."""
    f = _times(turn, force)
    arm = force[0] * gamma[1] - force[1] * gamma[0]
    a = _times((arm - moment * zeta[0], -moment * zeta[1]), inverse)
    e = (moment * inverse[0], moment * inverse[1])
    for i in range(n):
        N, D, at = c[b + i], c[b + n + i], first + NODE * i
        x[at + BY_PLACE] += D * f[0]
        x[at + BY_PLACE + 1] += D * f[1]
        x[at + BY_Z] += N * a[0] + D * e[0]
        x[at + BY_Z + 1] += N * a[1] + D * e[1]
    return arm


@part
def plane_law(p, loads, w):
    """As `space_law`, in the plane."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, n, plane = ints[p + SCRATCH], ints[p + NODES], ints[p + PLANE]
    e_1, e_2, normal = _gather(ints, p, loads, w)
    total = 0.0 * x[first]
    for point in range(ints[p + POINTS]):
        b = ints[p + NUMBERS] + stride(ints, p) * point
        inverse, zeta, turn, gamma, _, force, moment, energy = _point(c, x, b, first, n, plane)
        _to_nodes(c, x, b, first, n, turn, gamma, force, moment, zeta, inverse)
        total += energy
    for i in range(n):
        at = first + NODE * i
        force = add(scale(-x[at + BY_PLACE], e_1), scale(-x[at + BY_PLACE + 1], e_2))
        torque = x[at + Z + 1] * x[at + BY_Z + 1] - x[at + Z] * x[at + BY_Z]
        apply_wrench(loads, w, ints[p + MARKERS + i], at3(x, at + ARM), force, scale(torque, normal))
    return total, 0.0 * total, 0.0 * total


# ------------------------------------------------------------------------------------------------------- derivatives


@helper
def _put2(x, at, a):
    x[at], x[at + 1] = a


@part
def _put_points(p, loads, w, points):
    """What pairs of nodes multiply, at all Gauss points; first of each, the stiffness of r' in the plane's axes."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, n, plane = ints[p + SCRATCH], ints[p + NODES], ints[p + PLANE]
    for point in range(ints[p + POINTS]):
        b, here = ints[p + NUMBERS] + stride(ints, p) * point, points + (AT_POINT * n + 3) * point
        inverse, zeta, turn, gamma, stiff, force, moment, _ = _point(c, x, b, first, n, plane)
        arm = _to_nodes(c, x, b, first, n, turn, gamma, force, moment, zeta, inverse)
        EA, coupled, EA_bend, GA, GA_bend, EI = stiff
        o, s = turn
        x[here] = o * o * EA - 2.0 * o * s * coupled + s * s * GA
        x[here + 1] = o * s * (EA - GA) + (o * o - s * s) * coupled
        x[here + 2] = s * s * EA + 2.0 * o * s * coupled + o * o * GA
        u, v = gamma[1], -gamma[0]  # change of Gamma with Phi
        n_u, n_v = EA * u + coupled * v, coupled * u + GA * v
        by_turn = u * n_u + v * n_v - force[0] * gamma[0] - force[1] * gamma[1]
        mixed = u * EA_bend + v * GA_bend
        force_by_turn = _times(turn, (n_u - force[1], n_v + force[0]))
        force_by_bend = _times(turn, (EA_bend, GA_bend))
        half = 0.5 * moment
        curved = (0.5 * arm - moment * zeta[0], -moment * zeta[1])
        for i in range(n):
            N, D, at = c[b + i], c[b + n + i], here + 3 + AT_POINT * i
            ratio = _times((x[first + NODE * i + Z], x[first + NODE * i + Z + 1]), inverse)
            rho, sigma = (N * ratio[0], N * ratio[1]), (D * ratio[0], D * ratio[1])
            a, k = rho[0], sigma[0] - zeta[0] * rho[0] + zeta[1] * rho[1]
            x[at + TURN], x[at + BEND] = a, k
            x[at + BY_TURN], x[at + BY_BEND] = by_turn * a + mixed * k, mixed * a + EI * k
            _put2(x, at + RHO, rho)
            _put2(x, at + SIGMA, sigma)
            much = _times(curved, rho)
            _put2(x, at + TIMES_RHO, (much[0] + half * sigma[0], much[1] + half * sigma[1]))
            _put2(x, at + TIMES_SIGMA, (half * rho[0], half * rho[1]))
            x[at + FORCE] = force_by_turn[0] * a + force_by_bend[0] * k
            x[at + FORCE + 1] = force_by_turn[1] * a + force_by_bend[1] * k


@helper
def _pair(c, x, numbers, width, points, n, count, i, j):
    """Second derivatives of the energy: by both places (3 numbers), place i and angle j, j and i, both angles."""
    rr0 = rr1 = rr2 = a0 = a1 = b0 = b1 = total = 0.0 * x[points]
    for point in range(count):
        b, here = numbers + width * point + n, points + (AT_POINT * n + 3) * point
        D_i, D_j, at, to = c[b + i], c[b + j], here + 3 + AT_POINT * i, here + 3 + AT_POINT * j
        both = D_i * D_j
        rr0 += both * x[here]
        rr1 += both * x[here + 1]
        rr2 += both * x[here + 2]
        a0 += D_i * x[to + FORCE]
        a1 += D_i * x[to + FORCE + 1]
        b0 += D_j * x[at + FORCE]
        b1 += D_j * x[at + FORCE + 1]
        total += (
            x[at + TURN] * x[to + BY_TURN] + x[at + BEND] * x[to + BY_BEND]
            + x[at + RHO] * x[to + TIMES_RHO + 1] + x[at + RHO + 1] * x[to + TIMES_RHO]
            + x[at + SIGMA] * x[to + TIMES_SIGMA + 1] + x[at + SIGMA + 1] * x[to + TIMES_SIGMA]
        )  # fmt: skip
    return rr0, rr1, rr2, a0, a1, b0, b1, total


@part
def _put_columns(p, tree, loads, w, tan, columns, end, e_1, e_2, normal):
    """How the columns of each node's joint move it: two shifts in the plane's axes, and the turn."""
    ints, x = loads.forces.block_integers, w.block_scratch
    centre = centre_of(w)
    for i in range(ints[p + NODES]):
        m = ints[p + MARKERS + i]
        body = loads.markers.body[m]
        if body == end:
            continue
        place, _ = marker_point(loads, w, m)
        r = sub(place, centre)
        for k in range(tree.first[body + 1] - tree.first[body]):
            S = get_column(tan.S, tree.first[body] + k)
            v = shift_of(S, r)
            put3_at(x, columns + 3 * (COLUMNS * i + k), (dot(e_1, v), dot(e_2, v), dot(normal, S[0])))


@part
def plane_tangent(p, tree, loads, w, tan):
    """K -= derivatives of `plane_law`."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, n, count, width = ints[p + SCRATCH], ints[p + NODES], ints[p + POINTS], stride(ints, p)
    columns = first + NODE * n
    points = columns + 3 * COLUMNS * n
    end = common_ancestor(tree, ints, p, loads)
    e_1, e_2, normal = _gather(ints, p, loads, w)
    _put_columns(p, tree, loads, w, tan, columns, end, e_1, e_2, normal)
    _put_points(p, loads, w, points)
    for i in range(n):
        body = loads.markers.body[ints[p + MARKERS + i]]
        if body == end:
            continue
        begin, own = tree.first[body], tree.first[body + 1] - tree.first[body]
        for j in range(i, n):
            other = loads.markers.body[ints[p + MARKERS + j]]
            if other == end:
                continue
            rr0, rr1, rr2, a0, a1, b0, b1, both = _pair(c, x, ints[p + NUMBERS], width, points, n, count, i, j)
            if i == j:
                at = first + NODE * i
                both -= 0.5 * (x[at + Z] * x[at + BY_Z + 1] + x[at + Z + 1] * x[at + BY_Z])
            start = tree.first[other]
            for l in range(tree.first[other + 1] - start):
                u, v, turn = at3(x, columns + 3 * (COLUMNS * j + l))
                f_0, f_1 = rr0 * u + rr1 * v + a0 * turn, rr1 * u + rr2 * v + a1 * turn
                torque = b0 * u + b1 * v + both * turn
                rate = tree.rate[start + l]
                for k in range(own):
                    y = at3(x, columns + 3 * (COLUMNS * i + k))
                    effect = y[0] * f_0 + y[1] * f_1 + y[2] * torque
                    tan.K[tree.rate[begin + k], rate] += effect
                    if i != j:
                        tan.K[rate, tree.rate[begin + k]] += effect
        _add_own_change(tree, tan, x, first + NODE * i, columns + 3 * COLUMNS * i, begin, own)


@helper
def _add_own_change(tree, tan, x, at, columns, begin, own):
    """What the columns' own changes do to the force on a node: column j turns the velocity of i, or i that of j."""
    for l in range(own):
        u, v, turn = at3(x, columns + 3 * l)
        for k in range(own):
            y = at3(x, columns + 3 * k)
            if tree.moves[begin + l, k] == 1:
                across = turn * (x[at + BY_PLACE + 1] * y[0] - x[at + BY_PLACE] * y[1])
            else:
                across = y[2] * (x[at + BY_PLACE + 1] * u - x[at + BY_PLACE] * v)
            tan.K[tree.rate[begin + k], tree.rate[begin + l]] += across
