"""A follower's coordinate by a table over the driver's."""

import math

from duoti.kernel import helper
from duoti.model.equations.base import SLOPE, TERM_Q, TERM_V, CoordinateEquation


@helper
def _lift(x, period, tables, begin, end):
    """Lift of the cam and its first three derivatives."""
    if period.real > 0.0:
        x = x - period * math.floor((x.real - tables[begin + 1, 0].real) / period.real)
    i = begin
    while i + 1 < end and x.real >= tables[i + 1, 0].real:
        i += 1
    s = x - tables[i, 0]
    c1, c2, c3 = tables[i, 2], tables[i, 3], tables[i, 4]
    return (
        tables[i, 1] + s * (c1 + s * (c2 + s * c3)),
        c1 + s * (2.0 * c2 + s * 3.0 * c3),
        2.0 * c2 + 6.0 * s * c3,
        6.0 * c3,
    )


@helper
def _law(terms, first, last, coefficients, period, tables, begin, end):
    follower, driver = first, first + 1
    lift, slope, curvature, _ = _lift(terms[driver, TERM_Q], period, tables, begin, end)
    speed = terms[driver, TERM_V]
    terms[follower, SLOPE], terms[driver, SLOPE] = 1.0, -slope
    return terms[follower, TERM_Q] - lift, terms[follower, TERM_V] - slope * speed, -curvature * speed * speed


@helper
def _curvature(n, m, terms, first, coefficients, period, tables, begin, end):
    driver = first + 1
    _, _, curvature, third = _lift(terms[driver, TERM_Q], period, tables, begin, end)
    if n == driver and m == driver:
        return -curvature, -third * terms[driver, TERM_V]
    return 0.0 * curvature, 0.0 * third * terms[driver, TERM_V]


class CamEquation(CoordinateEquation):
    """g = follower - table(driver); the parameter is the period of the table, 0 for none."""

    kind = "cam"
    law = staticmethod(_law)
    curvature = staticmethod(_curvature)
