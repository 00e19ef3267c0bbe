"""From the coefficients of a Runge-Kutta method to the arrays of the compiled loop."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.polynomial import polynomial as poly
from numpy.typing import ArrayLike, NDArray

from duoti.integrate.explicit_loop import RUNGE_KUTTA, Tableau

Array = NDArray[np.float64]


def hermite_rows(b: ArrayLike, stages: int, total: int) -> list[Array]:
    """F0, F1, F2 of the nested form of the dense output (below), as weights of the stages' rates times h."""
    step, first, last = np.zeros(total), np.zeros(total), np.zeros(total)
    step[: len(np.asarray(b))] = b
    first[0], last[stages] = 1.0, 1.0
    return [step, first - step, 2.0 * step - first - last]


def dense_polynomial(rows: Sequence[ArrayLike]) -> Array:
    """Coefficients P[stage, power] of y(x) - y = x (F0 + (1-x) (F1 + x (F2 + (1-x) (F3 + ...)))).

    The nested form of Hairer, Norsett & Wanner 1993, section II.6; without further rows it is the cubic Hermite
    polynomial.
    """
    F = [np.asarray(row, dtype=float) for row in rows]
    P = np.zeros((len(F[0]), len(F)))
    factor = np.array([1.0])
    for i, row in enumerate(F):
        factor = poly.polymul(factor, [0.0, 1.0] if i % 2 == 0 else [1.0, -1.0])
        P[:, : len(factor) - 1] += np.outer(row, factor[1:])
    return P


def runge_kutta(
    A: Sequence[Sequence[float]] | Array,
    b: ArrayLike,
    c: ArrayLike,
    error: ArrayLike | None = None,
    second_error: ArrayLike | None = None,
    order: int = 1,
    extra_A: Sequence[Sequence[float] | Array] | Array = (),
    extra_c: Sequence[float] | Array = (),
    dense: Sequence[ArrayLike] = (),
) -> Tableau:
    """Arrays of a method with s stages.

    A, b, c: Butcher's coefficients; error: weights of the s + 1 rates (the last at the new state) in the error
    estimate, None for a method of fixed step; order: exponent of the step-size control; extra_A, extra_c: more stages
    for dense output (columns: s + 1 rates, then the further ones); dense: rows F3, F4, ... of the dense output.
    """
    s = len(np.asarray(b))
    total = s + 1 + len(extra_c)
    full = np.zeros((total, total))
    for i, row in enumerate(A):
        full[i, : len(row)] = row
    full[s, :s] = b
    for i, row in enumerate(extra_A):
        full[s + 1 + i, : len(row)] = row
    E = np.zeros((2, s + 1))
    for i, weights in enumerate((error, second_error)):
        if weights is not None:
            E[i, : len(np.asarray(weights))] = weights
    return Tableau(
        RUNGE_KUTTA,
        int(error is not None),
        s,
        order,
        full,
        np.concatenate([np.asarray(c, dtype=float), [1.0], np.asarray(extra_c, dtype=float)]),
        E,
        dense_polynomial([*hermite_rows(b, s, total), *dense]),
    )
