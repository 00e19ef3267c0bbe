"""Contacts with Coulomb's cone and bilateral rows by an interior-point method, on a dense matrix.

With x = (p_n, p_t / mu) and z = (u_n + mu |u_t|, mu u_t), both of the cone L = {x_0 >= |x_t|}, Coulomb's law in the
form of De Saxcé & Feng (1998) is x . z = 0. The method goes along points inside of both cones,

    x o z = m (1, 0, 0),      z = E(u),      u = W T x + q,      T = diag(1, mu, mu)                            (1)

with Jordan's product o and m to zero: Newton's method with the scaling of Nesterov & Todd (1997), R R z = x, a
predictor and a corrector (Mehrotra 1992) for one factor of

    1 + R E' W T R      (bilateral rows without R)                                                              (2)

which is regular for redundant contacts, too. E' has the derivative of |u_t|. Friction that depends on the normal
impulse is no convex problem, so that the way may end before m is zero. It is then tried from elsewhere, or with a part
of that derivative, which bends the way (Acary, Armand & Nguyen 2023 go without it and hold |u_t| fixed in turns).
`contact.solve.interior` is the same method for the sparse problems of a step. Without friction x_t and z_t stay zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import get_lapack_funcs

from duoti.contact.solve.dense_newton import newton

TRIES = ((10.0, 1.0), (10.0, 0.8), (1000.0, 1.0), (10.0, 0.5), (1.0, 1.0), (0.01, 1.0), (0.1, 0.8))
"""How far inside of the cones a try begins, of the largest velocity, and the part of the derivative of |u_t|."""
MOST, MOST_LAST = 60, 30  # iterations of a try, and those of Newton's method on the projection at its end
TO_THE_EDGE = 0.95  # part of the way to the edge of the cones that a step goes at most
NEAR, NEARER = 1e-3, 1e-2  # residual from which Newton's method may finish, of q; times the last one
SHORT, MOST_SHORT = 0.02, 5  # steps that lead nowhere, and so many in a row that end a try
SHIFT = 1e-13  # of the diagonal of bilateral rows, which may be redundant
LEAST, EDGE = 1e-300, 1e-30  # EDGE: of the square of a number, its round-off

getrf, getrs = get_lapack_funcs(("getrf", "getrs"), dtype=float)  # say in a number, not a warning, what is singular


def interior_dense(W: Any, q: Any, first: Any, friction: Any, tolerance: float) -> tuple[Any, float, int, str]:
    """Impulses, residual in the unit of q, iterations and why it ended; contact i has rows first[i] to first[i + 1]."""
    n, contacts = len(q), len(friction)
    if contacts == 0:
        p = -np.linalg.lstsq(W, q, rcond=None)[0]
        return p, float(np.max(np.abs(W @ p + q), initial=0.0)), 1, "the bilateral rows contradict each other"
    problem = _Problem(W, q, first, friction)
    best, least, iterations, why = np.zeros(n), np.inf, 0, ""
    for inside, part in TRIES:
        with np.errstate(all="ignore"):  # numbers that are not finite end a try
            p, residual, made, why_here = problem.follow(inside, part, tolerance)
        iterations += made
        if residual < least:
            best, least, why = p, residual, why_here
        if least <= tolerance:
            break
    return best, least, iterations, why


class _Problem:
    """(1) with three rows for each contact, all scaled to diagonals of one and velocities of at most one."""

    def __init__(self, W: Any, q: Any, first: Any, friction: Any) -> None:
        self.given = (W, q, first, friction)
        n, contacts, sizes = len(q), len(friction), np.diff(first)
        self.contacts, self.mu = contacts, friction
        contact = np.repeat(np.arange(contacts), sizes)
        rows = np.arange(first[-1])
        bilateral = 3 * contacts + np.arange(n - first[-1])
        self.place = np.concatenate([3 * contact + rows - first[contact], bilateral])
        largest = np.maximum.reduceat(np.diag(W)[: first[-1]], first[:-1])
        diagonal = np.concatenate([largest[contact], np.diag(W)[first[-1] :]])
        self.unit = 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0))
        self.speed = float(np.max(np.abs(self.unit * q), initial=0.0)) or 1.0
        all_rows = 3 * contacts + n - first[-1]
        self.W, self.q = np.zeros((all_rows, all_rows)), np.zeros(all_rows)
        self.W[self.place[:, None], self.place] = self.unit[:, None] * W * self.unit
        self.q[self.place] = self.unit * q / self.speed
        self.T = np.stack([np.ones(contacts), friction, friction], axis=1)
        self.x, self.z, self.more = np.zeros((contacts, 3)), np.zeros((contacts, 3)), np.zeros(n - first[-1])

    def follow(self, inside: float, part: float, tolerance: float) -> tuple[Any, float, int, str]:
        """Impulses, residual, iterations and why it ended, of one of the `TRIES`."""
        self.more[:] = 0.0
        self.x = _inside(np.zeros((self.contacts, 3)), inside)
        self.z = _inside(self._shifted(self._velocities()), inside)
        best, least = self._finished(0, tolerance)
        near, short, k, why = NEAR * float(np.max(np.abs(self.given[1]))), 0, 0, "its iterations are used up"
        while least > tolerance and k < MOST:
            k += 1
            length = self._iteration(part)
            short = short + 1 if length < SHORT else 0
            if not length > 0.0:
                why = "its linear equations have no finite solution"
            elif short > MOST_SHORT:
                why = "its steps became too short at the edge of the cones"
            last = not length > 0.0 or short > MOST_SHORT or k == MOST
            p, residual = self._finished(0, tolerance)
            if residual <= near or last:
                near = NEARER * residual
                p, residual = self._finished(MOST_LAST, tolerance)
            if residual < least:
                best, least = p, residual
            if last:
                break
        return best, least, k, "solved" if least <= tolerance else why

    def _finished(self, most: int, tolerance: float) -> tuple[Any, float]:
        """The impulses p of x, after `most` iterations on the projection, and their residual."""
        W, q, first, friction = self.given
        n = len(q)
        p = self.speed * self.unit * np.concatenate([(self.T * self.x).ravel(), self.more])[self.place]
        residual = newton(
            W, q, first, friction, p, np.zeros(n), np.zeros((n, n)), np.zeros((3, n)), np.int64(most), tolerance
        )
        return p, float(residual) if np.isfinite(residual) else np.inf

    def _velocities(self) -> Any:
        return self.W @ np.concatenate([(self.T * self.x).ravel(), self.more]) + self.q

    def _shifted(self, u: Any) -> Any:
        """E(u)."""
        z = self.T * u[: 3 * self.contacts].reshape(-1, 3)
        z[:, 0] += np.hypot(z[:, 1], z[:, 2])
        return z

    def _iteration(self, part: float) -> float:
        """A predictor and a corrector; returns the length of the step, or -1 if there is none."""
        x, z, C = self.x, self.z, self.contacts
        R, inverse = _scaling(x, z)
        scaled = _times(R, z)
        m = 0.5 * float(np.sum(x * z)) / C
        u = self._velocities()
        error = z - self._shifted(u)
        slip = u[: 3 * C].reshape(-1, 3)[:, 1:]
        slope = np.zeros((C, 3, 3))  # E'
        slope[:, 0, 0] = 1.0
        slope[:, 0, 1:] = part * self.mu[:, None] * slip / (np.hypot(slip[:, :1], slip[:, 1:]) + LEAST)
        slope[:, 1, 1] = slope[:, 2, 2] = self.mu
        A = self.W.copy()
        A[: 3 * C] = ((R @ slope) @ A[: 3 * C].reshape(C, 3, -1)).reshape(3 * C, -1)
        columns = A[:, : 3 * C].reshape(-1, C, 3)
        A[:, : 3 * C] = np.einsum("ick,ckl->icl", columns, self.T[:, :, None] * R).reshape(-1, 3 * C)
        at = np.arange(len(A))
        A[at, at] += np.where(at < 3 * C, 1.0, SHIFT)
        if not (0.0 < m < np.inf and np.all(np.isfinite(A))):
            return -1.0
        factor, pivots, singular = getrf(A)
        if singular:
            return -1.0

        def direction(wanted: Any) -> tuple[Any, Any, Any]:
            """dx and dz with R^-1 dx + R dz = wanted, and changes of the bilateral impulses."""
            b = np.concatenate([(wanted + _times(R, error)).ravel(), -u[3 * C :]])
            s = getrs(factor, pivots, b)[0]
            s += getrs(factor, pivots, b - A @ s)[0]
            ds = s[: 3 * C].reshape(-1, 3)
            return _times(R, ds), _times(inverse, wanted - ds), s[3 * C :]

        dx, dz, _ = direction(-scaled)
        a = min(1.0, _room(x, dx), _room(z, dz))
        then = 0.5 * float(np.sum((x + a * dx) * (z + a * dz))) / C
        left = min(max(then / m, 1e-2), 1.0) ** 3
        wanted = -_jordan(scaled, scaled) - a * a * _jordan(_times(inverse, dx), _times(R, dz))
        wanted[:, 0] += left * m
        dx, dz, more = direction(_divided(scaled, wanted))
        if not (np.all(np.isfinite(dx)) and np.all(np.isfinite(dz))):
            return -1.0
        a = min(1.0, TO_THE_EDGE * min(_room(x, dx), _room(z, dz)))
        self.x, self.z, self.more = x + a * dx, z + a * dz, self.more + a * more
        return a


def _times(R: Any, x: Any) -> Any:
    return np.einsum("cij,cj->ci", R, x)


def _jordan(x: Any, y: Any) -> Any:
    """x o y."""
    return np.concatenate([np.sum(x * y, axis=1)[:, None], x[:, :1] * y[:, 1:] + y[:, :1] * x[:, 1:]], axis=1)


def _divided(x: Any, y: Any) -> Any:
    """s with x o s = y."""
    s = (x[:, 0] * y[:, 0] - np.sum(x[:, 1:] * y[:, 1:], axis=1)) / np.maximum(_determinant(x), LEAST)
    return np.concatenate([s[:, None], (y[:, 1:] - s[:, None] * x[:, 1:]) / x[:, :1]], axis=1)


def _determinant(x: Any) -> Any:
    n = np.hypot(x[:, 1], x[:, 2])
    return (x[:, 0] - n) * (x[:, 0] + n)


def _inside(x: Any, least: float) -> Any:
    """The points of the cone L with both eigenvalues x_0 - |x_t|, x_0 + |x_t| at least `least`."""
    n = np.hypot(x[:, 1], x[:, 2])
    low, high = np.maximum(x[:, 0] - n, least), np.maximum(x[:, 0] + n, least)
    f = 0.5 * (high - low) / np.maximum(n, LEAST)
    return np.stack([0.5 * (low + high), f * x[:, 1], f * x[:, 2]], axis=1)


def _room(x: Any, d: Any) -> float:
    """How far all may go from x along d within the cone L; at most 1e300."""
    a, c = d[:, 0] ** 2 - d[:, 1] ** 2 - d[:, 2] ** 2, _determinant(x)
    b = x[:, 0] * d[:, 0] - x[:, 1] * d[:, 1] - x[:, 2] * d[:, 2]
    under = b * b - a * c
    q = -(b + np.copysign(np.sqrt(np.maximum(under, 0.0)), b))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ways = np.stack([-x[:, 0] / d[:, 0], np.where(under >= 0.0, q / a, -1.0), np.where(under >= 0.0, c / q, -1.0)])
    return float(np.min(ways, where=ways > 0.0, initial=1e300))


def _scaling(x: Any, z: Any) -> tuple[Any, Any]:
    """The roots R of Nesterov's and Todd's scaling, R R z = x, and their inverses."""
    dx = np.sqrt(np.maximum(_determinant(x), EDGE * x[:, 0] ** 2))
    dz = np.sqrt(np.maximum(_determinant(z), EDGE * z[:, 0] ** 2))
    a, b = x / dx[:, None], z / dz[:, None]
    g = 2.0 * np.sqrt(0.5 * (1.0 + np.sum(a * b, axis=1)))
    w = (a + b * [1.0, -1.0, -1.0]) / g[:, None]
    f = np.sqrt(dx / dz)[:, None, None]
    R = np.zeros((len(x), 3, 3))
    R[:, 0, 0] = w[:, 0]
    R[:, 1:, 1:] = np.eye(2) + w[:, 1:, None] * w[:, None, 1:] / (1.0 + w[:, 0, None, None])
    inverse = R.copy()
    R[:, 0, 1:] = R[:, 1:, 0] = w[:, 1:]
    inverse[:, 0, 1:] = inverse[:, 1:, 0] = -w[:, 1:]
    return f * R, inverse / f
