"""Values of laws: what they read, and how they are evaluated (`duoti.model.laws.law` is the user's side)."""

from __future__ import annotations

import math

from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.kernel import call_address, helper, part
from duoti.model.laws.expressions import evaluate
from duoti.model.laws.law import AXES, COORDINATE, LOCAL, LOCAL_VELOCITY, POSITION, RATE, STATE, TIME, VELOCITY
from duoti.spatial.algebra import mulT


@part
def read_signal(loads, w, s, t, q, v, local0, local1):
    """Value of signal s; local0 and local1 are what the force element itself offers (length and speed of a line).

    First-order states are read from w.y, where the caller has put them.
    """
    signals = loads.laws.signals
    kind, i, j = signals[s, 0], signals[s, 1], signals[s, 2]
    value = 0.0 * local0 + t
    if kind == COORDINATE:
        value = q[i] + 0.0 * local0
    elif kind == RATE:
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


@helper
def law_vector(loads, w, first, count, t, q, v, local0, local1):
    """Values of up to three laws from number `first` on, others zero; count = 0: of one function that gives all."""
    x = y = z = 0.0 * w.X_WB[0, 0]
    for c in range(max(1, count)):  # in a loop, so that the code of laws is compiled here only once
        value = law_value(loads, w, first + c, t, q, v, local0, local1)
        x, y, z = (value if c == 0 else x), (value if c == 1 else y), (value if c == 2 else z)
    return (x, w.law_out[1], w.law_out[2]) if count == 0 else (x, y, z)
