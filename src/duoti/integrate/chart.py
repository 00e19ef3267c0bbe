"""Local coordinates of a step: displacements x with q = q_n o exp(x), one for each rate.

Plain coordinates add; a quaternion is multiplied by the rotation x = axis times angle, in the child's axes. The
implicit methods work with x, whose rate at x = 0 is v; no length of a quaternion is ever integrated.
"""

import math

from duoti.kernel import helper, part


@part
def retract(tree, q, x, out):
    """out = q o exp(x); out may be q."""
    for i in range(tree.plain_q.shape[0]):
        out[tree.plain_q[i]] = q[tree.plain_q[i]] + x[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        j = tree.quat_v[i]
        turn_quaternion(q, tree.quat_q[i], (x[j], x[j + 1], x[j + 2]), out)


@helper
def turn_quaternion(q, k, x, out):
    """The quaternion at out[k] is that at q[k] times exp(x)."""
    turn = 0.5 * (x[0] ** 2 + x[1] ** 2 + x[2] ** 2) ** 0.5
    c, s = math.cos(turn), 0.5 * _sinc(turn)
    x0, x1, x2 = s * x[0], s * x[1], s * x[2]
    a, b, d, e = q[k], q[k + 1], q[k + 2], q[k + 3]
    out[k] = a * c - b * x0 - d * x1 - e * x2
    out[k + 1] = a * x0 + b * c + d * x2 - e * x1
    out[k + 2] = a * x1 + d * c + e * x0 - b * x2
    out[k + 3] = a * x2 + e * c + b * x1 - d * x0


@helper
def _sinc(turn):
    """sin(turn) / turn."""
    if abs(turn) < 1e-4:
        return 1.0 - turn * turn / 6.0
    return math.sin(turn) / turn


@part
def chart_rate(tree, x, v, out):
    """out = dx/dt for the rates v at the displacement x: T(x)^-1 v for quaternions, v otherwise.

    T^-1 = 1 + x~/2 + k x~², k = (1 - (t/2) cot(t/2)) / t², t = |x| (body-axis tangent operator of SO(3)).
    """
    for i in range(tree.nv):
        out[i] = v[i]
    for i in range(tree.quat_q.shape[0]):
        j = tree.quat_v[i]
        x0, x1, x2 = x[j], x[j + 1], x[j + 2]
        w0, w1, w2 = v[j], v[j + 1], v[j + 2]
        a0, a1, a2 = x1 * w2 - x2 * w1, x2 * w0 - x0 * w2, x0 * w1 - x1 * w0
        b0, b1, b2 = x1 * a2 - x2 * a1, x2 * a0 - x0 * a2, x0 * a1 - x1 * a0
        t2 = x0 * x0 + x1 * x1 + x2 * x2
        if t2 < 1e-3:
            k = 1.0 / 12.0 + t2 / 720.0 + t2 * t2 / 30240.0 + t2 * t2 * t2 / 1209600.0
        else:
            half = 0.5 * t2**0.5
            k = (1.0 - half * math.cos(half) / math.sin(half)) / t2
        out[j] = w0 + 0.5 * a0 + k * b0
        out[j + 1] = w1 + 0.5 * a1 + k * b1
        out[j + 2] = w2 + 0.5 * a2 + k * b2
