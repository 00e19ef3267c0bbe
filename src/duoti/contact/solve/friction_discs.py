"""Normal forces, and forces that discs bound whose radii are parts of them: friction, and resistance against turning.

    a = D z + q,    normal rows: l <= z_n  ⟂  a_n >= 0;    of each disc: |z_d| <= c z_n, and a_d against z_d       (1)

that is z_d = proj(z_d - a_d) onto the disc of the radius c z_n, whatever the units of a: written with a unit diagonal
of D, it is solved by steps of all rows at once, or sweeps from one point to the next, and by Newton's method on (1).
Where these fail, D + s is solved, with s from 10 to round-off, each from the solution before (Tikhonov's
regularisation). D need not be symmetric. The least normal forces l are zero but in the expansion of an impact, which
gives back a part of its compression. Steps of all rows at once, of least squares, and with a shift treat all points
alike: where forces are not unique, those of a box that falls flat are the same at all corners.

Redundant rows may contradict each other a little: two points of a body that stick, and turn by what counts as rest.
Then (1) would have their forces grow against each other up to the edge of the discs. Newton's method, by least squares,
leaves a small a_d instead, which is taken.
"""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple

import numpy as np

from duoti.system.arrays import Reals

TOLERANCE = 1e-11  # of the largest number
CONTRADICTION = 1e-6  # the same, of rows that cannot all be met: speeds of 1e-5 may count as rest
AT_ONCE = 100  # steps of all rows at once
SWEEPS = 0, 20, 200, 1000  # from one point to the next, before steps of Newton's method
LOOK_EVERY = 10  # sweeps between looks at the residual
NEWTON_STEPS = 30
SHIFTS = 10.0 ** -np.arange(-1.0, 13.0, 0.5)  # of the unit diagonal: from almost none of the coupling to round-off
IMMOVABLE = 1e-14  # part of the largest diagonal entry of normal rows, or of discs: a row that nothing moves


class Disc(NamedTuple):
    """Rows whose forces a normal force bounds."""

    rows: tuple[int, ...]
    """One or two."""
    owner: int
    """Row of the normal force."""
    radius: float
    """For a unit of the normal force."""


class Forces(NamedTuple):
    """What `solve_discs` found."""

    z: Reals
    held: list[bool]
    """Of each disc: whether its force is inside, and nothing moves there."""
    iterations: int = 0
    """Steps of all rows, sweeps and steps of Newton's method."""


def solve_discs(
    D: Reals,
    q: Reals,
    normals: list[int],
    discs: list[Disc],
    small: float = 0.0,
    rest: float = 0.0,
    least: Reals | None = None,
) -> Forces | None:
    """Forces z of (1), l = `least` of the normal rows; None if none were found.

    small: an error of a, in the unit of normal rows, that does not matter; rest: what may be left of it where rows
    contradict each other.
    """  # fmt: skip
    if np.any(np.diag(D)[normals] < 0.0):
        return None  # a contact that a greater force would press more: see `accelerations`
    scale = _scales(D, normals, discs)
    A, b = scale[:, None] * D * scale, scale * q
    moves = [scale[d.rows[0]] > 0.0 for d in discs]
    scaled = [d._replace(radius=d.radius * scale[d.owner] / scale[d.rows[0]]) for d in compress(discs, moves)]
    lowest = np.zeros(len(b))
    if least is not None:
        lowest[normals] = least / np.where(scale[normals] > 0.0, scale[normals], np.inf)
    problem = _Problem(A, b, normals, scaled, lowest, [])
    size = max(float(np.max(np.abs(np.append(b, lowest)), initial=0.0)), 1e-300)
    unit = float(np.max(scale[normals], initial=0.0))
    tolerance, contradiction = max(TOLERANCE * size, small * unit), max(CONTRADICTION * size, rest * unit)
    begin = problem.descend(lowest, AT_ONCE)
    y, of = begin, problem
    for sweeps, shift in (*((each, 0.0) for each in SWEEPS), *((0, each) for each in SHIFTS)):
        y = problem.sweep(y, sweeps, tolerance)
        if shift > 0.0:
            shifted = problem.shifted(shift)
            found = shifted.newton(y if of is not problem else begin, NEWTON_STEPS, tolerance)
            if shifted.residual(found) <= tolerance:
                y, of = found, shifted
        found = problem.newton(y, NEWTON_STEPS, tolerance)
        left = problem.residual(found)
        if left <= tolerance or (left <= contradiction and problem.stands(found, left)):
            y, of = found, problem
            break
    if problem.residual(y) > contradiction:  # less of it is a contradiction, or what the least shift leaves
        return None
    y[normals] = np.maximum(y[normals], lowest[normals])  # but for round-off they are
    inside = iter(of.inside(y))
    return Forces(scale * y, [next(inside) if each else True for each in moves], len(problem.made))


def _scales(D: Reals, normals: list[int], discs: list[Disc]) -> Reals:
    """Units in which diagonals are 1, the same for both rows of a disc; 0 for rows that nothing moves."""
    diagonal, scale = np.diag(D), np.zeros(len(D))
    groups = [(n,) for n in normals] + [disc.rows for disc in discs]
    for group in groups:
        most = float(np.max(diagonal[list(group)]))
        like = max(float(np.max(diagonal[list(g)])) for g in groups if len(g) == len(group))
        scale[list(group)] = 1.0 / np.sqrt(most) if most > IMMOVABLE * like else 0.0
    return scale


class _Problem(NamedTuple):
    """(1) with a unit diagonal."""

    A: Reals
    b: Reals
    normals: list[int]
    discs: list[Disc]
    least: Reals
    made: list[int]
    """As long as iterations were made."""

    def residual(self, y: Reals) -> float:
        """How far y is from what (1) makes of it; infinite for numbers that are none."""
        a = self.A @ y + self.b
        worst = max((abs(y[n] - max(y[n] - a[n], self.least[n])) for n in self.normals), default=0.0)
        for disc in self.discs:
            rows = list(disc.rows)
            left = y[rows] - _onto(y[rows] - a[rows], disc.radius * max(y[disc.owner], 0.0))
            worst = max(worst, float(np.max(np.abs(left))))
        return float(worst) if np.isfinite(worst) else np.inf

    def stands(self, y: Reals, left: float) -> bool:
        """Whether another step of Newton's method leaves what it was."""
        return abs(self.residual(self.newton(y, 1, 0.0)) - left) <= 1e-3 * left

    def inside(self, y: Reals) -> list[bool]:
        """Of each disc, whether y is inside."""
        a = self.A @ y + self.b
        return [
            float(np.linalg.norm((y - a)[list(disc.rows)])) <= disc.radius * max(float(y[disc.owner]), 0.0)
            for disc in self.discs
        ]

    def descend(self, y: Reals, steps: int) -> Reals:
        """All rows at once, each step as long as the fastest of all motions allows."""
        y, fastest = y.copy(), float(np.linalg.norm(self.A, 2)) or 1.0
        for k in range(steps):
            self.made.append(k)
            y -= (self.A @ y + self.b) / fastest
            y[self.normals] = np.maximum(y[self.normals], self.least[self.normals])
            for disc in self.discs:
                rows = list(disc.rows)
                y[rows] = _onto(y[rows], disc.radius * y[disc.owner])
        return y

    def sweep(self, y: Reals, most: int, tolerance: float) -> Reals:
        """From point to point, each row or disc by itself."""
        y = y.copy()
        greatest = {disc.rows: self._greatest(disc) for disc in self.discs}
        for k in range(most):
            self.made.append(k)
            for n in self.normals:
                if self.A[n, n] > 0.0:
                    y[n] = max(y[n] - (self.A[n] @ y + self.b[n]) / self.A[n, n], self.least[n])
            for disc in self.discs:
                rows = list(disc.rows)
                aim = y[rows] - (self.A[rows] @ y + self.b[rows]) / greatest[disc.rows]
                y[rows] = _onto(aim, disc.radius * y[disc.owner])
            if k % LOOK_EVERY == 0 and self.residual(y) <= tolerance:
                break
        return y

    def _greatest(self, disc: Disc) -> float:
        return float(np.max(np.abs(np.linalg.eigvals(self.A[np.ix_(disc.rows, disc.rows)]))))

    def shifted(self, by: float) -> _Problem:
        """The same with so much more on the diagonal, which is one again."""
        return self._replace(A=(self.A + by * np.eye(len(self.b))) / (1.0 + by), b=self.b / (1.0 + by))

    def newton(self, y: Reals, most: int, tolerance: float) -> Reals:
        """Newton's method for the state of each row: open or closed, inside its disc or at its edge."""
        for k in range(most):
            self.made.append(k)
            a, H, F = self.A @ y + self.b, np.eye(len(y)), np.zeros(len(y))
            for n in self.normals:
                closed = y[n] - a[n] > self.least[n]
                F[n] = a[n] if closed else y[n] - self.least[n]
                if closed:
                    H[n] = self.A[n]
            for disc in self.discs:
                self._linearise(disc, y, a, H, F)
            step, *_ = np.linalg.lstsq(H, -F, rcond=1e-13)
            y = y + step
            if not np.all(np.isfinite(y)) or self.residual(y) <= tolerance:
                break
        return y

    def _linearise(self, disc: Disc, y: Reals, a: Reals, H: Reals, F: Reals) -> None:
        rows, normal = list(disc.rows), max(float(y[disc.owner]), 0.0)
        aim, radius = y[rows] - a[rows], disc.radius * normal
        size = float(np.linalg.norm(aim))
        if size <= radius:
            F[rows], H[rows] = a[rows], self.A[rows]
            return
        direction = aim / size
        across = radius / size * (np.eye(len(rows)) - np.outer(direction, direction))
        F[rows] = y[rows] - radius * direction
        H[rows] = across @ self.A[rows]
        H[np.ix_(rows, rows)] += np.eye(len(rows)) - across
        if normal > 0.0:
            H[rows, disc.owner] -= disc.radius * direction


def _onto(x: Reals, radius: float) -> Reals:
    """The nearest point of a disc."""
    size = float(np.linalg.norm(x))
    return x if size <= radius else x * (radius / size)
