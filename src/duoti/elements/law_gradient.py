"""Derivatives of laws by the state.

A law is a function of its signals; its derivative by each of them is one evaluation with a complex step (to round-off
for expressions; central differences for functions, whose inside is not known), times the derivative of the signal.
"""

from __future__ import annotations

from duoti.elements.body_pairs import displacement
from duoti.elements.laws import call_function, read_signal
from duoti.elements.markers import marker_point, marker_rotation
from duoti.kernel import for_kernels, helper, overloaded, part
from duoti.model.laws.expressions import evaluate
from duoti.model.laws.expressions.slope_machine import evaluate_slope
from duoti.model.laws.law import (
    ANGULAR_VELOCITY,
    AXES,
    COORDINATE,
    LOCAL,
    LOCAL_ANGULAR_VELOCITY,
    LOCAL_VELOCITY,
    POSITION,
    RATE,
    STATE,
    TIME,
)
from duoti.spatial.algebra import add, cross, dot, get3, get_spatial, quaternion_rate, shift_of, sub


@for_kernels
def _real_slope(laws, law, path, w, place, count, output, like):
    path.law_in[place] += 1j  # operations drop products of two imaginary parts: the step may be of any size
    if laws.law_address[law] != 0:
        call_function(laws.law_address[law], path, count)
        slope = path.law_out[output].imag
    else:
        begin, end = laws.law_code[law], laws.law_code[law + 1]
        slope = evaluate(laws.code, begin, end, laws.constants, path.law_in, path.stack).imag
    path.law_in[place] = path.law_in[place].real
    return slope


@for_kernels
def _complex_slope(laws, law, path, w, place, count, output, like):
    begin, end = laws.law_code[law], laws.law_code[law + 1]
    return evaluate_slope(laws.code, begin, end, laws.constants, path.law_in, place, path.stack, w.stack)


def law_slope(laws, law, path, w, place, count, output, like):
    """Derivative of a law by its signal in this place, with the signals in path.law_in; of the number type of `like`.

    With complex signals and constants it is exact in both parts, so that it can be differentiated further; only
    expressions have such derivatives.
    """
    chosen = _complex_slope if isinstance(like, complex) else _real_slope
    return chosen(laws, law, path, w, place, count, output, like)


overloaded(
    law_slope,
    lambda laws, law, path, w, place, count, output, like: _real_slope(
        laws, law, path, w, place, count, output, like
    ),
    lambda laws, law, path, w, place, count, output, like: _complex_slope(
        laws, law, path, w, place, count, output, like
    ),
    choose=lambda laws, law, path, w, place, count, output, like: like,
)  # fmt: skip


@helper
def reads_state(loads, law):
    """1 if the law reads more than the time and what its own element offers."""
    laws = loads.laws
    for s in range(laws.law_signals[law, 0], laws.law_signals[law, 1]):
        if laws.signals[s, 0] != TIME and laws.signals[s, 0] != LOCAL:
            return 1
    return 0


@part
def add_law_gradient(tree, loads, w, tan, path, law, output, t, q, v, local0, local1, scale, Q, V, Z, row):
    """Add scale * d(output of the law)/d(delta, v, z) to row `row` of Q, V and Z; needs tangent_kinematics.

    Returns the derivatives (not scaled) by what the force element itself offers, local0 and local1.
    """
    laws = loads.laws
    first, last = laws.law_signals[law, 0], laws.law_signals[law, 1]
    by_local0, by_local1 = 0.0, 0.0
    for s in range(first, last):
        path.law_in[s - first] = read_signal(loads, w, s, t, q, v, local0, local1)
    for s in range(first, last):
        kind = laws.signals[s, 0]
        if kind == TIME:
            continue
        slope = law_slope(laws, law, path, w, s - first, last - first, output, w.X_WB[0, 0])
        if kind != LOCAL:
            _signal_row(tree, loads, w, tan, path, s, q, scale * slope, Q, V, Z, row)
        elif laws.signals[s, 1] == 0:
            by_local0 += slope
        else:
            by_local1 += slope
    return by_local0, by_local1


@part
def _signal_row(tree, loads, w, tan, path, s, q, slope, Q, V, Z, row):
    """Add slope times the derivative of signal s to row `row` of Q, V and Z."""
    signals = loads.laws.signals
    kind, i, c = signals[s, 0], signals[s, 1], signals[s, 2]
    if kind == RATE:
        V[row, i] += slope
    elif kind == STATE:
        Z[row, i - tree.nq - tree.nv] += slope
    elif kind == COORDINATE:
        j, n = path.coordinate[i, 0], path.coordinate[i, 1]
        if n < 0:
            Q[row, j] += slope
        else:
            x0, x1, x2, x3 = q[i - n], q[i - n + 1], q[i - n + 2], q[i - n + 3]
            Q[row, j] += slope * quaternion_rate(x0, x1, x2, x3, (1.0, 0.0, 0.0))[n]
            Q[row, j + 1] += slope * quaternion_rate(x0, x1, x2, x3, (0.0, 1.0, 0.0))[n]
            Q[row, j + 2] += slope * quaternion_rate(x0, x1, x2, x3, (0.0, 0.0, 1.0))[n]
    else:
        p, _ = marker_point(loads, w, i)
        r = sub(p, get3(w.X_WB, 1, 9))
        b = loads.markers.body[i]
        V_b = get_spatial(tan.V_W, b)
        R = marker_rotation(loads, w, i)
        axis = (R[c % 3], R[3 + c % 3], R[6 + c % 3])
        while b > 0:
            for k in range(tree.first[b], tree.first[b + 1]):
                j = tree.rate[k]
                S_j, y_j = displacement(tan, k, V_b)
                moved = shift_of(S_j, r)
                if kind == POSITION:
                    Q[row, j] += slope * moved[c]
                elif kind == AXES:
                    Q[row, j] += slope * cross(S_j[0], axis)[c // 3]
                elif kind == ANGULAR_VELOCITY:
                    Q[row, j] += slope * y_j[0][c]
                    V[row, j] += slope * S_j[0][c]
                elif kind == LOCAL_ANGULAR_VELOCITY:  # along an axis of the marker, which turns with the body
                    Q[row, j] += slope * (dot(axis, y_j[0]) + dot(cross(S_j[0], axis), V_b[0]))
                    V[row, j] += slope * dot(axis, S_j[0])
                elif kind == LOCAL_VELOCITY:
                    change = add(shift_of(y_j, r), cross(V_b[0], moved))
                    Q[row, j] += slope * (dot(axis, change) + dot(cross(S_j[0], axis), shift_of(V_b, r)))
                    V[row, j] += slope * dot(axis, moved)
                else:  # velocity of a point: V + omega x r, both of which change
                    Q[row, j] += slope * add(shift_of(y_j, r), cross(V_b[0], moved))[c]
                    V[row, j] += slope * moved[c]
            b = tree.parent[b]
