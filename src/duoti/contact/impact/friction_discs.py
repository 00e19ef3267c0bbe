"""An impact whose impulses stand in discs: friction, and torque impulses against rolling and turning, by all laws.

newton   u_n' = -e u_n, and |p_d| <= c p_n of each disc against the motion after the impact
poisson  compression, u_n >= 0 with p; then expansion, p_n >= e p_n(compression), both with their discs
         (Glocker & Pfeiffer 1995, with torque impulses as further forces of friction)
stronge  followed through the impact, each contact with its stored energy: `contact.impact.chain`
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.impact.impact import chain_impulses
from duoti.contact.solve.friction_discs import Disc, solve_discs
from duoti.system.arrays import Reals

APART = 1e-9  # part of the greatest speed: none, at the end of an impact that is followed
NOT_FOUND = "no impulses with friction and resistance against turning were found"


def impulses_in_discs(
    W: Reals, u: Reals, normals: list[int], discs: list[Disc], e: Reals, law: str, small: float, rest: float
) -> tuple[Reals, str]:
    """Impulses of all rows, and what went wrong. small, rest: speeds that are round-off, and that count as none."""
    if law == "newton":
        aim = u.copy()
        aim[normals] += e * u[normals]
        return plastic_impulses(W, aim, normals, discs, small, rest)
    if law == "stronge":
        return _followed(W, u, normals, discs, e, small, rest)
    compressed, wrong = plastic_impulses(W, u, normals, discs, small, rest)
    if wrong:
        return compressed, f"compression: {wrong}"
    least = e * compressed[normals]
    expanded, wrong = plastic_impulses(W, u + W @ compressed, normals, discs, small, rest, least)
    return compressed + expanded, f"expansion: {wrong}" if wrong else ""


def plastic_impulses(
    W: Reals, u: Reals, normals: list[int], discs: list[Disc], small: float, rest: float, least: Any = None
) -> tuple[Reals, str]:
    """Impulses without rebound, normal ones of at least `least`."""
    found = solve_discs(W, u, normals, discs, small, rest, least)
    return (found.z, "") if found else (np.zeros(len(u)), NOT_FOUND)


def _followed(
    W: Reals, u: Reals, normals: list[int], discs: list[Disc], e: Reals, small: float, rest: float
) -> tuple[Reals, str]:
    """Stronge's law; rows of turning in a unit in which they move as much as normal ones do."""
    unit, diagonal = np.ones(len(u)), np.diag(W)
    like = float(np.max(diagonal[normals]))
    for disc in discs:
        rows = list(disc.rows)
        most = float(np.max(diagonal[rows]))
        unit[rows] = np.sqrt(like / most) if most > 0.0 else 0.0
    moved = [d._replace(radius=d.radius / unit[d.rows[0]]) for d in discs if unit[d.rows[0]] > 0.0]
    p, after = chain_impulses(unit[:, None] * W * unit, unit * u, normals, moved, np.ascontiguousarray(e))
    if after is None:
        return unit * p, ""
    small = max(small, APART * float(np.max(np.abs(u[normals]))))
    rest_of, wrong = plastic_impulses(W, u + W @ (unit * p), normals, discs, small, rest)  # of a long sequence
    return unit * p + rest_of, wrong
