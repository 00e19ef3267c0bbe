"""Values of laws: what they read, and how they are evaluated (`duoti.model.laws.law` is the user's side)."""

import math

from duoti.elements.body_pairs import displacement
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.kernel import call_address, for_kernels, helper, overloaded, part
from duoti.model.laws.expressions import evaluate
from duoti.model.laws.expressions.machine import evaluate_slope
from duoti.model.laws.expressions.operations import ADD, CONST, DIV, INPUT, MUL, NEG, POWER_INT, SUB
from duoti.model.laws.law import (
    ANGULAR_VELOCITY,
    AXES,
    COORDINATE_INPUT,
    LOCAL,
    LOCAL_ANGULAR_VELOCITY,
    LOCAL_VELOCITY,
    POSITION,
    RATE_INPUT,
    STATE,
    TIME,
    VELOCITY,
)
from duoti.spatial.algebra import add, cross, dot, get3, get_spatial, mulT, quaternion_rate, shift_of, sub


@part
def read_signal(loads, w, s, t, q, v, local0, local1):
    """Value of signal s; local0 and local1 are what the force element itself offers (length and speed of a line).

    First-order states are read from w.y, where the caller has put them.
    """
    signals = loads.laws.signals
    kind, i, j = signals[s, 0], signals[s, 1], signals[s, 2]
    value = 0.0 * local0 + t
    if kind == COORDINATE_INPUT:
        value = q[i] + 0.0 * local0
    elif kind == RATE_INPUT:
        value = v[i] + 0.0 * local0
    elif kind == LOCAL:
        value = local0 + 0.0 if i == 0 else local1 + 0.0
    elif kind == STATE:
        value = w.y[i] + 0.0 * local0
    elif kind != TIME:
        p, arm = marker_point(loads, w, i)
        if kind == POSITION:
            value = p[j]
        elif kind == AXES:
            value = marker_rotation(loads, w, i)[j]
        else:
            omega, velocity = marker_velocities(loads, w, i, arm)
            if kind >= LOCAL_VELOCITY:
                omega, velocity = (
                    mulT(marker_rotation(loads, w, i), omega),
                    mulT(marker_rotation(loads, w, i), velocity),
                )
            value = velocity[j] if kind in (VELOCITY, LOCAL_VELOCITY) else omega[j]
    return value


STEP = 6e-6  # of central differences: about the cube root of the round-off
UNDEFINED = math.nan  # what a function that raises leaves behind


@part
def call_function(address, w, n):
    """Call a function of real numbers with w.law_in[:n]; puts what it returns into w.law_out.

    A complex step goes through it by central differences in the direction of the imaginary parts.
    """
    size, largest, which = 0.0, 1.0, 0
    for i in range(n):
        w.law_x[i] = w.law_in[i].real
        if w.law_in[i].imag != 0.0:
            largest = max(largest, abs(w.law_in[i].real))
        if abs(w.law_in[i].imag) > size:
            size, which = abs(w.law_in[i].imag), i
    for k in range(w.law_y.shape[0]):
        w.law_y[k] = UNDEFINED
    call_address(address, w.law_x.ctypes.data, w.law_y.ctypes.data)
    for k in range(w.law_out.shape[0]):
        w.law_out[k] = w.law_y[k]
    if size > 0.0:
        unit = (w.law_in[which] - w.law_in[which].real) / w.law_in[which].imag  # the imaginary unit
        step = STEP * largest
        for sign in (1.0, -1.0):
            for i in range(n):
                w.law_x[i] = w.law_in[i].real + sign * step * (w.law_in[i].imag / size)
            for k in range(w.law_y.shape[0]):
                w.law_y[k] = UNDEFINED
            call_address(address, w.law_x.ctypes.data, w.law_y.ctypes.data)
            for k in range(w.law_out.shape[0]):
                w.law_out[k] += unit * (sign * w.law_y[k] * (size / (2.0 * step)))


@part
def law_value(loads, w, law, t, q, v, local0, local1):
    """Value of a law. Function laws put further values into w.law_out."""
    laws = loads.laws
    first, last = laws.law_signals[law, 0], laws.law_signals[law, 1]
    for s in range(first, last):
        w.law_in[s - first] = read_signal(loads, w, s, t, q, v, local0, local1)
    if laws.law_address[law] != 0:
        call_function(laws.law_address[law], w, last - first)
        return w.law_out[0]
    return evaluate(laws.code, laws.law_code[law], laws.law_code[law + 1], laws.constants, w.law_in, w.stack)


ARITHMETIC = (CONST, INPUT, ADD, SUB, MUL, DIV, NEG, POWER_INT)
WITH_OPERAND = (CONST, INPUT, POWER_INT)


def is_arithmetic(laws, law):
    """Whether a law reads coordinates and velocities alone, by sums, products, quotients and whole powers."""
    first, last = laws.law_signals[law]
    if laws.law_address[law] or any(kind not in (COORDINATE_INPUT, RATE_INPUT) for kind in laws.signals[first:last, 0]):
        return False
    i, end = laws.law_code[law : law + 2].tolist()
    while i < end:
        op = int(laws.code[i])
        if op not in ARITHMETIC:
            return False
        i += 2 if op in WITH_OPERAND else 1
    return True


@part
def arithmetic_law_value(loads, w, law, q, v):
    """Value of a law that `is_arithmetic`, as `law_value`; it branches on no number, so that lanes have it, too."""
    laws, stack = loads.laws, w.stack
    code, first = laws.code, laws.law_signals[law, 0]
    i, stop, depth = laws.law_code[law], laws.law_code[law + 1], 0
    top = 0.0 * stack[0]
    while i < stop:
        op = code[i]
        i += 1
        if op == CONST or op == INPUT:  # noqa: SIM109 (a tuple would be built in the kernel)
            stack[depth] = top
            depth += 1
            if op == CONST:
                top = laws.constants[code[i]]
            else:
                s = first + code[i]
                top = q[laws.signals[s, 1]] if laws.signals[s, 0] == COORDINATE_INPUT else v[laws.signals[s, 1]]
            i += 1
        elif op == NEG:
            top = -top
        elif op == POWER_INT:
            x = top
            for _ in range(code[i] - 1):
                top = top * x
            i += 1
        else:
            depth -= 1
            if op == ADD:
                top = stack[depth] + top
            elif op == SUB:
                top = stack[depth] - top
            elif op == MUL:
                top = stack[depth] * top
            else:
                top = stack[depth] / top
    return top


@helper
def law_vector(loads, w, first, count, t, q, v, local0, local1):
    """Values of up to three laws from number `first` on, others zero; count = 0: of one function that gives all."""
    x = y = z = 0.0 * w.X_WB[0, 0]
    for c in range(max(1, count)):  # in a loop, so that the code of laws is compiled here only once
        value = law_value(loads, w, first + c, t, q, v, local0, local1)
        x, y, z = (value if c == 0 else x), (value if c == 1 else y), (value if c == 2 else z)
    return (x, w.law_out[1], w.law_out[2]) if count == 0 else (x, y, z)


# Derivatives of laws by the state.
#
# A law is a function of its signals; its derivative by each of them is one evaluation with a complex step (to round-off
# for expressions; central differences for functions, whose inside is not known), times the derivative of the signal.


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
    if kind == RATE_INPUT:
        V[row, i] += slope
    elif kind == STATE:
        Z[row, i - tree.nq - tree.nv] += slope
    elif kind == COORDINATE_INPUT:
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
