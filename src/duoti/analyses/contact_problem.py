"""`contact_problem`: whether forces of contact and accelerations are determined in a state (Painlevé)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.dynamics import as_state
from duoti.analyses.treatable import rolling_elements
from duoti.contact.accelerations import (
    Touching,
    all_solutions_of,
    critical_friction,
    effective_masses,
    find_modes,
)
from duoti.contact.build import rigid_contacts
from duoti.contact.engine import ContactEngine
from duoti.contact.modes import OPEN, STICK
from duoti.contact.workspace import ContactPoint
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compiler import compile_model
from duoti.system.system import System

TOUCHING = 1e-7  # m
AT_REST = 1e-9  # m/s, of slip and of approach
STATES = {OPEN: "open", STICK: "stick"}


@dataclass(frozen=True)
class ContactSolution:
    """Forces and accelerations that obey all laws of contact."""

    states: tuple[str, ...]
    """open, stick or slide, for each point of contact."""
    force: Reals
    """[points, 3] on b, in world axes [N]."""
    normal_force: Reals
    """Of each point, in newtons."""


@dataclass(frozen=True)
class ContactProblem:
    """What `contact_problem` found out about a state."""

    contacts: tuple[str, ...]
    """The contacts of the points that touch and do not separate, a name for each point."""
    consistent: bool
    """False if no forces of contact and accelerations obey all laws: rigid bodies with Coulomb friction cannot go
    on."""
    unique: bool | None
    """True if there is one motion, False if there are several (or none); None if it was not found out."""
    forces_unique: bool
    """False if forces are not unique although the motion is: redundant contacts, such as a box on four corners."""
    solutions: tuple[ContactSolution, ...]
    """All that were found; of redundant contacts, one for each motion."""
    critical_friction: dict[str, float]
    """For each contact, the least coefficient of friction at which its paradoxes begin in this position and direction
    of slip."""
    approaching: tuple[str, ...]
    """Contacts that are about to have an impact; they are not a part of the problem."""
    reason: str
    """The same in words."""


def touching_contacts(system: System, q: Reals) -> list[str]:
    """Names of the rigid contacts with points that touch in a position."""
    of = rigid_contacts(system)
    if of is None:
        return []
    points = ContactEngine(system, of).geometry.points(q, np.zeros(system.nv), TOUCHING)
    return list(dict.fromkeys(point.name for point in points))


@explained
def contact_problem(
    system: Model | System, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float = 0.0,
    *, touching: float = TOUCHING,
) -> ContactProblem:  # fmt: skip
    """Whether the rigid contacts of a system leave one motion in a state, or several, or none (Painlevé's paradoxes).

    q, v: the state; by default the initial one. Points whose gap is at most `touching` [m] count as closed, slip below
    1e-9 m/s as none. With static friction above sliding friction, the static one counts for contacts at rest.
    """
    system = system if isinstance(system, System) else compile_model(system)
    of = rigid_contacts(system)
    if of is None:
        raise ValueError(f'model "{system.model.name}" has no rigid contacts (dt.RigidContact)')
    if rolling := rolling_elements(system):
        names = ", ".join(f'"{name}"' for name in rolling)
        raise NotImplementedError(
            f"dt.contact_problem knows no creep forces, which rolling contacts ({names}) have; simulate an instant: "
            "the channels force and normal_force have what they bear"
        )
    q0, v0 = system.initial_state()
    y = system.whole_state(*as_state(system, q0 if q is None else q, v0 if v is None else v))
    engine = ContactEngine(system, of)
    rates = y[system.nq : system.nq + system.nv]
    near = engine.geometry.points(y[: system.nq], rates, touching)
    speeds = [p.G @ rates for p in near]
    approaching = tuple(dict.fromkeys(p.name for p, u in zip(near, speeds, strict=True) if u[0] < -AT_REST))
    closed = [i for i in range(len(near)) if abs(speeds[i][0]) <= AT_REST]
    points, speeds = [near[i] for i in closed], [speeds[i] for i in closed]
    if not points:
        return ContactProblem((), True, True, True, (), {}, approaching, "no point touches and stays")
    for u in speeds:
        if float(np.linalg.norm(u[1:])) <= AT_REST:
            u[1:] = 0.0
    problem = engine.problem(float(t), y, points, speeds, set())
    return _classified(problem, points, approaching)


def _classified(problem: Touching, points: list[ContactPoint], approaching: tuple[str, ...]) -> ContactProblem:
    names = tuple(p.name for p in points)
    every = all_solutions_of(problem)
    found = find_modes(problem)
    known = every if every else [found] if found else []
    solutions = tuple(_solution(each, points) for each in known)
    consistent, unique = bool(known), None if every is None else len(every) == 1
    if not consistent:
        unique = False
    frictionless = not np.any(problem.friction) and not np.any(problem.static_friction)
    if unique is None and (frictionless or np.min(effective_masses(problem)) > 0.99999):
        unique = True  # accelerations follow from a convex problem
    critical: dict[str, float] = {}
    for name, value in zip(names, critical_friction(problem), strict=True):
        critical[name] = min(float(value), critical.get(name, np.inf))
    rank = np.linalg.matrix_rank(problem.W[::3, ::3], tol=1e-9 * float(np.max(problem.W)))
    jammed = [name for name, a in zip(names, effective_masses(problem), strict=True) if a <= 0.0]
    return ContactProblem(
        names, consistent, unique, bool(rank == len(names)), solutions, critical, approaching,
        _reason(consistent, unique, len(solutions), jammed, critical),
    )  # fmt: skip


def _reason(consistent: bool, unique: bool | None, count: int, jammed: list[str], critical: dict[str, float]) -> str:
    if consistent and unique:
        return "there is one motion"
    where = ", ".join(
        f'"{name}" (critical coefficient of friction {critical[name]:.4g})' for name in dict.fromkeys(jammed)
    )
    at = f": friction at {where} presses more than the contact can push apart" if jammed else ""
    if not consistent:
        return f"no motion obeys the laws of contact{at}"
    if unique is None:
        return "a motion was found; there are too many contacts to say whether it is the only one"
    return f"there are {count} motions that obey the laws of contact{at}"


def _solution(found: Any, points: list[ContactPoint]) -> ContactSolution:
    forces = found.force.reshape(-1, 3)
    world = np.array([(-1.0 if p.swapped else 1.0) * (f @ p.frame) for f, p in zip(forces, points, strict=True)])
    states = tuple(STATES.get(mode, "slide") for mode in found.mode)
    return ContactSolution(states, world, forces[:, 0].copy())
