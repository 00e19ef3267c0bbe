"""Which contacts that resist rolling and turning are held, and which turn: a part of the problem of accelerations.

As for friction (`contact.event_driven.accelerations`): where something turns, its moment belongs to the normal force;
where it is at rest, |m_t| <= a_r f_n with no angular acceleration, or m_t = -a_r f_n against it, and the same about
the normal.
"""

from __future__ import annotations

import numpy as np

from duoti.contact.event_driven.accelerations import ZERO, Found, Resist, Touching, Turning, read_modes
from duoti.contact.event_driven.contact_states import FREE, HOLDS, ROLLS
from duoti.contact.solve.friction_discs import Disc, solve_discs
from duoti.system.arrays import Reals


def solve_turning(problem: Touching, mu: Reals, at_rest: Reals) -> Found | None:
    """A solution with the coefficients mu of friction; None if none was found."""
    turning = problem.turning
    assert turning is not None
    k, n = len(mu), len(turning.b)
    F, discs = np.eye(n), list[Disc]()
    for c in range(k):
        if at_rest[c] and mu[c] > 0.0:
            discs.append(Disc((3 * c + 1, 3 * c + 2), 3 * c, float(mu[c])))
        elif mu[c] > 0.0:
            F[3 * c + 1 : 3 * c + 3, 3 * c] = -mu[c] * problem.slip[c] / np.linalg.norm(problem.slip[c])
    for i, c in enumerate(turning.point):
        at = 3 * k + 3 * i
        for arm, rows in ((turning.torsion[i], (at,)), (turning.rolling[i], (at + 1, at + 2))):
            speed = turning.speed[i, [row - at for row in rows]]
            if arm > 0.0 and not np.any(speed):
                discs.append(Disc(rows, 3 * c, float(arm)))
            elif arm > 0.0:
                F[list(rows), 3 * c] = -arm * speed / np.linalg.norm(speed)
    used = sorted({3 * c for c in range(k)} | {row for disc in discs for row in disc.rows})
    place = {row: j for j, row in enumerate(used)}
    moved = [Disc(tuple(place[row] for row in d.rows), place[d.owner], d.radius) for d in discs]
    D, normals = (turning.W @ F)[np.ix_(used, used)], [place[3 * c] for c in range(k)]
    solved = solve_discs(np.ascontiguousarray(D), turning.b[used], normals, moved)
    if solved is None:
        return None
    force = F[:, used] @ solved.z
    acceleration = turning.W @ force + turning.b
    for disc, held in zip(discs, solved.held, strict=True):
        if held:  # not only but for what contradicting rows leave
            acceleration[list(disc.rows)] = 0.0
    found = read_modes(problem, mu, at_rest, force[: 3 * k], acceleration[: 3 * k])
    return found._replace(resist=_read(problem, turning, force, acceleration))


def angular_size(problem: Touching, turning: Turning, acceleration: Reals) -> Reals:
    """[r] what angular accelerations of the points are measured by [rad/s²].

    Those that there are, and what forces that make the accelerations of the contacts would make with the arm at which
    they meet as much inertia in turning.
    """
    k = len(problem.friction)
    linear = float(np.max(np.abs([problem.b, acceleration[: 3 * k]])))
    own = np.diag(turning.W)[3 * k :].reshape(-1, 3).max(axis=1)
    arms = np.sqrt(own / np.diag(problem.W)[3 * np.array(turning.point)])
    both = np.abs(np.stack([turning.b, acceleration])[:, 3 * k :])
    return np.maximum(linear * arms, both.reshape(2, -1, 3).max(axis=(0, 2)))


def _read(problem: Touching, turning: Turning, force: Reals, acceleration: Reals) -> dict[int, Resist]:
    """Modes of what resists, from the accelerations."""
    k = len(problem.friction)
    size = angular_size(problem, turning, acceleration)
    found: dict[int, Resist] = {}
    for i, c in enumerate(turning.point):
        at, small = 3 * k + 3 * i, ZERO * size[i]
        alpha, speed = acceleration[at : at + 3], turning.speed[i]
        roll, drill, direction, sign = FREE, FREE, np.array([1.0, 0.0]), 1.0
        if turning.rolling[i] > 0.0:
            moves = speed[1:] if np.any(speed[1:]) else alpha[1:] if np.linalg.norm(alpha[1:]) > small else None
            roll = HOLDS if moves is None else ROLLS
            direction = direction if moves is None else moves / np.linalg.norm(moves)
        if turning.torsion[i] > 0.0:
            turns = float(speed[0]) if speed[0] != 0.0 else float(alpha[0]) if abs(alpha[0]) > small else 0.0
            drill, sign = (ROLLS, float(np.sign(turns))) if turns else (HOLDS, 1.0)
        found[c] = Resist(roll, drill, direction, sign, alpha, force[at : at + 3])
    return found
