"""Local coordinates of a step: displacements x with q = q_n o exp(x), one for each rate.

Plain coordinates add; a quaternion is multiplied by the rotation x = axis times angle, in the child's axes. The
implicit methods work with x, whose rate at x = 0 is v; no length of a quaternion is ever integrated.
"""

import math

from duoti.kernel import part
from duoti.spatial.algebra import turn_quaternion


@part
def retract(tree, q, x, out):
    """out = q o exp(x); out may be q."""
    for i in range(tree.plain_q.shape[0]):
        out[tree.plain_q[i]] = q[tree.plain_q[i]] + x[tree.plain_v[i]]
    for i in range(tree.quat_q.shape[0]):
        j = tree.quat_v[i]
        turn_quaternion(q, tree.quat_q[i], (x[j], x[j + 1], x[j + 2]), out)


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
