"""Which contacts stay closed, stick or slide: the complementarity problem of accelerations and forces.

    a = W f + b,   contacts that slide: f = f_n (n - mu d), 0 <= f_n  ⟂  a_n >= 0;   at rest: Coulomb's law for (a, f)

It need not have a solution, nor a single one (Painlevé 1895): then a rigid body with friction is no sufficient model.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from duoti.contact.event_driven.contact_states import OPEN, SLIDE, STICK
from duoti.contact.solve.lcp import Reals, all_solutions
from duoti.contact.solve.ncp import solve_blocks

DIRECTIONS = 16
MOST_VARIABLES = 12  # of a problem whose combinations are all tried
STRAIN_ONLY = 1e-11  # singular values of W, relative to the largest, of forces that only strain
ZERO = 1e-9  # accelerations and forces, relative to the largest, below which they are zero


class RollingProblem(NamedTuple):
    """Points that resist rolling, or turning about the normal: three more rows each, of the turning about n, t1, t2."""

    point: list[int]
    """Numbers of the contacts."""
    W: Reals
    """[3k + 3r, 3k + 3r] of all rows: those of the contacts, then these"""
    b: Reals
    speed: Reals
    """[r, 3] angular velocities; rolling (t1, t2), or turning about n, zero: at rest"""
    rolling: Reals
    """Arms [m] of the resistance against rolling,"""
    torsion: Reals
    """and against turning about the normal."""


class RollingState(NamedTuple):
    """What the turning of a point does: FREE, ROLLS or HOLDS."""

    roll: int
    torsional: int
    direction: Reals
    """Of the rolling, along t1 and t2;"""
    sign: float
    """of the turning about the normal."""
    acceleration: Reals
    """Angular, about n, t1, t2;"""
    moment: Reals
    """likewise [N m]."""


class Touching(NamedTuple):
    """Contacts that touch and do not separate: rows n, t1, t2 of each."""

    W: Reals
    """[3k, 3k]"""
    b: Reals
    """[3k] accelerations without forces"""
    slip: Reals
    """[k, 2] slip velocities; zero: at rest"""
    friction: Reals
    static_friction: Reals
    turning: RollingProblem | None = None
    """Of contacts that resist it."""


class Found(NamedTuple):
    """A solution: states, directions of slip (of those that slide) along t1 and t2, forces and accelerations."""

    state: list[int]
    direction: Reals
    force: Reals
    acceleration: Reals
    rolling_states: Mapping[int, RollingState] = MappingProxyType({})
    """Of the points that resist, by number."""


def effective_masses(problem: Touching) -> Reals:
    """[k] normal acceleration for a unit normal force, of contacts that slide with their friction; 1 for all others.

    W_nn - mu d . W_tn, and the same of moments against what turns: where it is not positive, a greater force presses
    more, and Painlevé's paradoxes begin.
    """
    found = np.ones(len(problem.friction))
    for c, (mu, slip) in enumerate(zip(problem.friction, problem.slip, strict=True)):
        speed = float(np.linalg.norm(slip))
        row = problem.W[3 * c, 3 * c : 3 * c + 3]
        if mu > 0.0 and speed > 0.0 and row[0] > 0.0:  # 0.0: on a planar joint that slides along the other body
            found[c] = (row[0] - mu * float(row[1:] @ slip) / speed) / row[0]
    of = problem.turning
    for i, c in enumerate(of.point if of else ()):
        assert of is not None
        row = of.W[3 * c, 3 * len(found) + 3 * i :][:3] / of.W[3 * c, 3 * c]
        found[c] -= of.torsion[i] * float(row[0] * np.sign(of.speed[i, 0]))
        if np.any(of.speed[i, 1:]):
            found[c] -= of.rolling[i] * float(row[1:] @ of.speed[i, 1:]) / float(np.linalg.norm(of.speed[i, 1:]))
    return found


def critical_friction(problem: Touching) -> Reals:
    """[k] coefficient from which on a contact that slides as it does has a paradox; infinite where none has."""
    found = np.full(len(problem.friction), np.inf)
    for c, slip in enumerate(problem.slip):
        speed = float(np.linalg.norm(slip))
        row = problem.W[3 * c, 3 * c : 3 * c + 3]
        if speed > 0.0 and float(row[1:] @ slip) > 0.0:
            found[c] = row[0] * speed / float(row[1:] @ slip)
        elif speed == 0.0 and float(np.linalg.norm(row[1:])) > 0.0:  # of the worst direction
            found[c] = row[0] / float(np.linalg.norm(row[1:]))
    return found


def all_solutions_of(problem: Touching, directions: int = 8) -> list[Found] | None:
    """All solutions that differ in their accelerations; contacts at rest with so many directions of slip.

    None if there are too many contacts to try all combinations, as with resistance against turning.
    """
    if problem.turning is not None:
        return None
    at_rest = np.linalg.norm(problem.slip, axis=1) == 0.0
    F, rows, slips = pyramid_of(problem, at_rest, directions)
    n = len(F) + slips
    if n > MOST_VARIABLES:
        return None
    D, q = linear_problem(problem, F, rows, slips)
    found: list[Found] = []
    size = ZERO * float(np.max(np.abs(problem.b), initial=1e-300))
    for z in all_solutions(D, q):
        force = F.T @ z[: len(F)]
        acceleration = problem.W @ force + problem.b
        if not any(np.max(np.abs(acceleration - other.acceleration)) <= 1e3 * size for other in found):
            mu = np.where(at_rest, problem.static_friction, problem.friction)
            found.append(read_states(problem, mu, at_rest, force, acceleration))
    return found


def pyramid_of(problem: Touching, at_rest: Reals, directions: int) -> tuple[Reals, list[int], int]:
    """Unit forces, one for each row; of directions at rest the number of their contact; how many slip speeds."""
    k = len(problem.friction)
    F: list[Reals] = []
    owner: list[int] = []
    for c in range(k):
        force = np.zeros(3 * k)
        force[3 * c] = 1.0
        if not at_rest[c] and problem.friction[c] > 0.0:
            force[3 * c + 1 : 3 * c + 3] = -problem.friction[c] * problem.slip[c] / np.linalg.norm(problem.slip[c])
        F.append(force)
        owner.append(-1)
    slips = 0
    for c in range(k):
        if not at_rest[c] or problem.static_friction[c] == 0.0:
            continue
        for tangent in _directions(problem.W[3 * c + 1 : 3 * c + 3, 3 * c + 1 : 3 * c + 3], directions):
            force = np.zeros(3 * k)
            force[3 * c + 1 : 3 * c + 3] = tangent
            F.append(force)
            owner.append(c)
        slips += 1
    return np.array(F), owner, slips


def _directions(W: Reals, directions: int) -> Reals:
    """Directions of slip: two opposite ones where a contact can move in a plane only."""
    values, vectors = np.linalg.eigh(W)
    if values[0] <= 1e-12 * values[1]:
        return np.array([vectors[:, 1], -vectors[:, 1]])
    angle = 2.0 * np.pi * np.arange(directions) / directions
    return np.array([np.cos(angle), np.sin(angle)]).T


def linear_problem(problem: Touching, F: Reals, owner: list[int], slips: int) -> tuple[Reals, Reals]:
    """The linear complementarity problem (`contact.solve.pyramid`) of normal forces, friction and rates of slip."""
    k, n = len(problem.friction), len(F)
    D, q = np.zeros((n + slips, n + slips)), np.zeros(n + slips)
    G = F.copy()
    G[:k] = 0.0
    G[np.arange(k), 3 * np.arange(k)] = 1.0
    D[:n, :n], q[:n] = G @ problem.W @ F.T, G @ problem.b
    at_rest = sorted({c for c in owner if c >= 0})
    for j, c in enumerate(owner):
        if c >= 0:
            place = n + at_rest.index(c)
            D[j, place], D[place, j], D[place, c] = 1.0, -1.0, problem.static_friction[c]
    return D, q


def find_contact_states(problem: Touching) -> Found | None:
    """States that obey all laws; None if none were found."""
    mu = problem.static_friction.copy()
    at_rest = np.linalg.norm(problem.slip, axis=1) == 0.0
    mu[~at_rest] = problem.friction[~at_rest]
    found = _all_held(problem, mu, at_rest) or _solve(problem, mu, at_rest)
    if found is None:
        return None
    starts = np.array([m == SLIDE and r for m, r in zip(found.state, at_rest, strict=True)])
    if np.any(starts & (problem.static_friction > problem.friction)):  # what has broken loose has the lesser friction
        mu[starts] = problem.friction[starts]
        again = _solve(problem, mu, at_rest)
        found = again or found
    return found


def _all_held(problem: Touching, mu: Reals, at_rest: Reals) -> Found | None:
    """All points stick, with the forces of least norm, if these obey Coulomb's law; None if not.

    Where forces are not unique, those of a motion that follows are shared out in this way, too
    (`contact.event_driven.smooth_motion`). Others may let a body slip that these hold: a box between pads that press
    with a corner each.
    """
    if problem.turning is not None or not np.all(at_rest) or not np.all(mu > 0.0):
        return None
    force: Reals = np.asarray(np.linalg.lstsq(problem.W, -problem.b, rcond=STRAIN_ONLY)[0], dtype=np.float64)
    acceleration = problem.W @ force + problem.b
    normal, tangent = force[::3], np.hypot(force[1::3], force[2::3])
    small = ZERO * float(np.max(np.abs(force), initial=0.0))
    stands = np.max(np.abs(acceleration), initial=0.0) <= ZERO * np.max(np.abs(problem.b), initial=0.0)
    if not stands or np.any(normal < -small) or np.any(tangent > mu * normal + small):
        return None
    return Found([STICK] * len(mu), np.zeros((len(mu), 2)), force, acceleration)


def _solve(problem: Touching, mu: Reals, at_rest: Reals) -> Found | None:
    if problem.turning is not None:
        from duoti.contact.event_driven.rolling_friction import solve_rolling

        return solve_rolling(problem, mu, at_rest)
    k = len(mu)
    columns, rows, first = [], [], [0]
    for c in range(k):
        if at_rest[c] and mu[c] > 0.0:
            rows += [3 * c, 3 * c + 1, 3 * c + 2]
            columns += list(np.eye(3 * k)[3 * c : 3 * c + 3])
        else:
            force = np.eye(3 * k)[3 * c].copy()
            if mu[c] > 0.0:
                force[3 * c + 1 : 3 * c + 3] = -mu[c] * problem.slip[c] / np.linalg.norm(problem.slip[c])
            rows.append(3 * c)
            columns.append(force)
        first.append(len(rows))
    F = np.array(columns).T
    D, q = np.ascontiguousarray((problem.W @ F)[rows]), np.ascontiguousarray(problem.b[rows])
    lengths = np.diff(first)
    coefficients = np.where(lengths > 1, mu, 0.0)
    x = solve_blocks(D, q, np.array(first, dtype=np.int64), coefficients)
    if x is None:
        return None
    force = F @ x
    acceleration = problem.W @ force + problem.b
    return read_states(problem, mu, at_rest, force, acceleration)


def read_states(problem: Touching, mu: Reals, at_rest: Reals, force: Reals, acceleration: Reals) -> Found:
    """States from forces and accelerations; what neither presses nor parts stays closed."""
    k = len(mu)
    size = ZERO * float(np.max(np.abs([problem.b, acceleration]), initial=0.0))
    state: list[int] = []
    direction = np.zeros((k, 2))
    for c in range(k):
        normal, tangent = acceleration[3 * c], acceleration[3 * c + 1 : 3 * c + 3]
        if normal > size:
            state.append(OPEN)
        elif not at_rest[c] or mu[c] == 0.0:
            state.append(SLIDE)
            speed = float(np.linalg.norm(problem.slip[c]))
            direction[c] = problem.slip[c] / speed if speed > 0.0 else (1.0, 0.0)
        elif float(np.linalg.norm(tangent)) > size:
            state.append(SLIDE)
            direction[c] = tangent / np.linalg.norm(tangent)
        else:
            state.append(STICK)
    return Found(state, direction, force, acceleration)
