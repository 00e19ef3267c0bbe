"""A linear combination of joint coordinates."""

from duoti.kernel import helper
from duoti.model.equations.base import SLOPE, TERM_Q, TERM_V, CoordinateEquation


@helper
def _law(terms, first, last, coefficients, parameter, tables, begin, end):
    value, rate = 0.0 * terms[first, TERM_Q], 0.0 * terms[first, TERM_V]
    for n in range(first, last):
        value += coefficients[n] * terms[n, TERM_Q]
        rate += coefficients[n] * terms[n, TERM_V]
        terms[n, SLOPE] = coefficients[n]
    return value, rate, 0.0


@helper
def _curvature(n, m, terms, first, coefficients, parameter, tables, begin, end):
    return 0.0, 0.0


class CouplerEquation(CoordinateEquation):
    """g = sum of coefficients times coordinates."""

    kind = "coupler"
    law = staticmethod(_law)
    curvature = staticmethod(_curvature)
