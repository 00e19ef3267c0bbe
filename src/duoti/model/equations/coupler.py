"""A linear combination of joint coordinates."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.equations.base import COORDINATE, RATE, SLOPE, CoordinateEquation


@helper
def _law(terms, first, last, coefficients, parameter, tables, begin, end):
    value, rate = 0.0 * terms[first, COORDINATE], 0.0 * terms[first, RATE]
    for n in range(first, last):
        value += coefficients[n] * terms[n, COORDINATE]
        rate += coefficients[n] * terms[n, RATE]
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
