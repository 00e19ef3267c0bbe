"""Numbers of a beam element of higher order: its polynomials by length, strains without stress, section forces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.lobatto import gauss_polynomials, lagrange, lobatto

Array = NDArray[np.float64]
SLOWEST = 1e-3  # slope of the axis by that of its longest part, below which nodes are out of order


class Rest(NamedTuple):
    """An element without stress: at its Gauss points, polynomials and their slopes by length, lengths, strains [6]."""

    N: Array
    D: Array
    lengths: Array
    strains: Array


def _quaternions(R: Array) -> Array:
    """Of rotations [..., node, 3, 3], scalar first; of two, that nearer to the neighbour's (see `total_strains`)."""
    n = R.shape[-3]
    diagonal = np.diagonal(R, axis1=-2, axis2=-1)
    i = np.argmax(np.concatenate([diagonal.sum(axis=-1, keepdims=True), diagonal], axis=-1), axis=-1)[..., None]
    a, b, c = R[..., 2, 1], R[..., 0, 2], R[..., 1, 0]
    d, e, f = R[..., 1, 2], R[..., 2, 0], R[..., 0, 1]
    x, y, z = diagonal[..., 0], diagonal[..., 1], diagonal[..., 2]
    rows = [
        [1 + x + y + z, a - d, b - e, c - f],
        [a - d, 1 + x - y - z, c + f, b + e],
        [b - e, c + f, 1 - x + y - z, a + d],
        [c - f, b + e, a + d, 1 - x - y + z],
    ]  # 4 q q^T, of which the row with the largest entry is taken (Shepperd 1978)
    square = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    q = np.take_along_axis(square, i[..., None], axis=-2)[..., 0, :]
    q = q / np.linalg.norm(q, axis=-1, keepdims=True)
    q = np.where(q[..., n // 2 : n // 2 + 1, :1] < 0.0, -q, q)
    for k in range(1, n):
        at, before = (n // 2 + k, n // 2 + k - 1) if k < n - n // 2 else (n - 1 - k, n - k)
        flip = np.sum(q[..., at, :] * q[..., before, :], axis=-1, keepdims=True) < 0.0
        q[..., at, :] = np.where(flip, -q[..., at, :], q[..., at, :])
    return q


def _vector_of_product(a: Array, b: Array) -> Array:
    """vec(a* b) of quaternions [..., 4]."""
    return a[..., :1] * b[..., 1:] - b[..., :1] * a[..., 1:] - np.cross(a[..., 1:], b[..., 1:])


def total_strains(R: Array, p: Array, N: Array, D: Array) -> Array:
    """Gamma and kappa (`spectral_nodes`), [..., point, 6], of nodes with rotations and places [..., n]."""
    middle = R.shape[-3] // 2
    back = np.swapaxes(R[..., middle, :, :], -1, -2)
    q = _quaternions(back[..., None, :, :] @ R)
    r = np.einsum("...ij,...nj->...ni", back, p - p[..., middle : middle + 1, :])
    Q, slope, along = (np.einsum("gn,...nk->...gk", M, x) for M, x in ((N, q), (D, q), (D, r)))
    per = 1.0 / np.sum(Q * Q, axis=-1, keepdims=True)
    w, v = Q[..., :1], Q[..., 1:]
    across = np.cross(v, along)  # vec(Q* r Q) = s r - 2 w v x r + 2 v x (v x r)
    gamma = along + 2.0 * per * (np.cross(v, across) - w * across)
    return np.concatenate([gamma, 2.0 * per * _vector_of_product(Q, slope)], axis=-1)


def _speeds(p: Array) -> Array:
    """Slopes of the axis by the polynomials' variable at the Gauss points."""
    return np.linalg.norm(gauss_polynomials(len(p) - 1)[1] @ (p - p[len(p) // 2]), axis=1)


def in_order(p: Array) -> bool:
    """Whether the axis through nodes at these places goes on everywhere."""
    speed = _speeds(p)
    return bool(speed.min() > SLOWEST * speed.max())


def rest_of(R: Array, p: Array) -> Rest:
    """The element through nodes with these rotations and places, free of stress."""
    N, slopes, weights = gauss_polynomials(len(p) - 1)
    speed = _speeds(p)
    D = slopes / speed[:, None]
    return Rest(N, D, weights * speed, total_strains(R, p, N, D))


def point_numbers(rest: Rest, beams: Sequence[Any], damped: bool) -> Array:
    """What the kernels read of all Gauss points (see `elements.beams.spectral_nodes`); beams: what each is made of."""
    found: list[Array] = []
    for g, beam in enumerate(beams):
        C = rest.lengths[g] * beam.matrix
        root = np.sqrt(beam.damping_times)
        viscous = [(root[:, None] * C * root).ravel()] if damped else []
        found += [rest.N[g], rest.D[g], rest.strains[g], C.ravel(), *viscous]
    return np.concatenate(found)


def point_strains(element: Any, frames: Array) -> Array:
    """Strains [time, point, 6] of an element at its Gauss points; frames: of its nodes, see `Seen`."""
    rest: Rest = element.rest
    R, p = frames[..., :9].reshape(*frames.shape[:2], 3, 3), frames[..., 9:12]
    return total_strains(R, p, rest.N, rest.D) - rest.strains


def forces_at(element: Any, frames: Array, places: Array) -> Array:
    """Elastic section forces [time, place, 6] (N, Qy, Qz, Mx, My, Mz) at places in -1..1 between the ends.

    Those of the Gauss points, where strains are one order more accurate than elsewhere (Barlow 1976, Int. J. Num. Meth.
    Eng. 10), and the polynomial through them.
    """
    matrices = np.array([beam.matrix for beam in element.point_beams])
    there = np.einsum("gkl,tgl->tgk", matrices, point_strains(element, frames))
    points = np.polynomial.legendre.leggauss(element.order)[0]
    return np.einsum("xg,tgk->txk", lagrange(points, places)[0], there)


def node_forces(element: Any, frames: Array) -> Array:
    """The same at the nodes."""
    return forces_at(element, frames, lobatto(element.order)[0])
