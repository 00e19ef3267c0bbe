"""Where a flexible body and its interfaces are: the KINEMATICS of its law.

An interface is a massless row on the row of its body, with a column for each modal coordinate:

    p = p_0 + Phi eta + eta N eta / 2,   R = exp(theta~),  theta = Psi eta + eta Q eta / 2                     (1)
    H_j = (T x_j, R^T P_j),   P_j = dp/d eta_j,  x_j = d theta/d eta_j                                         (2)
    c = (T Q + dT/dt theta_dot, R^T N - Omega x R^T p_dot)  with Q, N contracted twice with the rates          (3)
"""

from duoti.dynamics.flexible.rotation_vector import right_tangent, rotation_factors, tangent_matrix, tangent_rate
from duoti.kernel import helper, part
from duoti.spatial.algebra import (
    ZERO6,
    add,
    cross,
    get3,
    get_spatial,
    mulT,
    put_pose,
    put_spatial,
    sub,
    vadd,
    vscale,
)


@part
def present_shape(flex, f):
    """E_i, W_i, J_i in the present shape, and by how much first moment and inertia differ from those of reference."""
    m, first, pairs = flex.m[f], flex.fields[f], flex.pairs[f]
    for c in range(9):
        flex.shape[f, c] = 0.0
    for i in range(m):
        at = first + i
        for c in range(12):
            flex.now[at, c] = flex.base[at, c]
        for k in range(m):
            q, pair = flex.zeta[0, first + k], pairs + i * m + k
            for c in range(3, 12):
                flex.now[at, c] += q * flex.slope[pair, c]
        half = 0.5 * flex.zeta[0, at]
        for c in range(3):
            flex.shape[f, c] += half * (flex.base[at, c] + flex.now[at, c])
        for c in range(3, 9):
            flex.shape[f, c] += half * (flex.base[at, c + 3] + flex.now[at, c + 3])


@helper
def face_state(tree, w, flex, i):
    """Of an interface: (p - p_0, theta) and its rate. Needs flex.column."""
    f = flex.face_body[i]
    at, iq, iv = flex.face_modes[i], flex.iq[f], tree.nq + flex.iv[f]
    place = rate = vscale(0.0 * w.y[iq], ZERO6)
    for j in range(flex.n[f]):
        column = get_spatial(flex.column, at + j)
        place = vadd(place, vscale(0.5 * w.y[iq + j], vadd(column, get_spatial(flex.move, at + j))))
        rate = vadd(rate, vscale(w.y[iv + j], column))
    return place, rate


@helper
def face_bias(tree, w, flex, i):
    """The second derivative of (p, theta) with rates that do not change: (N, Q), contracted twice with the rates."""
    f = flex.face_body[i]
    n, pairs, iv = flex.n[f], flex.face_pairs[i], tree.nq + flex.iv[f]
    bias = vscale(0.0 * w.y[iv], ZERO6)
    if flex.curved[i] == 1:
        for j in range(n):
            for k in range(n):
                bias = vadd(bias, vscale(w.y[iv + j] * w.y[iv + k], get_spatial(flex.bend, pairs + j * n + k)))
    return bias


@part
def place_interface(tree, w, flex, i):
    """X_PB, H and c of the row of an interface."""
    f, b = flex.face_body[i], flex.interface_body[i]
    n, at, pairs, iq = flex.n[f], flex.face_modes[i], flex.face_pairs[i], flex.iq[f]
    for j in range(n):
        column = vadd(vscale(0.0 * w.y[iq], ZERO6), get_spatial(flex.move, at + j))
        if flex.curved[i] == 1:
            for k in range(n):
                column = vadd(column, vscale(w.y[iq + k], get_spatial(flex.bend, pairs + j * n + k)))
        put_spatial(flex.column, at + j, column)
    (moved, theta), (velocity, rate) = face_state(tree, w, flex, i)
    bent, turned = face_bias(tree, w, flex, i)
    factors = rotation_factors(theta)
    R = tangent_matrix(theta, factors)
    put_pose(w.X_PB, b, (R, add(get3(flex.place, i, 0), moved)))
    for j in range(n):
        P, x = get_spatial(flex.column, at + j)
        put_spatial(w.H, tree.first[b] + j, (right_tangent(theta, factors, x), mulT(R, P)))
    omega = right_tangent(theta, factors, rate)
    bias = add(right_tangent(theta, factors, turned), tangent_rate(theta, factors, rate))
    put_spatial(w.c, b, (bias, sub(mulT(R, bent), cross(omega, mulT(R, velocity)))))
