"""`contact_problem`: whether forces of contact and accelerations are determined in a state (Painlevé)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.states.at import with_instant
from duoti.analyses.states.many_states import for_states
from duoti.analyses.states.special_cases import as_state
from duoti.analyses.states.supported import refuse_undetermined_loads, rolling_elements
from duoti.contact.build import event_driven_contacts, rigid_contacts
from duoti.contact.event_driven.accelerations import (
    ZERO,
    Touching,
    all_solutions_of,
    critical_friction,
    effective_masses,
    find_contact_states,
)
from duoti.contact.event_driven.contact_states import OPEN, ROLLS, STICK
from duoti.contact.event_driven.engine import ContactEngine
from duoti.contact.joint_friction.acceleration_problem import JointFrictionState
from duoti.contact.joint_friction.all_solutions import (
    FORWARD,
    REST,
    JointFrictionProblem,
    JointFrictionSolution,
    critical_at_points,
    critical_in_joints,
    every_solution,
    holding_force,
)
from duoti.contact.workspace import ContactGeometry, ContactPoint
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.elements.joint_friction_memory import UPPER
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

TOUCHING = 1e-7  # m
CONTACT_REST = 1e-9  # m/s, of slip and of approach
STATES = {OPEN: "open", STICK: "stick"}


@dataclass(frozen=True)
class ContactSolution:
    """Forces and accelerations that obey all laws of contact, and of friction and stops in joints."""

    states: tuple[str, ...]
    """open, stick or slide, for each point of contact."""
    force: Reals
    """[points, 3] on b, in world axes [N]."""
    normal_force: Reals
    """Of each point, in newtons."""
    moment: Reals
    """[points, 3] of resistance against rolling and turning, on b, in world axes [N m]."""
    turning: tuple[str, ...]
    """What resistance leaves, for each point: "held", "rolls", "turns" (about the normal), "rolls, turns"; empty where
    there is none."""
    joints: dict[str, str] = field(default_factory=dict)
    """Of joints with friction or at a stop: rest or slide; stop (it pushes) or free, under "joint.stop"."""
    joint_force: dict[str, Reals] = field(default_factory=dict)
    """What friction and stops do there, along the joint velocities [N or N m]."""


@dataclass(frozen=True)
class ContactProblem:
    """What `contact_problem` found out about a state."""

    contacts: tuple[str, ...]
    """The contacts of the points that touch and do not separate, a name for each point."""
    consistent: bool
    """False if no forces and accelerations obey all laws: rigid bodies with Coulomb friction cannot go on."""
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
    """Contacts, and stops of joints ("joint.stop"), that are about to have an impact; they are not a part of the
    problem."""
    reason: str
    """The same in words."""
    critical_joint_friction: dict[str, float] = field(default_factory=dict)
    """For each joint with friction, the least coefficient with which friction makes more load than it takes to bear it:
    from there on a joint at rest jams, and one that slides may have no motion, or several. Infinite: none does."""
    holding_friction: dict[str, float] = field(default_factory=dict)
    """For each joint that rests in the first solution, the static coefficient that would just hold it."""
    self_locking: tuple[str, ...] = ()
    """Joints that rest in the first solution and would with loads of any size in the same proportion: friction from
    their load alone holds them, and they do not rest without it."""
    jammed: tuple[str, ...] = ()
    """Joints whose coefficient is not below the critical one."""


def touching_contacts(system: System, q: Reals) -> list[str]:
    """Names of the rigid contacts with points that touch in a position."""
    of = rigid_contacts(system)
    if of is None:
        return []
    points = ContactGeometry(system, of, biases=False).points(q, np.zeros(system.nv), TOUCHING)
    return list(dict.fromkeys(point.name for point in points))


@with_instant
@renamed_arguments
@for_states("q", "v")
@explained
def contact_problem(
    model: Model | System, q: ArrayLike | None = None, v: ArrayLike | None = None, t: float = 0.0,
    *, touching: float = TOUCHING,
) -> ContactProblem:  # fmt: skip
    r"""Whether rigid contacts, friction and stops leave exactly one motion in a state, several, or none.

    $$0 \le \lambda_N \perp \ddot g_N \ge 0, \qquad \lambda_T \in C(\mu \lambda_N)$$

    Several or no solutions are Painlevé's paradoxes and jams. Slip below 1e-9 m/s counts as none. Static friction
    counts for what is at rest.

    Parameters
    ----------
    q, v:
        The state; by default the initial one.
    touching:
        Largest gap of a closed contact [m].
    """
    assert isinstance(model, System)
    system = model
    of, jf = event_driven_contacts(system), has_joint_friction(system)
    if of is None and not jf:
        raise ValueError(
            f'model "{system.model.name}" has no rigid contacts (dt.RigidContact), and no friction or stops in joints '
            "(dt.JointFriction, limits=)"
        )
    if rolling := rolling_elements(system):
        names = ", ".join(f'"{name}"' for name in rolling)
        raise NotImplementedError(
            f"dt.contact_problem knows no creep forces, which rolling contacts ({names}) have; simulate an instant: "
            "the channels force and normal_force have what they bear"
        )
    q0, v0 = system.initial_state()
    y = system.whole_state(*as_state(system, q0 if q is None else q, v0 if v is None else v))
    if jf:
        refuse_undetermined_loads(system)
        state = JointFrictionState(system, of, float(t), y)
        engine = state.engine
    else:
        assert of is not None
        state, engine = None, ContactEngine(system, of)
    points, speeds, approaching = _points(engine, y, touching) if engine else ([], [], ())
    if state:
        approaching = (*approaching, *(state.name(s) for s in state.approaching))
        return _with_joints(state, points, speeds, approaching)
    if not points:
        return ContactProblem((), True, True, True, (), {}, approaching, "no point touches and stays")
    assert engine is not None
    problem = engine.problem(float(t), y, points, speeds, set())
    return _classified(problem, points, approaching)


def _points(
    engine: ContactEngine, y: Reals, touching: float
) -> tuple[list[ContactPoint], list[Reals], tuple[str, ...]]:
    """Points that touch and do not part, with their speeds; contacts that are about to have an impact."""
    nq, nv = engine.system.nq, engine.system.nv
    near = [p for p in engine.geometry.points(y[:nq], y[nq : nq + nv], touching) if not engine.distance[p.slot]]
    speeds = [p.G @ y[nq : nq + nv] for p in near]
    approaching = tuple(dict.fromkeys(p.name for p, u in zip(near, speeds, strict=True) if u[0] < -CONTACT_REST))
    closed = [i for i in range(len(near)) if abs(speeds[i][0]) <= CONTACT_REST]
    points, speeds = [near[i] for i in closed], [speeds[i] for i in closed]
    for u in speeds:
        if float(np.linalg.norm(u[1:])) <= CONTACT_REST:
            u[1:] = 0.0
    return points, speeds, approaching


def _with_joints(
    state: JointFrictionState, points: list[ContactPoint], speeds: list[Reals], approaching: tuple[str, ...]
) -> ContactProblem:
    """Contacts, friction and stops in joints as one problem."""
    if not points and not state.stops and not state.friction:
        return ContactProblem((), True, True, True, (), {}, approaching, "nothing touches and stays")
    problem = state.problem(points, speeds)
    resisting = len(problem.b) > len(problem.touching.b) + sum(len(slot.columns) for slot in problem.slots)
    every = None if resisting else every_solution(problem)
    known, complete = (every.solutions, every.complete) if every else ([], False)
    shared = False
    if not known:
        found = state.as_in_a_run(problem, points, speeds)
        known, shared = [found] if found else [], found is not None and not resisting
    friction_states = (
        known[0].states if known else tuple(FORWARD if s.direction is not None else REST for s in problem.slots)
    )
    free = friction_states if known else (FORWARD,) * len(friction_states)
    in_joints = critical_in_joints(problem, free)
    names = tuple(p.name for p in points)
    critical = _least(names, critical_at_points(problem, free))
    labels = [state.name(s) for s in state.friction]
    critical_joints = _least(labels, in_joints)
    coefficients = [slot.friction for slot in problem.slots]
    jammed = [name for name, mu, least in zip(labels, coefficients, in_joints, strict=True) if 0.0 < least <= mu]
    pressed = [
        name for name, mu, u in zip(names, problem.touching.friction[: len(points)], speeds, strict=True)
        if np.any(u[1:]) and mu >= critical[name]
    ]  # fmt: skip
    consistent = bool(known)
    unique = len(known) == 1 if complete or len(known) > 1 else None if consistent else False
    if shared:  # all that rests does: the others were tried
        unique = True if every and complete else None
    holding, locking = _holding(problem, known[0], labels) if known else ({}, ())
    return ContactProblem(
        names, consistent, unique, not shared and _unique_forces(problem, known),
        tuple(_whole_solution(each, state, problem, points) for each in known), critical, approaching,
        _reason(consistent, unique, len(known), _causes(pressed, critical, jammed, critical_joints)),
        critical_joints, holding, locking, tuple(dict.fromkeys(jammed)),
    )  # fmt: skip


def _least(names: Sequence[str], values: Reals) -> dict[str, float]:
    """The least value under each name."""
    found: dict[str, float] = {}
    for name, value in zip(names, values[: len(names)], strict=True):
        found[name] = min(float(value), found.get(name, np.inf))
    return found


def _holding(
    problem: JointFrictionProblem, found: JointFrictionSolution, labels: list[str]
) -> tuple[dict[str, float], tuple[str, ...]]:
    """Coefficients that would just hold the joints at rest, and which of them friction from loads alone holds."""
    holding: dict[str, float] = {}
    locking: list[str] = []
    loads = problem.loads(found.force)
    for slot, friction_state, name, load in zip(problem.slots, found.states, labels, loads, strict=True):
        if friction_state != REST:
            continue
        force = holding_force(slot, found.force)
        needed = max(force - slot.constant, 0.0)
        least = needed / float(load) if load > 0.0 else np.inf if needed else 0.0
        holding[name] = max(holding.get(name, 0.0), least)
        if force > ZERO * load and force <= slot.friction * (load - slot.preload) * (1.0 + ZERO):
            locking.append(name)
    return holding, tuple(dict.fromkeys(locking))


def _unique_forces(problem: JointFrictionProblem, known: list[JointFrictionSolution]) -> bool:
    """Whether normal forces, and those that hold joints, follow from the accelerations."""
    count = len(problem.touching.friction)
    normals = [3 * i for i in range(count)]
    at_points, held = list(normals), list[int]()
    if known:
        at_points += [3 * i + k for i in range(count) if known[0].points.state[i] == STICK for k in (1, 2)]
        held = [
            c
            for s, friction_state in zip(problem.slots, known[0].states, strict=True)
            if friction_state == REST
            for c in s.columns
        ]

    def rank(rows: list[int]) -> int:
        block = problem.K[np.ix_(rows, rows)]
        scale = 1.0 / np.sqrt(np.maximum(np.diag(block), 1e-300))
        return int(np.linalg.matrix_rank(block * scale[:, None] * scale, tol=1e-9)) if rows else 0

    return rank(normals) == count and rank(at_points + held) == rank(at_points) + len(held)


def _whole_solution(
    found: JointFrictionSolution, state: JointFrictionState, problem: JointFrictionProblem, points: list[ContactPoint]
) -> ContactSolution:
    at_points = _solution(found.points, points)
    joints: dict[str, str] = {}
    forces: dict[str, Reals] = {}
    for s, slot, friction_state in zip(state.friction, problem.slots, found.states, strict=True):
        joints[state.name(s)], forces[state.name(s)] = (
            "rest" if friction_state == REST else "slide",
            found.force[list(slot.columns)],
        )
    for i, s in enumerate(state.stops, len(points)):
        push = float(found.force[3 * i])
        joints[state.name(s)] = "free" if found.points.state[i] == OPEN else "stop"
        forces[state.name(s)] = np.array([-push if state.hits[s] == UPPER else push])
    return replace(at_points, joints=joints, joint_force=forces)


def _classified(problem: Touching, points: list[ContactPoint], approaching: tuple[str, ...]) -> ContactProblem:
    names = tuple(p.name for p in points)
    every = all_solutions_of(problem)
    found = find_contact_states(problem)
    known = every if every else [found] if found else []
    solutions = tuple(_solution(each, points) for each in known)
    consistent, unique = bool(known), None if every is None else len(every) == 1
    if not consistent:
        unique = False
    frictionless = not np.any(problem.friction) and not np.any(problem.static_friction)
    if problem.turning is not None:
        convex = _normal_forces_alone(problem.turning.W, len(points))
    else:
        convex = frictionless or np.min(effective_masses(problem)) > 0.99999
    if consistent and unique is None and convex:
        unique = True  # accelerations follow from a convex problem
    critical = _least(names, critical_friction(problem))
    rank = np.linalg.matrix_rank(problem.W[::3, ::3], tol=1e-9 * float(np.max(problem.W)))
    pressed = [name for name, a in zip(names, effective_masses(problem), strict=True) if a <= 0.0]
    return ContactProblem(
        names, consistent, unique, bool(rank == len(names)), solutions, critical, approaching,
        _reason(consistent, unique, len(solutions), _causes(pressed, critical)),
    )  # fmt: skip


def _normal_forces_alone(W: Reals, count: int) -> bool:
    """Whether normal forces are unique and neither friction nor resistance changes them: then all else is convex."""
    normal = 3 * np.arange(count)
    others = np.setdiff1d(np.arange(len(W)), normal)
    size = np.sqrt(np.maximum(np.diag(W), 1e-300))
    scaled = W / size[:, None] / size
    coupled = float(np.max(np.abs(scaled[normal[:, None], others]), initial=0.0))
    return coupled <= ZERO and int(np.linalg.matrix_rank(scaled[normal[:, None], normal], tol=1e-9)) == count


def _causes(
    pressed: list[str],
    critical: dict[str, float],
    jammed: Sequence[str] = (),
    in_joints: dict[str, float] | None = None,
) -> str:
    """What makes paradoxes: contacts that friction presses, joints whose friction makes more load than it bears."""
    parts: list[str] = []
    if pressed:
        where = ", ".join(f'"{name}" (critical coefficient {critical[name]:.4g})' for name in dict.fromkeys(pressed))
        parts.append(f"friction at {where} presses more than the contact can push apart")
    if jammed and in_joints:
        where = ", ".join(f'"{name}" (critical coefficient {in_joints[name]:.4g})' for name in dict.fromkeys(jammed))
        parts.append(f"friction in {where} makes more load than it bears")
    return "; ".join(parts)


def _reason(consistent: bool, unique: bool | None, count: int, causes: str) -> str:
    at = f": {causes}" if causes else ""
    if consistent and unique:
        return "there is one motion"
    if not consistent:
        return f"no motion obeys the laws of contact and friction{at}"
    if unique is None:
        return "a motion was found; there are too many contacts or joints to say whether it is the only one" + at
    return f"there are {count} motions that obey the laws of contact and friction{at}"


def _solution(found: Any, points: list[ContactPoint]) -> ContactSolution:
    forces = found.force.reshape(-1, 3)
    forces = forces[: len(points)]  # stops of joints come behind
    world = [(-1.0 if p.swapped else 1.0) * (f @ p.frame) for f, p in zip(forces, points, strict=True)]
    states = tuple(STATES.get(friction_state, "slide") for friction_state in found.state[: len(points)])
    moment, turning = np.zeros((len(points), 3)), [""] * len(points)
    for i, rolling_state in found.rolling_states.items():
        moment[i] = (-1.0 if points[i].swapped else 1.0) * (rolling_state.moment @ points[i].frame)
        words = [
            word
            for word, friction_state in (("rolls", rolling_state.roll), ("turns", rolling_state.torsional))
            if friction_state == ROLLS
        ]
        turning[i] = ", ".join(words) or "held"
    return ContactSolution(states, np.array(world).reshape(-1, 3), forces[:, 0].copy(), moment, tuple(turning))
