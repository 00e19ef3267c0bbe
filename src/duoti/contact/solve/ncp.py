"""`solve_ncp`: contacts with Coulomb friction and bilateral rows, on plain matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.contact.solve.arguments import as_reals, is_symmetric
from duoti.contact.solve.lcp import Reals, solve_lcp
from duoti.contact.solve.pyramid import pyramid_problem
from duoti.strict import explained

METHODS = {"auto", "lemke", "admm", "gauss-seidel", "interior"}
TOLERANCE = 1e-11  # of the largest number in q
SWEEPS, ITERATIONS = 2000, 2000
FEW_SWEEPS = 40
NEWTON_ITERATIONS = 30
NOISE = 1e-12  # of the largest number in W: what is zero but for round-off


@dataclass(frozen=True)
class NcpSolution:
    """What `solve_ncp` found: impulses p and velocities u, or forces and accelerations."""

    p: Reals
    u: Reals
    """u = W p + q."""
    ok: bool
    reason: str
    """How it ended, in words."""
    residual: float
    """How far u and p are from the law that was asked for, in the unit of u."""
    iterations: int
    method: str
    """What solved it."""
    state: tuple[str, ...]
    """open, stick or slide, for each contact."""


@explained
def solve_ncp(
    W: ArrayLike,
    q: ArrayLike,
    friction: ArrayLike,
    *,
    dimension: int = 3,
    torsional: ArrayLike | None = None,
    rolling: ArrayLike | None = None,
    model: Literal["cone", "pyramid"] = "cone",
    directions: int = 8,
    method: str = "auto",
    tolerance: float = TOLERANCE,
) -> NcpSolution:
    r"""Solve for impulses and velocities of contacts with Coulomb friction.

    $$u = W p + q, \qquad 0 \le p_N \perp u_N \ge 0, \qquad |p_T| \le \mu\, p_N, \qquad
    p_T = -\mu\, p_N \frac{u_T}{|u_T|} \ \text{ for } \ u_T \ne 0$$

    The rows of a contact stand together, the normal first. Rows after those of the contacts are bilateral: u = 0. With
    `torsional`, each contact has a row more, its relative angular velocity about the normal [rad/s]; with `rolling`,
    then come those about the tangents (two; one in the plane). Their impulses obey the law of friction, with an arm [m]
    in the place of mu.

    Parameters
    ----------
    W:
        Delassus matrix. A matrix that is not symmetric needs "auto", "gauss-seidel" or "lemke".
    q:
        Velocities without impulses [m/s].
    friction:
        Coefficient of each contact.
    dimension:
        Rows of a contact: 3, 2 in the plane, 1 without friction.
    torsional, rolling:
        Arm of each contact [m]: the largest moment of its resistance against turning about the normal, and against
        rolling, for a unit of the normal force.
    model:
        "cone" is Coulomb's law; "pyramid" replaces the circle by a polygon.
    directions:
        Number of directions of the pyramid.
    method:
        "gauss-seidel", "admm" or "interior" for the cone, "lemke" for the pyramid; "auto" tries one after the other
        until one succeeds, and `method` of the solution names it.
    tolerance:
        Largest residual, relative to the largest number in q.
    """
    W, q = as_reals(W, "W"), as_reals(q, "q")
    friction = np.ascontiguousarray(np.atleast_1d(as_reals(friction, "friction")))
    _refuse(W, q, friction, dimension, model, directions, method)
    if torsional is not None or rolling is not None:
        return _with_resistance(W, q, friction, torsional, rolling, dimension, model, method, tolerance)
    first = dimension * np.arange(len(friction) + 1)
    scale = float(np.max(np.abs(q), initial=0.0)) or 1.0
    if model == "pyramid":
        return _by_lemke(W, q, first, friction, dimension, directions, tolerance * scale)
    idle = np.flatnonzero(np.diag(W)[first[:-1]] <= 0.0)
    if len(idle):
        return _without_idle(W, q, first, friction, method, tolerance * scale, idle)
    return _by_cone(W, q, first, friction, method, tolerance * scale)


def _with_resistance(
    W: Reals, q: Reals, friction: Reals, torsional: Any, rolling: Any, dimension: int, model: str, method: str,
    tolerance: float,
) -> NcpSolution:  # fmt: skip
    """With resistance against turning and rolling."""
    from duoti.contact.solve.ncp_discs import by_discs, discs_of, residual_of_discs

    if model != "cone" or method != "auto":
        raise ValueError('rolling and torsional resistance go with model="cone" and method="auto" alone')
    if dimension == 1 or (dimension == 2 and torsional is not None):
        raise ValueError("without tangents there is no rolling, and in the plane no turning about the normal")
    arms = [None if each is None else np.atleast_1d(as_reals(each, "an arm")) for each in (torsional, rolling)]
    for arm, name in zip(arms, ("torsional", "rolling"), strict=True):
        if arm is not None and (arm.shape != friction.shape or not np.all(np.isfinite(arm)) or np.any(arm < 0.0)):
            raise ValueError(f"{name} must hold an arm of at least zero for each of the {len(friction)} contacts")
    first, discs = discs_of(friction, arms[0], arms[1], dimension)
    if first[-1] > len(q):
        raise ValueError(f"{len(friction)} contacts with {first[1]} rows each do not fit into {len(q)} rows")
    p, iterations = by_discs(W, q, first, discs)
    u = W @ p + q
    residual, scale = residual_of_discs(W, p, u, first, discs), float(np.max(np.abs(q), initial=0.0)) or 1.0
    ok = iterations >= 0 and residual <= tolerance * scale
    reason = "solved" if ok else (
        f"a residual of {residual:.2g} is left (allowed: {tolerance * scale:.2g})" if iterations >= 0 else
        "none found by steps of all rows, sweeps and Newton's method; friction and coupling may leave no solution"
    )  # fmt: skip
    states = _states(p, u, q, first, friction, dimension)
    return NcpSolution(p, u, ok, reason, residual, max(iterations, 0), "discs", states)


def _refuse(W: Any, q: Any, friction: Any, dimension: int, model: str, directions: int, method: str) -> None:
    if W.ndim != 2 or q.ndim != 1 or W.shape != (len(q), len(q)):
        raise ValueError(f"W has the shape {W.shape} and q {q.shape}; they must be (n, n) and (n,)")
    if dimension not in (1, 2, 3) or dimension * len(friction) > len(q):
        raise ValueError(f"{len(friction)} contacts with {dimension} rows each do not fit into {len(q)} rows")
    if not (np.all(np.isfinite(W)) and np.all(np.isfinite(q)) and np.all(np.isfinite(friction))):
        raise ValueError("W, q and friction must be finite")
    if np.any(friction < 0.0):
        raise ValueError("a coefficient of friction is negative")
    noise = NOISE * float(np.max(np.abs(W), initial=0.0))
    if np.any((np.diag(W) <= 0.0) & (np.max(np.abs(W), axis=1, initial=0.0) > noise)):
        raise ValueError(
            "W has a diagonal that no positive semidefinite matrix has; that of contacts, G M^-1 G^T, is one"
        )
    if model not in ("cone", "pyramid"):
        raise ValueError(f'model is {model!r}; it must be "cone" or "pyramid"')
    if model == "pyramid" and dimension == 3 and (directions < 4 or directions % 2):
        raise ValueError(f"directions is {directions}; a pyramid needs an even number of at least 4")
    if method in ("admm", "interior") and not is_symmetric(W):
        raise ValueError(
            f'W is not symmetric, which method {method!r} needs: that of contacts, G M^-1 G^T, is. Give "auto" or '
            '"gauss-seidel", or model="pyramid", for another one'
        )
    if method not in METHODS or ((model == "cone") == (method == "lemke") and method != "auto"):
        raise ValueError(
            f'method is {method!r}; it must be "auto", "admm", "gauss-seidel" or "interior" for the cone, '
            f'"auto" or "lemke" for the pyramid'
        )


def _by_lemke(
    W: Reals, q: Reals, first: Any, friction: Reals, dimension: int, directions: int, tolerance: float
) -> NcpSolution:
    problem = pyramid_problem(W, q, len(friction), friction, dimension, directions)
    if problem is None:
        p = np.zeros(len(q))
        return NcpSolution(p, q, False, "the bilateral rows contradict each other", np.inf, 0, "lemke", ())
    found = solve_lcp(problem.M, problem.q, least_norm=False)
    p = problem.impulses(found.z)
    u = W @ p + q
    bilateral = float(np.max(np.abs(u[first[-1] :]), initial=0.0))
    residual = max(found.residual, bilateral)
    ok = found.ok and residual <= 100.0 * tolerance  # M has entries of the friction, not of W alone
    reason = "solved" if ok else found.reason if not found.ok else f"a residual of {residual:.2g} is left"
    return NcpSolution(p, u, ok, reason, residual, found.pivots, "lemke", _states(p, u, q, first, friction))


def _by_cone(W: Reals, q: Reals, first: Any, friction: Reals, method: str, tolerance: float) -> NcpSolution:
    why = ""
    if method == "interior":
        best, residual, iterations, why = _interior(W, q, first, friction, tolerance)
        used = method
    else:
        symmetric = method != "auto" or is_symmetric(W)
        plan = PLANS[method if symmetric else "not symmetric"]
        best, residual, iterations, used = _iterate(W, q, first, friction, plan, tolerance)
        if method == "auto" and symmetric and residual > tolerance:
            p, left, more, stopped = _interior(W, q, first, friction, tolerance)
            iterations += more
            if left < residual:
                best, residual, used, why = p, left, "interior", stopped
    u = W @ best + q
    ok = residual <= tolerance
    reason = (
        "solved" if ok else f"stopped after {iterations} iterations with a residual of {residual:.2g} (allowed: "
        f"{tolerance:.2g}){why}; friction and coupling may leave no solution, or the problem is badly scaled"
    )  # fmt: skip
    return NcpSolution(best, u, ok, reason, residual, iterations, used, _states(best, u, q, first, friction))


def _interior(W: Reals, q: Reals, first: Any, friction: Reals, tolerance: float) -> tuple[Reals, float, int, str]:
    """Impulses, residual and iterations of the interior-point method, and why it stopped, as part of a sentence."""
    from duoti.contact.solve.interior_dense import interior_dense

    best, residual, iterations, why = interior_dense(W, q, first, friction, tolerance)
    return best, residual, iterations, f", since {why}"


def _without_idle(
    W: Reals, q: Reals, first: Any, friction: Reals, method: str, tolerance: float, idle: Any
) -> NcpSolution:
    """The same where no impulse changes the normal velocities of the `idle` contacts: without impulses of theirs.

    Coulomb's law holds of them with p = 0 if they do not approach, and not at all if they do.
    """
    used = np.setdiff1d(np.arange(len(friction)), idle)
    kept: Any = np.concatenate(
        [np.arange(first[c], first[c + 1]) for c in used] + [np.arange(first[-1], len(q))]
    ).astype(int)
    size = int(first[1])
    found = _by_cone(
        np.ascontiguousarray(W[np.ix_(kept, kept)]), q[kept], size * np.arange(len(used) + 1), friction[used], method,
        tolerance,
    )  # fmt: skip
    p = np.zeros(len(q))
    p[kept] = found.p
    u = W @ p + q
    approach = float(np.max(-q[first[idle]], initial=0.0))
    ok, reason = found.ok, found.reason
    if approach > tolerance:
        worst = int(idle[np.argmin(q[first[idle]])])
        ok, reason = (
            False,
            f"there is no solution: contact {worst} approaches, and no impulse changes that (W is zero there)",
        )
    residual = max(found.residual, approach)
    return NcpSolution(p, u, ok, reason, residual, found.iterations, found.method, _states(p, u, q, first, friction))


PLANS = {
    "gauss-seidel": [("gauss-seidel", SWEEPS)],
    "admm": [("admm", ITERATIONS)],
    "auto": [("gauss-seidel", FEW_SWEEPS), ("admm", 100), ("admm", ITERATIONS), ("gauss-seidel", SWEEPS)],
    "not symmetric": [("gauss-seidel", FEW_SWEEPS), ("gauss-seidel", SWEEPS)],
}
"""Methods that are tried in turn, and how long; Newton's method follows each, and `_interior` the last of "auto"."""


def _iterate(
    W: Reals, q: Reals, first: Any, friction: Reals, plan: list[tuple[str, int]], tolerance: float
) -> tuple[Reals, float, int, str]:
    """Impulses, residual, iterations and the method of the best try."""
    from duoti.contact.solve.admm import admm
    from duoti.contact.solve.dense_newton import newton
    from duoti.contact.solve.gauss_seidel import gauss_seidel

    n = len(q)
    p, u, A, vectors, numbers = np.zeros(n), np.zeros(n), np.zeros((n, n)), np.zeros((5, n)), np.zeros(3)
    iterations, residual, used, best = 0, np.inf, plan[0][0], p.copy()
    for name, most in plan:
        if name == "admm":
            status = admm(W, q, first, friction, p, u, A, vectors, numbers, most, tolerance)
        else:
            status = gauss_seidel(W, q, first, friction, p, u, numbers, most, tolerance)
        iterations += int(numbers[0])
        here = float(numbers[1])
        if status == 3:
            p[:] = 0.0
        elif status != 0:
            here = float(newton(W, q, first, friction, p, u, A, vectors, NEWTON_ITERATIONS, tolerance))
        if here < residual:
            residual, used, best = here, name, p.copy()
        if residual <= tolerance:
            break
    return best, residual, iterations, used


def solve_blocks(D: Reals, q: Reals, first: Any, friction: Reals) -> Reals | None:
    """p of contacts with first[i + 1] - first[i] rows each; D need not be symmetric. None if nothing was found."""
    if np.max(np.diff(first)) == 1:
        found = solve_lcp(D, q)
        return found.z if found.ok else None
    if np.min(np.diag(D)) < 0.0:
        return None  # a contact that a greater force would press more: see `accelerations`
    scale = TOLERANCE * (float(np.max(np.abs(q))) or 1.0)
    symmetric = np.allclose(D, D.T, rtol=0.0, atol=1e-13 * float(np.max(np.abs(D))))
    p, residual, _, _ = _iterate(D, q, first, friction, PLANS["auto" if symmetric else "not symmetric"], scale)
    return p if residual <= scale else None


def _states(p: Reals, u: Reals, q: Reals, first: Any, friction: Reals, rows: int = 3) -> tuple[str, ...]:
    """rows: of a contact that have its friction; further ones turn and roll."""
    found: list[str] = []
    speed = float(np.max(np.abs([u, q]), initial=0.0))
    for c in range(len(friction)):
        i = int(first[c])
        k = min(int(first[c + 1]), i + rows)
        if p[i] <= 0.0:
            found.append("open")
        elif k - i == 1 or float(np.linalg.norm(u[i + 1 : k])) > 1e-9 * speed:
            found.append("slide")
        else:
            found.append("stick")
    return tuple(found)
