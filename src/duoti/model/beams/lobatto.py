"""Points and polynomials of elements of higher order: Gauss-Lobatto nodes, Gauss points, Lagrange's polynomials."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

Array = NDArray[np.float64]
HIGHEST = 8  # order


@cache
def lobatto(order: int) -> tuple[Array, Array]:
    """Nodes in -1..1, both ends among them, and weights that integrate polynomials up to 2 order - 1 exactly."""
    p = np.zeros(order + 1)
    p[order] = 1.0
    slope = legendre.legder(p)
    inner = np.sort(np.real(legendre.legroots(slope)))
    curve = legendre.legder(slope)
    for _ in range(2):  # Newton's method, to the last digit
        inner = inner - legendre.legval(inner, slope) / legendre.legval(inner, curve)
    x = np.concatenate([[-1.0], 0.5 * (inner - inner[::-1]), [1.0]])
    weights: Array = np.asarray(2.0 / (order * (order + 1) * legendre.legval(x, p) ** 2), dtype=np.float64)
    return x, weights


def lagrange(nodes: Array, x: Array) -> tuple[Array, Array]:
    """Values and slopes [x, node] of the polynomials that are one at a node and zero at the others."""
    n = len(nodes)
    gaps = nodes[:, None] - nodes + np.eye(n)
    N, D = np.ones((len(x), n)), np.zeros((len(x), n))
    for i in range(n):
        others = [j for j in range(n) if j != i]
        for j in others:
            N[:, i] *= (x - nodes[j]) / gaps[i, j]
        for k in others:
            D[:, i] += np.prod([(x - nodes[j]) / gaps[i, j] for j in others if j != k], axis=0) / gaps[i, k]
    return N, D


@cache
def gauss_polynomials(order: int) -> tuple[Array, Array, Array]:
    """Values and slopes [point, node] at the `order` Gauss points of an element, and their weights."""
    x, weights = legendre.leggauss(order)
    N, D = lagrange(lobatto(order)[0], x)
    return N, D, weights
