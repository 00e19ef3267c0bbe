"""Why a simulation cannot start, or ended early: in the names of the model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from duoti.analyses.assemble import in_words, loop_joints
from duoti.dynamics.loads import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import state as S
from duoti.model.errors import ModelError
from duoti.model.findings import Findings
from duoti.system.arrays import Reals, Work
from duoti.system.closures import dense_jacobian
from duoti.system.system import System

LOOK_AHEAD = (0.0, 0.125, 0.25, 0.5, 0.75, 1.0, 1.1)  # parts of the failing step at which forces are looked at
IMPOSSIBLE = 1e-6  # part of the accelerations of the closures that nothing can meet, above round-off and open loops
NO_INERTIA = 1e-15  # pivot, relative to the largest of its kind, that is only round-off


def _owner_of_rate(system: System, index: int) -> tuple[str, str]:
    """What a rate belongs to, in words, and the body that it moves."""
    for name, place in system.joints.items():
        if index in place.v:
            return f'joint "{name}"', system.model.joints[name].child
    body = next(body for body, place in system.virtual.items() if index in place.v)
    return f'body "{body}"', body


def refuse_missing_inertia(system: System, work: Work) -> None:
    """Raise ModelError if nothing resists the motion of some joint in the initial state (after forward dynamics)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = 1.0 / (work.M[system.tree.M_row + system.tree.depth] ** 2 if system.links.rows else work.D)
    if np.min(pivots, initial=np.inf) > NO_INERTIA * np.max(pivots, initial=0.0):  # never true of undefined ones
        return
    found = Findings()
    turning = system.tree.turns == 1
    missing: list[int] = []
    for kind in (turning, ~turning):
        largest = np.max(pivots[kind & np.isfinite(pivots)], initial=0.0)
        missing += np.flatnonzero(kind & ~(pivots > NO_INERTIA * largest)).tolist()
    if system.links.rows and missing:  # the factorisation goes inward: what is undefined follows from what is missing
        missing = [i for i in missing if np.isfinite(pivots[i])] or [max(missing)]
    for i in missing:
        owner, body = _owner_of_rate(system, int(i))
        motion = "turning about" if system.tree.turns[i] else "sliding along"
        rate = f" ({system.rate_names[i]})" if system.rate_names[i] else ""
        otherwise = 'use coordinates="relative"' if owner.startswith("body") else "make the joint fixed"
        found.error(
            "no-inertia", (owner.split('"')[1], body),
            f"{owner}: nothing resists {motion} its axis in the initial state{rate}",
            f'body "{body}" and what it carries have no inertia for it: its acceleration is undefined',
            f'give "{body}" an inertia about this axis (a thin rod has none), or {otherwise}',
        )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name))


def refuse_impossible_rates(system: System, run: S.Run, work: Work) -> None:
    """Raise ModelError if no accelerations keep the loops closed in the initial state (after forward dynamics).

    G a = gamma has no solution where the rates point along no motion: in a singular position, in which the equations of
    position and rates allow more than the mechanism can do.
    """
    links, nq, nv = system.links, system.nq, system.nv
    a, gamma = run.K[0, nq : nq + nv], work.gamma
    limit = IMPOSSIBLE * float(np.max(np.abs(gamma), initial=0.0)) + 1e-9
    rows = np.repeat(np.arange(links.rows), np.diff(links.support))
    wrong = np.abs(np.bincount(rows, work.G * a[links.support_rates], links.rows) - gamma)
    if not np.max(wrong, initial=0.0) > limit or not np.all(np.isfinite(wrong)):
        return
    G = dense_jacobian(links, nv, work.G)  # perhaps it is only a treatment that is not exact
    wrong = np.abs(G @ np.linalg.lstsq(G, gamma, rcond=1e-6)[0] - gamma)
    if np.max(wrong) <= limit:
        return
    found = Findings()
    for k, name in enumerate(system.link_names):
        if np.max(wrong[links.first[k] : links.first[k + 1]], initial=0.0) > limit:
            joints = loop_joints(system, name)
            found.error(
                "singular-start", (name.removeprefix("constraint:"), *joints),
                f"{in_words(system, name)} is in a singular position from which its initial rates lead nowhere",
                f"the equations of joints {', '.join(joints)} are not independent there: they allow these rates, "
                "but no motion has them",
                "begin a little beside the singular position, or with rates of one of the motions that meet there",
            )  # fmt: skip
    raise ModelError(found.report(system.model.name))


def explain_failure(system: System, run: S.Run, status: int) -> str:
    """A sentence with the time, the joint and body concerned, the likely cause and what to try."""
    t, where = float(run.numbers[S.T]), int(run.counts[S.WHERE])
    nq, nv = system.nq, system.nv
    at = ""
    if where < nq + nv:
        name = system.coordinate_names[where] if where < nq else system.rate_names[where - nq]
        joint = name.split(".")[0]
        joint = next((j for j in system.joints if name.startswith(j + ".")), joint)
        at = f' at joint "{joint}" (body "{system.model.joints[joint].child}", {name})'
    culprits = _broken_forces(system, run)
    if culprits:
        by_force = any(culprit.startswith("force") for culprit in culprits)  # an event does not act on a joint
        at = f" in {' and '.join(culprits)}" + (at.replace(" at ", ", first seen at ", 1) if by_force else "")
    if status == S.NOT_FINITE:
        remedy = (
            ""
            if culprits
            else "; try a smaller step or an adaptive solver, and look for forces that grow without bound"
        )
        return f"values became infinite or undefined after t = {t:.6g} s{at}{remedy}"
    return (
        f"the step became too small at t = {t:.6g} s{at}: the motion changes too fast there for an explicit solver "
        "(an impact, a singularity or a stiff spring), or the tolerances are too tight"
    )


def _broken_forces(system: System, run: S.Run) -> list[str]:
    """Force elements whose functions failed, or that give values that are not finite at or shortly after the end."""
    found: list[str] = []
    raised = dict(system.callbacks.errors)
    for owner, error in raised.items():
        found.append(f"{owner} (its function raised {type(error).__name__}: {error})")
    if found:
        return found
    t, h = float(run.numbers[S.T]), float(run.numbers[S.H])
    ahead = np.where(np.isfinite(run.K[0]), run.K[0], 0.0)
    for part in LOOK_AHEAD:
        for f, name in enumerate(system.model.forces):
            if not _force_is_finite(system, f, t + part * h, run.y + part * h * ahead):
                found.append(f'force "{name}"')
        if found:
            return found
    return found


def _force_is_finite(system: System, f: int, t: float, y: Reals) -> bool:
    tree, loads = system.tree, system.loads
    q, v = y[: system.nq], y[system.nq : system.nq + system.nv]
    if not (np.all(np.isfinite(q)) and np.all(np.isfinite(v))):
        return True
    one = loads._replace(
        count=1, kind=_rows(loads.kind, f), integers=_rows(loads.integers, f), reals=_rows(loads.reals, f)
    )
    work = new_workspace(replace(system, loads=one))
    force_state(tree, one, work, t, q.copy(), v.copy())
    return bool(np.all(np.isfinite(work.F_ext)) and np.all(np.isfinite(work.tau)))


def _rows(array: Any, f: int) -> Any:
    row = array[f : f + 1].copy()
    row.setflags(write=False)
    return row
