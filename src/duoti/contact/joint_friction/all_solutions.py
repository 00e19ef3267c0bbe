"""Contacts that touch and joints with friction: all motions with which accelerations and forces obey all laws.

Forces u of points of contact (n, t1, t2 of each; a stop of a joint is a point without tangents) and of joints (one for
each rate on which friction acts) make accelerations along themselves, and loads of joints:

    a = K u + b,   b_s = mu_s L_s(u) + c_s, the bound of friction in joint s                                    (1)
    a joint that slides:  u_s = -b_s d_s;   at rest:  |u_s| <= b_s and a_s = 0, or u_s = -b_s d_s with a_s along d_s (2)

L is a sum of norms of functions that are affine in u, so that it is convex. For each choice of friction states of
joints and each complementary basis of the contacts (`accelerations`), all forces are affine in the bounds p of what
slides, and (1) is p = g(p) with g convex: of one joint it has no solution, one or two, and all are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from duoti.contact.event_driven.accelerations import ZERO, Found, Touching, linear_problem, pyramid_of, read_states
from duoti.contact.solve.lcp import Reals

REST, FORWARD, BACKWARD = 0, 1, -1
DIRECTIONS = 8  # of slip of contacts at rest in space
MOST_PATTERNS = 30_000  # combinations of friction states that are all tried
SINGULAR = 1e-11
STARTS = 12  # of Newton's method for bounds that depend on each other
LOADS_CONVERGED = 1e-12


class JointSlot(NamedTuple):
    """Rates of a joint on which one law of friction acts."""

    columns: tuple[int, ...]
    """Places of its forces in u."""
    scales: Reals
    """Sliding speed for a unit of each rate."""
    direction: Reals | None
    """Of one that slides, minus its forces for a unit of its bound; None: at rest."""
    friction: float
    constant: float
    preload: float
    """Part of its load that is always there."""


class JointFrictionProblem(NamedTuple):
    """Points that touch, and joints with friction."""

    touching: Touching
    """Of the points alone: the first rows of K and b."""
    K: Reals
    b: Reals
    slots: list[JointSlot]
    loads: Callable[[Reals], Reals]
    """L of the slots, for forces u;"""
    own_loads: Callable[[Reals], Reals]
    """the same for the forces u alone, without all others and preloads."""


class JointFrictionSolution(NamedTuple):
    """A solution: that of the points, what the joints do, all forces and accelerations."""

    points: Found
    states: tuple[int, ...]
    """REST, FORWARD or BACKWARD of each slot; FORWARD of those that slide as they did before."""
    force: Reals
    acceleration: Reals


class Every(NamedTuple):
    """All solutions that were found."""

    solutions: list[JointFrictionSolution]
    complete: bool
    """Whether there are no others."""


def every_solution(problem: JointFrictionProblem) -> Every | None:
    """All solutions that differ in their accelerations; None if there are too many combinations to try."""
    touching = problem.touching
    at_rest = np.linalg.norm(touching.slip, axis=1) == 0.0
    F, _, slips = pyramid_of(touching, at_rest, DIRECTIONS)
    choices = [_choices(slot) for slot in problem.slots]
    if 2.0 ** (len(F) + slips) * float(np.prod([len(each) for each in choices])) > MOST_PATTERNS:
        return None
    found: list[JointFrictionSolution] = []
    complete = all(slot.direction is not None or len(slot.columns) == 1 for slot in problem.slots)
    mu = np.where(at_rest, touching.static_friction, touching.friction)
    rows = len(touching.b)
    for states in product(*choices):
        tried = _Combination(problem, states, at_rest)
        for u in tried.solutions():
            a = problem.K @ u + problem.b
            scale = ZERO * max(float(np.max(np.abs(problem.b), initial=0.0)), float(np.max(np.abs(a), initial=0.0)))
            if not any(np.max(np.abs(a - other.acceleration)) <= 1e3 * scale for other in found):
                at_points = read_states(touching, mu, at_rest, u[:rows], a[:rows])
                found.append(JointFrictionSolution(at_points, states, u, a))
        complete = complete and tried.complete
    return Every(found, complete)


def _choices(slot: JointSlot) -> tuple[int, ...]:
    if slot.direction is not None:
        return (FORWARD,)
    return (REST, FORWARD, BACKWARD) if len(slot.columns) == 1 else (REST,)


def unit_force(slot: JointSlot, state: int, size: int) -> Reals:
    """Forces u of a slot that slides, for a unit of its bound."""
    u = np.zeros(size)
    columns = list(slot.columns)
    u[columns] = -state * slot.scales if slot.direction is None else -slot.direction
    return u


class _Combination:
    """Friction states of joints, and what is left to be found then."""

    def __init__(self, problem: JointFrictionProblem, states: tuple[int, ...], at_rest: Reals):
        self.problem, self.states, self.complete = problem, states, True
        K, b, n = problem.K, problem.b, len(problem.b)
        self.rows = len(problem.touching.b)
        held = [c for slot, state in zip(problem.slots, states, strict=True) if state == REST for c in slot.columns]
        self.sliding = [s for s, state in enumerate(states) if state != REST]
        inverse = np.linalg.pinv(K[np.ix_(held, held)], rcond=SINGULAR) if held else np.zeros((0, 0))
        E = np.eye(n)[:, held]
        S = np.eye(n) - E @ inverse @ K[held]  # forces, and those that then hold what is held
        u0 = -E @ inverse @ b[held]
        P = np.array([unit_force(problem.slots[s], states[s], n) for s in self.sliding]).reshape(-1, n).T
        F, owner, slips = pyramid_of(problem.touching, at_rest, DIRECTIONS)
        self.u0, self.P = u0, S @ P
        self.F = S[:, : self.rows] @ F.T if len(F) else np.zeros((n, 0))
        reduced = problem.touching._replace(W=(K @ S)[: self.rows, : self.rows], b=(K @ u0 + b)[: self.rows])
        if len(F):
            self.D, self.q = linear_problem(reduced, F, owner, slips)
            columns = [linear_problem(reduced._replace(b=c[: self.rows]), F, owner, slips)[1] for c in (K @ self.P).T]
            self.Q = np.array(columns).reshape(-1, len(self.q)).T
        else:
            self.D, self.q, self.Q = np.zeros((0, 0)), np.zeros(0), np.zeros((0, len(self.sliding)))

    def solutions(self) -> Iterator[Reals]:
        """Forces u that obey all laws."""
        n = len(self.q)
        for size in range(n + 1):
            for basis in combinations(range(n), size):
                z0, Z, rows = np.zeros(n), np.zeros((n, len(self.sliding))), list(basis)
                if rows:
                    block = self.D[np.ix_(rows, rows)]
                    if np.linalg.cond(block) > 1e13:
                        continue
                    z0[rows] = np.linalg.solve(block, -self.q[rows])
                    Z[rows] = np.linalg.solve(block, -self.Q[rows])
                forces = self.F.shape[1]
                c0, C = self.u0 + self.F @ z0[:forces], self.P + self.F @ Z[:forces]
                for p in self._bounds(c0, C):
                    u, z = c0 + C @ p, z0 + Z @ p
                    if self._pushes(z, p) and self._fits(u):
                        yield u

    def _pushes(self, z: Reals, p: Reals) -> bool:
        """Whether forces of contact push, and accelerations part."""
        q = self.q + self.Q @ p
        w = self.D @ z + q
        return float(np.max(np.abs(np.minimum(z, w)), initial=0.0)) <= 1e-10 * float(np.max(np.abs(q), initial=0.0))

    def _fits(self, u: Reals) -> bool:
        """Whether joints at rest need no more than their friction, and those that begin to slide go that way."""
        problem = self.problem
        a, loads = problem.K @ u + problem.b, problem.loads(u)
        size = ZERO * max(float(np.max(np.abs(problem.b), initial=0.0)), float(np.max(np.abs(a), initial=0.0)))
        for slot, state, load in zip(problem.slots, self.states, loads, strict=True):
            columns = list(slot.columns)
            if state == REST:
                if np.max(np.abs(a[columns])) > size:
                    return False
                needed, bound = holding_force(slot, u), slot.friction * load + slot.constant
                if needed > bound + ZERO * max(needed, float(np.max(np.abs(u)))):
                    return False
            elif slot.direction is None and state * float(a[columns[0]]) < -size:
                return False
        return True

    def _bounds(self, c0: Reals, C: Reals) -> Iterator[Reals]:
        """All p with p = g(p), the bounds for the forces c0 + C p."""
        slots = [self.problem.slots[s] for s in self.sliding]
        if not slots:
            yield np.zeros(0)
            return
        friction, constant = np.array([s.friction for s in slots]), np.array([s.constant for s in slots])

        def g(p: Reals) -> Reals:
            return friction * self.problem.loads(c0 + C @ p)[self.sliding] + constant

        # |g(p) - g(p')| <= growth |p - p'|, row by row
        growth = np.array([friction * self.problem.own_loads(column)[self.sliding] for column in C.T]).T
        if len(slots) == 1:
            yield from (np.array([p]) for p in one_bound(lambda p: float(g(np.array([p]))[0]), float(growth[0, 0])))
            return
        contracts = float(np.max(np.abs(np.linalg.eigvals(growth)))) < 1.0
        self.complete = self.complete and contracts
        yield from several_bounds(g, len(slots), contracts)


def holding_force(slot: JointSlot, u: Reals) -> float:
    """The force in the unit of the bound with which a slot is held."""
    moves = slot.scales > 0.0
    return float(np.linalg.norm(u[list(slot.columns)][moves] / slot.scales[moves]))


def one_bound(g: Callable[[float], float], growth: float) -> list[float]:
    """All p >= 0 with p = g(p); g is convex, not negative, and grows by at most `growth` for each unit of p."""
    first = g(0.0)
    if growth == 0.0 or (first == 0.0 and growth < 1.0):
        return [first]
    found: list[float] = []
    p, size = (0.0, max(first, 1e-300))
    for _ in range(200):  # Newton's method on the concave p - g(p), from the left: it never passes the first solution
        step = 1e-7 * max(p, size)
        left, slope = p - g(p), 1.0 - (g(p + step) - g(p)) / step
        if abs(left) <= LOADS_CONVERGED * max(p, size):
            found.append(p)
            break
        if slope <= 0.0:
            return []
        p -= left / slope
    else:
        return []
    if growth <= 1.0:
        return found
    low, high = p + 1e-6 * max(p, size), 2.0 * max(p, size)
    if low - g(low) <= 0.0:
        return found
    while high - g(high) > 0.0:
        low, high = high, 2.0 * high
        if high > 1e12 * size:
            return found
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if middle - g(middle) > 0.0 else (low, middle)
    return [*found, 0.5 * (low + high)]


def several_bounds(g: Callable[[Reals], Reals], n: int, contracts: bool) -> list[Reals]:
    """Solutions of p = g(p), by Newton's method from several starts; the only one if g contracts."""
    random = np.random.default_rng(0)
    first = g(np.zeros(n))
    size = float(np.max(first)) or 1.0
    found: list[Reals] = []
    for k in range(1 if contracts else STARTS):
        p = first if k == 0 else size * 10.0 ** random.uniform(-1, 2, n)
        for _ in range(60):
            left = p - g(p)
            if np.max(np.abs(left)) <= LOADS_CONVERGED * max(size, float(np.max(np.abs(p)))):
                if not any(np.allclose(p, other, rtol=1e-7) for other in found):
                    found.append(p)
                break
            step = 1e-7 * (size + np.abs(p))
            slope = np.eye(n) - np.array([(g(p + h * e) - g(p)) / h for h, e in zip(step, np.eye(n), strict=True)]).T
            if abs(float(np.linalg.det(slope))) < 1e-300:
                break
            p = np.maximum(p - np.linalg.solve(slope, left), 0.0)
    return found


def critical_in_joints(problem: JointFrictionProblem, states: tuple[int, ...]) -> Reals:
    """[slots] coefficient from which on friction of a slot that slides makes more load than it takes to bear it.

    In the friction states of all others; infinite where friction makes no load.
    """
    found = np.full(len(problem.slots), np.inf)
    n = len(problem.b)
    for s, slot in enumerate(problem.slots):
        held = [c for k, other in enumerate(problem.slots) if states[k] == REST and k != s for c in other.columns]
        if slot.direction is not None or len(slot.columns) == 1:
            units = [unit_force(slot, FORWARD, n)]
        else:
            units = [scale * np.eye(n)[c] for c, scale in zip(slot.columns, slot.scales, strict=True)]
        for u in units:
            u[held] = -np.linalg.pinv(problem.K[np.ix_(held, held)], rcond=SINGULAR) @ (problem.K[held] @ u)
            load = float(problem.own_loads(u)[s])
            if load > 1e-12 * float(np.max(np.abs(u))):
                found[s] = min(found[s], 1.0 / load)
    return found


def critical_at_points(problem: JointFrictionProblem, states: tuple[int, ...]) -> Reals:
    """[points] coefficient from which on a point that slides as it does has a paradox, with the joints in their
    friction states.

    Where the normal force grows without end, joints that slide follow it with theirs: the normal acceleration for it
    is looked at, as a function of the coefficient. Of points at rest, in the worst direction.
    """
    touching, n = problem.touching, len(problem.b)
    found = np.full(len(touching.friction), np.inf)
    held = [c for k, slot in enumerate(problem.slots) if states[k] == REST for c in slot.columns]
    inverse = np.linalg.pinv(problem.K[np.ix_(held, held)], rcond=SINGULAR)
    S = np.eye(n)
    S[held] -= inverse @ problem.K[held]
    S[np.ix_(held, held)] = 0.0
    sliding = [s for s, state in enumerate(states) if state != REST and problem.slots[s].friction > 0.0]
    P = np.array([S @ unit_force(problem.slots[s], states[s], n) for s in sliding]).reshape(-1, n).T
    friction = np.array([problem.slots[s].friction for s in sliding])

    def pushes(c: int, direction: Reals, mu: float) -> float:
        u = np.zeros(n)
        u[3 * c], u[3 * c + 1 : 3 * c + 3] = 1.0, -mu * direction
        u = S @ u
        if sliding:
            growth = np.array([friction * problem.own_loads(column)[sliding] for column in P.T]).T
            if float(np.max(np.abs(np.linalg.eigvals(growth)))) >= 1.0:
                return -1.0
            p = np.zeros(len(sliding))
            for _ in range(1000):
                last, p = p, friction * problem.own_loads(u + P @ p)[sliding]
                if np.max(np.abs(p - last)) <= 1e-14 * float(np.max(p)):
                    break
            u = u + P @ p
        return float(problem.K[3 * c] @ u)

    for c, slip in enumerate(touching.slip):
        speed, W = float(np.linalg.norm(slip)), problem.K @ S
        worst = W[3 * c, 3 * c + 1 : 3 * c + 3]
        if speed == 0.0 and float(np.linalg.norm(worst)) <= 1e-12 * W[3 * c, 3 * c]:
            continue
        found[c] = _first_zero(c, slip / speed if speed > 0.0 else worst / np.linalg.norm(worst), pushes)
    return found


def _first_zero(c: int, direction: Reals, pushes: Callable[[int, Reals, float], float]) -> float:
    """The least coefficient at which the normal acceleration for a normal force is not positive."""
    if pushes(c, direction, 0.0) <= 0.0:
        return 0.0
    low, high = 0.0, 1e-3
    while pushes(c, direction, high) > 0.0:
        low, high = high, 1.2 * high
        if high > 1e6:
            return float("inf")
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if pushes(c, direction, middle) > 0.0 else (low, middle)
    return 0.5 * (low + high)
