"""Coefficients of Radau IIA of order 5, computed from their definition."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Radau5(NamedTuple):
    """Coefficients."""

    adaptive: int
    c: Any  # [3] times of the stages
    matrix: Any  # [3, 3] the method's matrix
    inverse: Any  # [3, 3] its inverse
    T: Any  # [3, 3] columns: the real eigenvector of `inverse`, then real and imaginary part of a complex one
    T_inverse: Any  # [3, 3]
    eigenvalues: Any  # [3] gamma, alpha, beta
    weights: Any  # [3] of the error estimate
    fit: Any  # [3, 3] coefficients of theta, theta², theta³ of the polynomial through 0 and the three stages


def radau5(adaptive: bool = True) -> Radau5:
    """The coefficients, computed from their definition (Hairer & Wanner 1996, sections IV.5 and IV.8)."""
    root = np.sqrt(6.0)
    c = np.array([(4.0 - root) / 10.0, (4.0 + root) / 10.0, 1.0])
    powers = np.vander(c, 3, increasing=True)
    A = (powers * c[:, None] / np.arange(1, 4)) @ np.linalg.inv(powers)
    inverse = np.linalg.inv(A)
    values, vectors = (np.array(each, dtype=np.complex128) for each in np.linalg.eig(inverse))
    re, im = np.real(vectors), np.imag(vectors)
    real, pair = int(np.argmin(np.abs(np.imag(values)))), int(np.argmax(np.imag(values)))
    T = np.column_stack([re[:, real], re[:, pair], im[:, pair]])
    gamma = float(np.real(values[real]))
    # embedded formula with an explicit first stage of weight 1/gamma that integrates polynomials of degree 2 exactly
    nodes = np.concatenate([[0.0], c])
    moments = np.vander(nodes, 3, increasing=True).T
    b0 = 1.0 / gamma
    b_hat = np.linalg.solve(moments[:, 1:], 1.0 / np.arange(1, 4) - b0 * moments[:, 0])
    weights = (b_hat - A[2]) @ inverse * gamma
    fit = np.linalg.inv(np.vander(c, 3, increasing=True) * c[:, None])
    return Radau5(
        adaptive=int(adaptive), c=c, matrix=A, inverse=inverse, T=T, T_inverse=np.linalg.inv(T),
        eigenvalues=np.array([gamma, float(np.real(values[pair])), float(np.imag(values[pair]))]), weights=weights,
        fit=np.ascontiguousarray(fit),
    )  # fmt: skip
