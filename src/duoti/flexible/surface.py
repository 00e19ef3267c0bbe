"""Loads on faces of solid elements."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def _triangle(points: Array, quadratic: bool) -> tuple[Array, Array]:
    x, y = points.T
    L, g = np.column_stack([1.0 - x - y, x, y]), np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
    if not quadratic:
        return L, np.broadcast_to(g, (len(points), 3, 2))
    pairs = ((0, 1), (1, 2), (2, 0))
    N = np.hstack([L * (2.0 * L - 1.0), *(4.0 * L[:, [i]] * L[:, [j]] for i, j in pairs)])
    corners = (4.0 * L - 1.0)[:, :, None] * g
    middles = np.stack([4.0 * (L[:, i, None] * g[j] + L[:, j, None] * g[i]) for i, j in pairs], axis=1)
    return N, np.concatenate([corners, middles], axis=1)


def _quadrilateral(points: Array) -> tuple[Array, Array]:
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    f = 1.0 + corners[None] * points[:, None]
    dN = np.stack([corners[:, 0] * f[:, :, 1], corners[:, 1] * f[:, :, 0]], axis=2) / 4.0
    return f.prod(axis=2) / 4.0, dN


def _rule(corners: int) -> tuple[Array, Array]:
    """Points and weights, exact to degree 5 on the square, 4 on the triangle (collapsed square)."""
    x, w = np.polynomial.legendre.leggauss(3)
    X, Y = (each.ravel() for each in np.meshgrid(x, x, indexing="ij"))
    W = np.outer(w, w).ravel()
    if corners == 4:
        return np.column_stack([X, Y]), W
    a, b = 0.5 * (1.0 + X), 0.5 * (1.0 + Y)
    return np.column_stack([a, b * (1.0 - a)]), W * (1.0 - a) / 4.0


def face_forces(nodes: Array, faces: NDArray[np.int64], traction: Callable[[Array], Array]) -> Array:
    """Forces (N, 3) of tractions [Pa], a function of unit outward normals (q, 3), on faces (F, 3, 4 or 6)."""
    count = faces.shape[1]
    points, weights = _rule(4 if count == 4 else 3)
    N, dN = _quadrilateral(points) if count == 4 else _triangle(points, count == 6)
    forces = np.zeros(nodes.shape)
    at = nodes[faces]  # (F, n, 3)
    tangents = np.einsum("fni,qnk->fqki", at, dN)
    normals = np.cross(tangents[:, :, 0], tangents[:, :, 1])
    areas = np.linalg.norm(normals, axis=2)
    pushed = traction((normals / areas[..., None]).reshape(-1, 3)).reshape(normals.shape)
    each = np.einsum("q,fq,qn,fqi->fni", weights, areas, N, pushed)
    np.add.at(forces, faces.ravel(), each.reshape(-1, 3))
    return forces
