"""Small deviations from a state: all first derivatives of the equations of motion there, and what the closures leave
free.

With delta the displacement, dv, da, dz the changes of rates, accelerations and first-order states, dl that of the
multipliers (`dynamics.derivatives.linearise`, `dynamics.derivatives.constraints`):

    M da + C dv + K delta + Z dz - G^T dl = 0                                                               (1)
    G_h delta = 0   (equations of position),   G dv + Gq delta = 0,   G da + Av dv + Aq delta = 0           (2)
    d(delta)/dt = dv - w x delta   (quaternions, w in the axes that the displacement is in; otherwise dv)   (3)
    d(dz)/dt = Fq delta + Fv dv + Fz dz                                                                     (4)

(2) is solved for dependent coordinates: delta = N_h y, dv = N u + W y with the independent ones y and u.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.states.supported import refuse_reaction_feedback
from duoti.dynamics.workspace import Linearisation, new_linearisation, new_workspace
from duoti.kernel import run_entry
from duoti.spatial.axes import skew
from duoti.system.arrays import Ints, Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

RANK = 1e-9  # pivots below this part of the largest one belong to equations that say nothing new
LAST = 1e-7  # what columns of preferred independent coordinates are scaled by when dependent ones are looked for


@dataclass(frozen=True)
class Equations:
    """The equations of a system, evaluated at will; owns a workspace."""

    system: System
    work: Work
    made: Linearisation

    @classmethod
    def of(cls, system: System) -> Equations:
        """With a new workspace."""
        refuse_reaction_feedback(system, "an analysis of the equations of motion")
        work = new_workspace(system, ydot=True)
        return cls(system, work, new_linearisation(system, work, acceleration_rows=system.closures.rows > 0))

    def put(self, q: Reals, v: Reals, z: Reals, t: float) -> None:
        """Set the state and the time."""
        nq, nv = self.system.nq, self.system.nv
        y = self.work.y
        y[:nq], y[nq : nq + nv], y[nq + nv : nq + nv + self.system.nz] = q, v, z
        self.work.clock[0] = t

    @property
    def z(self) -> Reals:
        """The first-order states in the workspace."""
        first = self.system.nq + self.system.nv
        return self.work.y[first : first + self.system.nz].copy()

    def solve_algebraic(self) -> None:
        """Bring algebraic states in line with their equations."""
        if self.work.calls[0].algebraic:
            run_entry(self.work.calls[0].algebraic, self.work.at[0].system)

    def accelerations(self) -> Reals:
        """a in the state that was put; the multipliers stay in the workspace."""
        nq, nv = self.system.nq, self.system.nv
        run_entry(self.work.calls[0].ydot, self.work.at[0].system)
        return self.work.ydot[nq : nq + nv].copy()

    def vary(self, prefer: Sequence[int] = ()) -> Variation:
        """All derivatives in the state that was put, with the accelerations and multipliers that it has there.

        With closures, both are solved for anew by dense algebra: the compiled solution (`dynamics.loops.constrained`)
        is made for speed, and in long loops its multipliers have only some digits, which d(G^T lambda)/dq would
        inherit.
        """
        a = self.accelerations()
        rows = self.system.closures.rows
        if not rows:
            return self.linearise(a, np.zeros(0))
        gamma, zero = self.work.gamma.copy(), np.zeros(self.system.nv)
        at_rest = self.linearise(zero, np.zeros(rows))
        r, _ = self.residual(zero, np.zeros(rows))
        rates = chart(at_rest.G, prefer)
        a = rates.particular(gamma)
        N = rates.N
        a = a - N @ np.linalg.solve(N.T @ at_rest.M @ N, N.T @ (r + at_rest.M @ a))
        multipliers: Any = np.linalg.lstsq(at_rest.G.T, r + at_rest.M @ a, rcond=RANK)[0]
        return self.linearise(a, multipliers)

    def residual(self, a: Reals, multipliers: Reals) -> tuple[Reals, Reals]:
        """M a + h - forces - G^T multipliers, and the rates of first-order states (or values of algebraic
        equations).
        """
        nq, nv, nz = self.system.nq, self.system.nv, self.system.nz
        self.work.ydot[nq : nq + nv], self.work.multipliers[:] = a, multipliers
        run_entry(self.work.calls[0].residual, self.work.at[0].system)
        return self.work.a_free.copy(), self.work.ydot[nq + nv : nq + nv + nz].copy()

    @property
    def jacobian(self) -> Reals:
        """G, where something was evaluated last."""
        return dense_jacobian(self.system.closures, self.system.nv, self.work.G)

    def linearise(self, a: Reals, multipliers: Reals) -> Variation:
        """All derivatives in the state that was put; arrays of its own."""
        nq, nv = self.system.nq, self.system.nv
        self.work.ydot[nq : nq + nv], self.work.multipliers[:] = a, multipliers
        run_entry(self.work.calls[0].linearise, self.work.at[0].system)
        if self.system.closures.rows:
            run_entry(self.work.calls[0].acceleration_rows, self.work.at[0].system)
        x = self.made.tangent
        arrays = (x.K, x.C, x.M, x.Z, self.jacobian, x.Gq, x.Aq, x.Av, x.Fq, x.Fv, x.Fz)
        return Variation(a, multipliers.copy(), *(each.copy() for each in arrays))


@dataclass(frozen=True)
class Variation:
    """Derivatives at an instant, named as in the module's text."""

    a: Reals
    multipliers: Reals
    K: Reals
    C: Reals
    M: Reals
    Z: Reals
    G: Reals
    Gq: Reals
    Aq: Reals
    Av: Reals
    Fq: Reals
    Fv: Reals
    Fz: Reals


@dataclass(frozen=True)
class Chart:
    """Independent coordinates of G x = b: x[independent] = y is free, and x = N y + particular(b)."""

    independent: Ints
    dependent: Ints
    N: Reals
    inverse: Reals  # [dependent, rows] least-squares inverse of G[:, dependent]

    def moved(self, G: Reals) -> Chart:
        """With the same independent coordinates, for another G."""
        if not len(self.dependent):
            return self
        inverse: Any = np.linalg.pinv(G[:, self.dependent], rcond=RANK)
        N = self.N.copy()
        N[self.dependent] = -inverse @ G[:, self.independent]
        return Chart(self.independent, self.dependent, N, inverse)

    def left(self, A: Reals) -> Reals:
        """N^T A."""
        return self.N.T @ A if len(self.dependent) else A

    def right(self, A: Reals) -> Reals:
        """A N."""
        return A @ self.N if len(self.dependent) else A

    def both(self, A: Reals) -> Reals:
        """N^T A N."""
        return self.left(self.right(A))

    def particular(self, right: Reals) -> Reals:
        """The solution of G x = right whose independent coordinates are zero."""
        solved = self.inverse @ right
        found = np.zeros((self.N.shape[0], *right.shape[1:]), solved.dtype)
        found[self.dependent] = solved
        return found


def chart(G: Reals, prefer: Sequence[int] = (), size: Reals | None = None) -> Chart:
    """Choose independent coordinates of G x = 0, those of `prefer` before others; G may have redundant rows.

    size: of each coordinate, so that metres and radians compare; those that move much for their size become dependent.
    """
    n = G.shape[1]
    if not G.shape[0]:
        return Chart(np.arange(n), np.zeros(0, np.int64), np.eye(n), np.zeros((0, 0)))
    scaled = G * (np.ones(n) if size is None else size)
    norms = np.linalg.norm(scaled, axis=1)
    scaled = scaled / np.where(norms > RANK * max(float(norms.max()), 1e-300), norms, 1.0)[:, None]
    rank = rank_of(scaled)
    scaled[:, list(prefer)] *= LAST
    from scipy.linalg import qr

    factors: Any = qr(scaled, mode="r", pivoting=True)
    order = factors[1]
    dependent, independent = np.sort(order[:rank]), np.sort(order[rank:])
    inverse: Any = np.linalg.pinv(G[:, dependent], rcond=RANK) if rank else np.zeros((0, G.shape[0]))
    N = np.zeros((n, n - rank))
    N[independent] = np.eye(n - rank)
    N[dependent] = -inverse @ G[:, independent]
    return Chart(independent, dependent, N, inverse)


def rank_of(G: Reals) -> int:
    """How many rows of G, which have comparable sizes, are independent."""
    from scipy.linalg import qr

    factors: Any = qr(G, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(factors[0]))
    return int(np.sum(diagonal > RANK * max(float(diagonal.max(initial=0.0)), 1e-300)))


def coordinate_sizes(system: System, length: float) -> Reals:
    """One for angles, the length for distances: how large a change of each rate counts as much as a radian."""
    return np.where(system.tree.angular == 1, 1.0, length)


def spin(system: System, v: Reals) -> Reals:
    """Omega of (3): d(delta)/dt = dv - Omega delta."""
    found = np.zeros((system.nv, system.nv), v.dtype)
    for j in system.tree.quat_v:
        found[j : j + 3, j : j + 3] = skew(v[j : j + 3])
    return found
