"""`solve_ncp` with resistance against turning and rolling: each tangential law is a disc that a normal force bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.contact.solve.friction_discs import Disc, solve_discs


def discs_of(friction: Any, torsional: Any, rolling: Any, dimension: int) -> tuple[Any, list[Disc]]:
    """First rows of the contacts, and one after the last; their discs: friction, torsional and rolling resistance.

    torsional, rolling: arms, or None without such rows.
    """
    parts = [(friction, dimension - 1)]
    parts += [(torsional, 1)] if torsional is not None else []
    parts += [(rolling, dimension - 1)] if rolling is not None else []
    each = 1 + sum(rows for _, rows in parts)
    first = each * np.arange(len(friction) + 1)
    discs: list[Disc] = []
    for c in range(len(friction)):
        row = int(first[c]) + 1
        for arm, rows in parts:
            if rows:
                discs.append(Disc(tuple(range(row, row + rows)), int(first[c]), float(arm[c])))
            row += rows
    return first, discs


def by_discs(W: Any, q: Any, first: Any, discs: list[Disc]) -> tuple[Any, int]:
    """Impulses, and iterations, -1 if none were found; bilateral rows, which come last, are eliminated."""
    n = int(first[-1])
    D, b, solved = W[:n, :n], q[:n], np.zeros((len(q) - n, n + 1))
    if n < len(q):  # which may be redundant: least squares
        solved = np.linalg.lstsq(W[n:, n:], np.column_stack([W[n:, :n], q[n:]]), rcond=1e-13)[0]
        D, b = D - W[:n, n:] @ solved[:, :-1], b - W[:n, n:] @ solved[:, -1]
    found = solve_discs(D, b, [int(k) for k in first[:-1]], discs)
    z = np.zeros(n) if found is None else found.z
    return np.concatenate([z, -solved[:, -1] - solved[:, :-1] @ z]), -1 if found is None else found.iterations


def residual_of_discs(W: Any, p: Any, u: Any, first: Any, discs: list[Disc]) -> float:
    """The largest residual of all laws, each in the unit of its rows of u; of bilateral rows their velocity."""
    worst = float(np.max(np.abs(u[first[-1] :]), initial=0.0))
    for k in first[:-1]:
        worst = max(worst, abs(min(u[k], W[k, k] * p[k])) if W[k, k] > 0.0 else max(0.0, -float(u[k])))
    for disc in discs:
        rows = list(disc.rows)
        size, radius = float(np.max(np.diag(W)[rows])), disc.radius * max(float(p[disc.owner]), 0.0)
        if size <= 0.0:
            continue
        aim = p[rows] - u[rows] / size
        length = float(np.linalg.norm(aim))
        worst = max(worst, size * float(np.linalg.norm(p[rows] - aim * min(1.0, radius / max(length, 1e-300)))))
    return worst
