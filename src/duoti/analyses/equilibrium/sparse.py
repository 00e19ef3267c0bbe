"""The search for an equilibrium of many bodies joined by force elements, at a cost proportional to their number."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from duoti.analyses.equilibrium.equations import Balance, BalancePoint, gap
from duoti.analyses.equilibrium.equilibrium import BALANCED, NEARBY, PUSHES, Equilibrium
from duoti.analyses.equilibrium.neighbourhood import back, back_along
from duoti.analyses.equilibrium.sparse_equations import SparseBalance
from duoti.analyses.instant.derivatives import displace
from duoti.analyses.linear.modes import length_of
from duoti.analyses.states.consistent import velocity_labels
from duoti.system.arrays import Reals
from duoti.system.system import System

ZERO = 1e-11  # of the largest stiffness: less than that neither pulls back nor pushes away
SYMMETRIC = 1e-10  # part of the largest stiffness by which it may differ from its transpose
DENSE = 600  # rates up to which matrices of full size are quick
PUSH = 0.05  # [rad, parts of the size]
FEW = 4  # directions that push away, of large models


class SparseEquilibrium(Equilibrium):
    """An `Equilibrium` whose stability follows from the signs of sparse pivots."""

    def __init__(self, balance: SparseBalance, q: Reals, ok: bool, reason: str, iterations: int, method: str):
        self.system, self.t = balance.system, balance.t
        self.q, self.v, self.z = q, np.zeros(self.system.nv), np.zeros(0)
        self.ok, self.reason = ok, reason
        self.iterations, self.method = iterations, method
        self.sizes = balance.size
        self._sparse = balance
        for array in (self.q, self.v, self.z):
            array.setflags(write=False)

    @cached_property
    def _balance(self) -> Balance:  # pyright: ignore[reportIncompatibleVariableOverride]
        made = Balance(self.system, self.t)
        made.measure(self.q)
        return made

    @cached_property
    def point(self) -> BalancePoint:  # pyright: ignore[reportIncompatibleVariableOverride]
        """See `Equilibrium`."""
        return self._balance.look(self.q, self.z)

    @cached_property
    def stable(self) -> bool:
        if not self.ok:
            return False
        found = steady(self._sparse, self.q)
        if found and self.system.nv <= DENSE and not steady(self._sparse, self.q, -ZERO):
            return self.linear.stable  # a stiffness is near zero beside the largest one: its sign is looked at closely
        return self.linear.stable if found is None else found


def steady(balance: SparseBalance, q: Reals, least: float = ZERO) -> bool | None:
    """Whether all stiffnesses pull back (or do nothing); None if they do not derive from an energy.

    least: part of the largest stiffness that is added to all of them.
    """
    K = balance.scaled(balance.matrices(q).K)
    largest = float(np.max(np.abs(K.data), initial=1e-300))
    difference = K - K.T
    if np.max(np.abs(difference.data), initial=0.0) > SYMMETRIC * largest:
        return None
    values = balance.matrices(q).K
    own = balance.row == balance.column
    values[own] += least * largest / balance.size**2
    return balance.negative(values) == 0


def search_sparse(system: System, q: Reals, t: float, stable: bool) -> SparseEquilibrium:
    """Newton's method from q; where that leads nowhere, or far away to what is not stable, slide down first."""
    balance = SparseBalance(system, t, length_of(system, q))
    before = len(system.callbacks.errors)
    if not np.all(np.isfinite(balance.residual(q))):
        why = f"the forces at the start are not finite{system.callbacks.failure_text(before)}"
        return SparseEquilibrium(balance, q, False, why, 0, "Newton")
    point, ok, count, method = q, False, 0, "sparse Newton"
    beside: Reals | None = None
    if not stable:
        point, ok, count = balance.newton(q)
        ok = ok and not unbalanced(balance, point)
        away = float(np.max(np.abs(gap(system, q, point)) / balance.size, initial=0.0))
        unstable = ok and steady(balance, point) is False
        beside = _back(balance, q, point) if unstable and away <= NEARBY else None
        if ok and (not unstable or (away <= NEARBY and beside is None)):
            return SparseEquilibrium(
                balance, point, True, f"balanced after {count} iterations ({method})", count, method
            )
    first, first_ok = point, ok
    if not stable:
        loaded, done, more = balance.load_by_steps(q)
        count += more
        if done and not unbalanced(balance, loaded) and (not ok or steady(balance, loaded) is not False):
            method = "loads by steps, sparse Newton"
            return SparseEquilibrium(
                balance, loaded, True, f"balanced after {count} iterations ({method})", count, method
            )
    method = "sparse pseudo-transient continuation, then Newton"
    for push in range(1 + (PUSHES if stable else 0)):
        begin = (q if beside is None else beside) if push == 0 else _pushed(balance, point, push)
        relaxed, slid = balance.relax(begin)
        point, done, more = balance.newton(relaxed)
        count += slid + more
        if done and not unbalanced(balance, point) and not (stable and steady(balance, point) is False):
            return SparseEquilibrium(
                balance, point, True, f"balanced after {count} iterations ({method})", count, method
            )
    if first_ok:  # not stable, but in balance, and nothing else was found
        return SparseEquilibrium(
            balance, first, True, f"balanced after {count} iterations (sparse Newton)", count, method
        )
    left = unbalanced(balance, point)
    reason = f"no balance: {left}" if left else "no stable equilibrium was met"
    return SparseEquilibrium(balance, point, False, reason, count, method)


def _back(balance: SparseBalance, start: Reals, point: Reals) -> Reals | None:
    """Position on the other side of a position that is not stable, see `neighbourhood.back`."""
    here, n = balance.matrices(point), balance.system.nv
    K, M = (balance.scaled(each) for each in (here.K, here.M))
    K = 0.5 * (K + K.T)
    way = gap(balance.system, start, point) / balance.size
    if n <= DENSE:
        found = back(K.toarray(), M.toarray(), way)
    else:
        from scipy.sparse.linalg import eigsh

        below = 1.0
        while balance.negative(here.K + below * here.M):
            below *= 4.0
        solved: Any = eigsh(K.tocsc(), FEW, M.tocsc(), -below)
        found = back_along(solved[0], solved[1], M @ way)
    return None if found is None else displace(balance.system, point, balance.size * found)


def _pushed(balance: SparseBalance, q: Reals, push: int) -> Reals:
    """A position a little beside an equilibrium that is not stable."""
    random = np.random.default_rng(push)
    return displace(balance.system, q, PUSH * balance.size * random.standard_normal(balance.system.nv))


def unbalanced(balance: SparseBalance, q: Reals) -> str:
    """What is not in balance, in words; empty if all is.

    A force counts if it is more than a small part of what a radian, or a shift by the mechanism's size, would bring.
    """
    r, K = balance.residual(q) * balance.size, balance.scaled(balance.matrices(q).K)
    scale = np.maximum(np.abs(K).sum(axis=1), 1e-300)
    largest = float(np.max(scale, initial=0.0))
    names, turns = velocity_labels(balance.system), balance.system.tree.angular
    return "; ".join(
        f"{names[k]} is pushed by {-r[k] / balance.size[k]:.4g} {'N m' if turns[k] else 'N'}"
        for k in np.argsort(-np.abs(r))[:3]
        if not abs(r[k]) <= BALANCED * largest
    )
