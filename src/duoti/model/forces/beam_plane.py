"""The law of a beam element whose ends move in one plane: that of `beam_element`, with SE(2) in place of SE(3).

The plane's normal is the z axis of both ends, or the y axis, and the section couples nothing to strains out of the
plane (`beam_element` decides). Vectors of the plane are (along e1, along e2) with e1, e2 the axes x, y or z, x of an
end, J turns them by a quarter. d = (theta, u) and T^-1 of `spatial.se3` become, with k and kappa = 1 - k theta²,

    u = kappa p - theta/2 J p,  T^-1 (omega, v) = (omega, kappa v + theta/2 J v + omega w),  w = k theta u - J u/2  (1)
"""

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.kernel import helper
from duoti.model.forces.base import MARKER_A, MARKER_B
from duoti.model.forces.beam_numbers import (
    ALONG,
    BOW,
    DAMPED,
    DAMPING,
    LENGTH,
    NORMAL,
    OWN_FRAME_A,
    OWN_FRAME_B,
    REST,
    SHEARED,
    STIFFNESS,
    is_own_frame,
    marker_pose,
    push,
    relative_twist,
)
from duoti.spatial.algebra import (
    add,
    add9,
    atan2,
    cross,
    cross_force,
    dot,
    get3,
    get_column,
    get_spatial,
    matmul,
    mul,
    put_spatial,
    scale,
    sqrt,
    sub,
    transpose,
    vsub,
)
from duoti.spatial.dual_matrices import outer, scale9
from duoti.spatial.se3 import NEAR, angle_by_sine, cotangent_coefficients


@helper
def _axes(R, normal):
    """e1, e2 and the normal in the world, of an end with the rotation R."""
    x, y, z = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    if normal == 2:
        return x, y, z
    return z, x, y


@helper
def _places(normal):
    """Numbers of e1 and e2 among the axes of an end."""
    return (0, 1) if normal == 2 else (2, 0)


@helper
def _in_space(normal, W):
    """A twist or wrench (about the normal, along e1, along e2) in the axes of an end."""
    n, a, b = W
    zero = 0.0 * n
    if normal == 2:
        return (zero, zero, n), (a, b, zero)
    return (zero, n, zero), (b, zero, a)


@helper
def _of_space(normal, V):
    """The part of a twist in the plane: about the normal, along e1, along e2."""
    if normal == 2:
        return V[0][2], V[1][0], V[1][1]
    return V[0][1], V[1][2], V[1][0]


@helper
def _matrix(r, f, at, normal):
    """The part of a 6x6 matrix from place `at` on that is of (normal, e1, e2), row by row; it is symmetric."""
    i, j = _places(normal)
    n, i, j = normal, i + 3, j + 3
    b, c, e = r[f, at + 6 * n + i], r[f, at + 6 * n + j], r[f, at + 6 * i + j]
    return r[f, at + 7 * n], b, c, b, r[f, at + 7 * i], e, c, e, r[f, at + 7 * j]


@helper
def _bow(r, f, normal):
    """xx, xy, yy of `bow` in the plane."""
    i, j = _places(normal)
    return r[f, BOW + 4 * i], r[f, BOW + 3 * i + j], r[f, BOW + 4 * j]


@helper
def _near_coefficients(z):
    """k and its derivative of `cotangent_coefficients`, to round-off below 29 degrees (NEAR): z < 0.26.

    k is the sum of |B_2n| z^(n - 1) / (2n)! over n = 1, 2, ... with Bernoulli's numbers B (Abramowitz & Stegun 4.3.70);
    each term is less than a hundredth of the one before. It is summed by pairs, which do not wait for each other.
    """
    z2 = z * z
    first = (1.0 / 12.0 + z * (1.0 / 720.0)) + z2 * (1.0 / 30240.0 + z * (1.0 / 1209600.0))
    second = (1.0 / 47900160.0 + z * (691.0 / 1307674368000.0)) + z2 * (1.0 / 74724249600.0)
    slope = (1.0 / 720.0 + z * (1.0 / 15120.0)) + z2 * (1.0 / 403200.0 + z * (1.0 / 11975040.0))
    slope += z2 * z2 * (691.0 / 261534873600.0 + z * (1.0 / 12454041600.0))
    return first + z2 * z2 * second, slope


@helper
def _coordinates(X_A, X_B, normal):
    """d = (theta, u1, u2) of end b in end a; k and its slope by theta², kappa."""
    a1, a2, _ = _axes(X_A[0], normal)
    b1, _, _ = _axes(X_B[0], normal)
    gap = sub(X_B[1], X_A[1])
    c, s, p1, p2 = dot(a1, b1), dot(a2, b1), dot(a1, gap), dot(a2, gap)
    y = 1.0 - c
    if y.real < NEAR:
        theta = s * angle_by_sine(y)
        k, slope = _near_coefficients(theta * theta)
    else:
        theta = atan2(s, c)
        k, slope, _ = cotangent_coefficients(theta * theta)
    kappa = 1.0 - k * theta * theta
    half = 0.5 * theta
    return (theta, kappa * p1 + half * p2, kappa * p2 - half * p1), k, slope, kappa


@helper
def _strains(r, f, normal, d):
    """Strains, unit vector along the element without stress, slope of the stretch by u less that; then |u|^-1 u.

    See `beam_element._directions`.
    """
    i, j = _places(normal)
    theta, u1, u2 = d
    a1, a2, sheared = r[f, ALONG + i], r[f, ALONG + j], r[f, SHEARED]
    xx, xy, yy = _bow(r, f, normal)
    longer = sqrt(u1 * u1 + u2 * u2)
    per_length, rest = 1.0 / longer, 1.0 - sheared
    now1, now2 = per_length * u1, per_length * u2
    bow1, bow2 = xx * u1 + xy * u2, xy * u1 + yy * u2
    stretch = sheared * (a1 * u1 + a2 * u2) + rest * longer - r[f, LENGTH] + 0.5 * (u1 * bow1 + u2 * bow2)
    slope = (sheared * a1 + rest * now1 + bow1 - a1, sheared * a2 + rest * now2 + bow2 - a2)
    e1, e2 = u1 - r[f, REST + 3 + i], u2 - r[f, REST + 3 + j]
    more = stretch - (a1 * e1 + a2 * e2)
    return (
        (theta - r[f, REST + normal], e1 + more * a1, e2 + more * a2),
        (a1, a2),
        slope,
        (now1, now2),
        rest * per_length,
    )


@helper
def _conjugate(along, slope, F):
    """The wrench by d that does the work of F on the strains."""
    tension = along[0] * F[1] + along[1] * F[2]
    return F[0], F[1] + tension * slope[0], F[2] + tension * slope[1]


@helper
def _tangent_inverse(d, k, kappa):
    """T^-1 of (1), row by row."""
    theta, u1, u2 = d
    by, half, zero = k * theta, 0.5 * theta, 0.0 * theta
    return 1.0 + zero, zero, zero, by * u1 + 0.5 * u2, kappa, -half, by * u2 - 0.5 * u1, half, kappa


@helper
def _to_strains(along, slope):
    """How strains change with d, row by row."""
    (a1, a2), (g1, g2), zero = along, slope, 0.0 * along[0]
    return 1.0 + zero, zero, zero, zero, 1.0 + a1 * g1, a1 * g2, zero, a2 * g1, 1.0 + a2 * g2


@helper
def law_in_plane(f, loads, w):
    """See `beam_element._beam_element`."""
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    r = loads.forces.reals
    normal = 2 if r[f, NORMAL].real > 1.5 else 1
    X_A, X_B = marker_pose(loads, w, f, OWN_FRAME_A, a), marker_pose(loads, w, f, OWN_FRAME_B, b)
    d, k, _, kappa = _coordinates(X_A, X_B, normal)
    bent, along, slope, _, _ = _strains(r, f, normal, d)
    elastic = mul(_matrix(r, f, STIFFNESS, normal), bent)
    strained, lost = elastic, 0.0 * kappa
    if loads.forces.integers[f, DAMPED] == 1:
        twist = _twist(loads, w, a, b, X_A, X_B, normal)
        rate = mul(_to_strains(along, slope), mul(_tangent_inverse(d, k, kappa), twist))
        viscous = mul(_matrix(r, f, DAMPING, normal), rate)
        strained, lost = add(elastic, viscous), dot(rate, viscous)
    m, f1, f2 = _conjugate(along, slope, strained)
    theta, u1, u2 = d
    even, odd, half = m + k * theta * (u1 * f1 + u2 * f2), 0.5 * (u2 * f1 - u1 * f2), 0.5 * theta
    kf1, kf2, hf1, hf2 = kappa * f1, kappa * f2, half * f1, half * f2
    _push(loads, w, f, OWN_FRAME_A, a, normal, (even - odd, kf1 - hf2, kf2 + hf1))
    _push(loads, w, f, OWN_FRAME_B, b, normal, (-even - odd, -kf1 - hf2, hf1 - kf2))
    return 0.5 * dot(bent, elastic), 0.0 * lost, lost


@helper
def _twist(loads, w, a, b, X_A, X_B, normal):
    """Twist of end b relative to end a, in b's frame: about the normal, along e1, along e2."""
    X_AB = matmul(transpose(X_A[0]), X_B[0]), mul(transpose(X_A[0]), sub(X_B[1], X_A[1]))
    return _of_space(normal, relative_twist(loads, w, a, b, X_AB))


@helper
def _push(loads, w, f, side, m, normal, F):
    """Add a wrench of the plane at an end to its body."""
    if is_own_frame(loads, f, side, m):
        body, (i, j) = loads.markers.body[m], _places(normal)
        w.F_ext[body, normal] += F[0]
        w.F_ext[body, 3 + i] += F[1]
        w.F_ext[body, 3 + j] += F[2]
    else:
        push(loads, w, f, side, m, _in_space(normal, F))


@helper
def _changed_wrench(d, k, by_theta, kappa, F):
    """How T^-T F changes with d, row by row: the derivative of (kappa f - theta/2 J f) and of w . f in (1)."""
    (theta, u1, u2), (_, f1, f2) = d, F
    by, bend = k * theta, -2.0 * theta * (k + theta * theta * by_theta)
    first, zero = (k + 2.0 * theta * theta * by_theta) * (u1 * f1 + u2 * f2), 0.0 * theta
    return (
        first, by * f1 - 0.5 * f2, by * f2 + 0.5 * f1,
        bend * f1 + 0.5 * f2, zero, zero,
        bend * f2 - 0.5 * f1, zero, zero,
    )  # fmt: skip


@helper
def _changed_rates(d, k, by_theta, V):
    """How T^-1 V changes with d, row by row."""
    (theta, u1, u2), (omega, v1, v2) = d, V
    by, bend = k * theta, -2.0 * theta * (k + theta * theta * by_theta)
    first, zero = omega * (k + 2.0 * theta * theta * by_theta), 0.0 * theta
    return (
        zero, zero, zero,
        bend * v1 - 0.5 * v2 + first * u1, omega * by, 0.5 * omega,
        bend * v2 + 0.5 * v1 + first * u2, -0.5 * omega, omega * by,
    )  # fmt: skip


@helper
def _in_u(xx, xy, yy):
    """A symmetric matrix of u as one of d, row by row."""
    zero = 0.0 * xx
    return zero, zero, zero, zero, xx, xy, zero, xy, yy


@helper
def tangent_in_plane(f, tree, loads, w, tan, path):
    """See `beam_element._beam_element_tangent`: the same, with matrices of 3x3 in the frame of end b."""
    a, b = loads.forces.integers[f, MARKER_A], loads.forces.integers[f, MARKER_B]
    damped = loads.forces.integers[f, DAMPED]
    r = loads.forces.reals
    normal = 2 if r[f, NORMAL].real > 1.5 else 1
    A, B = loads.markers.body[a], loads.markers.body[b]
    X_A, X_B = marker_pose(loads, w, f, OWN_FRAME_A, a), marker_pose(loads, w, f, OWN_FRAME_B, b)
    d, k, by_theta, kappa = _coordinates(X_A, X_B, normal)
    bent, along, slope, now, bend = _strains(r, f, normal, d)
    xx, xy, yy = _bow(r, f, normal)
    turn = _in_u(xx + bend * (1.0 - now[0] * now[0]), xy - bend * now[0] * now[1], yy + bend * (1.0 - now[1] * now[1]))
    inverse, Q = _tangent_inverse(d, k, kappa), _to_strains(along, slope)
    S = _matrix(r, f, STIFFNESS, normal)
    strained = mul(S, bent)
    X = matmul(matmul(transpose(Q), S), Q)
    viscous = turn
    if damped == 1:
        D = _matrix(r, f, DAMPING, normal)
        twist = _twist(loads, w, a, b, X_A, X_B, normal)
        coordinate_rate = mul(inverse, twist)
        strained = add(strained, mul(D, mul(Q, coordinate_rate)))
        viscous = matmul(matmul(transpose(Q), D), Q)
        drag = _conjugate(along, slope, mul(D, (0.0 * kappa, along[0], along[1])))
        quicker = mul(turn, coordinate_rate)
        omega, v1, v2 = twist
        zero = 0.0 * omega
        seen = (zero, zero, zero, v2, zero, -omega, -v1, omega, zero)  # twist x
        carried = add9(matmul(_changed_rates(d, k, by_theta, twist), inverse), matmul(inverse, seen))
        X = add9(matmul(X, inverse), matmul(viscous, carried))
        X = add9(X, matmul(outer(drag, quicker), inverse))
        viscous = matmul(transpose(inverse), matmul(viscous, inverse))
    else:
        X = matmul(X, inverse)
    tension = along[0] * strained[1] + along[1] * strained[2]
    sigma = _conjugate(along, slope, strained)
    X = add9(X, matmul(scale9(tension, turn), inverse))
    X = add9(matmul(transpose(inverse), X), matmul(_changed_wrench(d, k, by_theta, kappa, sigma), inverse))
    n_b, f1, f2 = mul(transpose(inverse), sigma)
    e1, e2, axis = _axes(X_B[0], normal)
    arm = sub(X_B[1], get3(w.X_WB, 1, 9))
    force = add(scale(-f1, e1), scale(-f2, e2))
    W = add(scale(-n_b, axis), cross(arm, force)), force
    V_B = get_spatial(tan.V_W, B)
    n = path_between(tree, path, A, B)
    for i in range(n):
        S_j = get_column(tan.S, path.column[i])
        moved = _seen_in_plane(S_j, arm, e1, e2, axis)
        change = mul(X, moved)
        if damped == 1:
            _, y_j = displacement(tan, path.column[i], V_B)
            change, faster = add(change, mul(viscous, _seen_in_plane(y_j, arm, e1, e2, axis))), mul(viscous, moved)
            put_spatial(path.W_v, i, _wrench_in_world(scale(-1.0, faster), arm, e1, e2, axis))
        put_spatial(path.W_q, i, vsub(cross_force(S_j, W), _wrench_in_world(change, arm, e1, e2, axis)))
    add_pair(tree, tan, path, n, W, damped)


@helper
def _seen_in_plane(V, arm, e1, e2, axis):
    """A twist about the world's point of reference as one of end b: about the normal, along e1, along e2."""
    v = add(V[1], cross(V[0], arm))
    return dot(axis, V[0]), dot(e1, v), dot(e2, v)


@helper
def _wrench_in_world(F, arm, e1, e2, axis):
    """A wrench at end b (about the normal, along e1, along e2) about the world's point of reference."""
    force = add(scale(F[1], e1), scale(F[2], e2))
    return add(scale(F[0], axis), cross(arm, force)), force
