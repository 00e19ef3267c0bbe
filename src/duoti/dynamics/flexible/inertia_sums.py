"""Sums over the fields of a flexible body, and what moves it: (2) of `dynamics.flexible.floating_frame`."""

from duoti.kernel import helper, part
from duoti.spatial.algebra import ZERO3, add, cross, dot, get3, get6, put3, scale, sub
from duoti.spatial.inertia_algebra import sym_add, symmul
from duoti.system.flexible_arrays import E_, J_, W_

ZERO_J = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@helper
def shape_of(flex, f):
    """c and J: by how much first moment and inertia differ from those of the shape of reference."""
    return get3(flex.shape, f, 0), get6(flex.shape, f, 3)


@helper
def scale6(s, J):
    """s J."""
    return s * J[0], s * J[1], s * J[2], s * J[3], s * J[4], s * J[5]


@helper
def field_sums(flex, f, order):
    """E_i x_i, W_i x_i, J_i x_i with x = zeta, its rates or its accelerations, by order."""
    first, zero = flex.fields[f], 0.0 * flex.zeta[order, flex.fields[f]]
    E, W, J = scale(zero, ZERO3), scale(zero, ZERO3), scale6(zero, ZERO_J)
    for i in range(first, first + flex.m[f]):
        x = flex.zeta[order, i]
        E = add(E, scale(x, get3(flex.now, i, E_)))
        W = add(W, scale(x, get3(flex.now, i, W_)))
        J = sym_add(J, scale6(x, get6(flex.now, i, J_)))
    return E, W, J


@part
def coriolis(flex, f):
    """flex.coriolis: y_i of `dynamics.flexible.floating_frame`."""
    m, first, pairs = flex.m[f], flex.fields[f], flex.pairs[f]
    for i in range(m):
        y = scale(0.0 * flex.zeta[1, first], ZERO3)
        for k in range(m):
            change = sub(get3(flex.slope, pairs + i * m + k, W_), get3(flex.slope, pairs + k * m + i, W_))
            y = add(y, scale(flex.zeta[1, first + k], change))
        put3(flex.coriolis, first + i, 0, y)


@part
def body_wrench(flex, f, V, A):
    """(torque, force) of the body beyond those of its rigid shape, at the row's origin."""
    (omega, v), (alpha, a) = V, A
    c, J = shape_of(flex, f)
    E, W, J_dot = field_sums(flex, f, 1)
    force, torque, _ = field_sums(flex, f, 2)
    force = add(force, add(cross(alpha, c), cross(omega, add(scale(2.0, E), cross(omega, c)))))
    torque = add(torque, add(symmul(J, alpha), cross(c, add(a, cross(omega, v)))))
    torque = add(torque, add(symmul(J_dot, omega), cross(omega, add(symmul(J, omega), W))))
    return torque, force


@part
def field_forces(flex, f, V, A):
    """flex.force: tau_i of the law, along each field. Needs coriolis."""
    (omega, v), (alpha, a) = V, A
    a = add(a, cross(omega, v))
    m, first, pairs = flex.m[f], flex.fields[f], flex.pairs[f]
    for i in range(m):
        at = first + i
        tau = dot(get3(flex.now, at, W_), alpha) + dot(get3(flex.now, at, E_), a)
        tau += dot(omega, get3(flex.coriolis, at, 0)) - 0.5 * dot(omega, symmul(get6(flex.now, at, J_), omega))
        for k in range(m):
            tau += flex.mass[pairs + i * m + k] * flex.zeta[2, first + k]
        flex.force[at, 0] = tau
