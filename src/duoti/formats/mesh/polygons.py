"""Faces with any number of corners as triangles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MOST_CORNERS = 2000  # of a face that is not convex; the time grows with the square


class PolygonError(ValueError):
    """A face that cannot be split."""


def triangulated(points: Array, faces: list[list[int]]) -> NDArray[np.int64]:
    """Corners (n, 3) of the triangles: quadrilaterals are split along the shorter diagonal, larger faces by ears."""
    found: list[tuple[int, int, int]] = []
    quads = [face for face in faces if len(face) == 4]
    if quads:
        corners = points[np.array(quads)]
        first = np.sum((corners[:, 2] - corners[:, 0]) ** 2, axis=1)
        second = np.sum((corners[:, 3] - corners[:, 1]) ** 2, axis=1)
        shorter = iter((first < second).tolist())
    else:
        shorter = iter(())
    for face in faces:
        if len(face) == 3:
            found.append((face[0], face[1], face[2]))
        elif len(face) == 4:
            a, b, c, d = face
            found += [(a, b, c), (a, c, d)] if next(shorter) else [(a, b, d), (b, c, d)]
        else:
            found += [(face[i], face[j], face[k]) for i, j, k in _ears(_flat(points[face]))]
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _flat(corners: Array) -> Array:
    """The corners (n, 2) in the plane of the face, turned anticlockwise."""
    following = np.roll(corners, -1, axis=0)
    normal = np.sum(np.cross(corners - corners[0], following - corners[0]), axis=0)  # twice the vector of the area
    k = int(np.argmax(np.abs(normal)))
    x, y = ((1, 2), (2, 0), (0, 1))[k]
    flat = corners[:, [x, y]]
    return flat if normal[k] >= 0.0 else flat * np.array([1.0, -1.0])


def _ears(flat: Array) -> list[tuple[int, int, int]]:
    """Corners of the triangles, cut off one by one where no other corner lies inside (two ears, Meisters 1975)."""
    n = len(flat)
    ring = list(range(n))
    if np.all(_turns(flat) >= 0.0):
        return [(0, i, i + 1) for i in range(1, n - 1)]
    if n > MOST_CORNERS:
        raise PolygonError(f"a face has {n} corners and is not convex; at most {MOST_CORNERS} are read")
    found: list[tuple[int, int, int]] = []
    at = 0
    tried = 0
    while len(ring) > 3:
        at %= len(ring)
        a, b, c = ring[at - 1], ring[at], ring[(at + 1) % len(ring)]
        if tried >= len(ring) or _is_ear(flat, ring, a, b, c):  # a face that crosses itself has none: cut anyway
            found.append((a, b, c))
            del ring[at]
            tried = 0
        else:
            at += 1
            tried += 1
    return [*found, (ring[0], ring[1], ring[2])]


def _turns(flat: Array) -> Array:
    edges = np.roll(flat, -1, axis=0) - flat
    following = np.roll(edges, -1, axis=0)
    return edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]


def _is_ear(flat: Array, ring: list[int], a: int, b: int, c: int) -> bool:
    A, B, C = flat[a], flat[b], flat[c]
    if _cross(B - A, C - B) <= 0.0:
        return False
    others = flat[[i for i in ring if i not in (a, b, c)]]
    inside = (
        (_cross(B - A, others - A) >= 0.0) & (_cross(C - B, others - B) >= 0.0) & (_cross(A - C, others - C) >= 0.0)
    )
    corner = np.any([np.all(others == P, axis=1) for P in (A, B, C)], axis=0)  # the same point twice, as at a bridge
    return not np.any(inside & ~corner)


def _cross(u: Array, v: Array) -> Array:
    return u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
