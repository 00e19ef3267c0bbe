"""Models with their friction ignored or held, for equilibria and what is linear about them."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from duoti.analyses.equilibrium.equations import OPEN
from duoti.analyses.linear.modes import length_of
from duoti.analyses.states.at import instant
from duoti.analyses.states.consistent import equation_labels
from duoti.analyses.states.linearised_equations import Equations, coordinate_sizes
from duoti.analyses.states.supported import as_model, as_system
from duoti.model.constraints.equation import Equation
from duoti.model.constraints.joint_motion import JointMotion
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.elements import GROUND
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.model import Model
from duoti.results.evaluate.contact_points import points_over_time, set_of
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.records import Reason, Stats
from duoti.results.result import Result
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

CHOICES = ("modelled", "ignored", "held")
NEW = 1e-3  # part of the size of an equation that others must not say already
TOUCHES = 1e-3  # gap, as part of the size of the mechanism, up to which a point is held


def with_friction(model: Model | System, friction: str, at: Any, t: float | None) -> Model | System:
    """The model as it is, without its dry friction, or with what friction acts on held where it is at the start."""
    if friction not in CHOICES:
        raise ValueError(f"friction={friction!r}: choose one of {', '.join(map(repr, CHOICES))}")
    if friction == "modelled":
        return model
    made = _without_friction(as_model(model))
    if friction == "held":
        _hold(as_system(model), made, at, t)
    return made


def _without_friction(model: Model) -> Model:
    made = copy(model)
    made.tasks = {}
    for part in ("forces", "contacts", "constraints", "markers"):
        setattr(made, part, dict(getattr(model, part)))
    for name, force in model.forces.items():
        if isinstance(force, JointFriction):
            del made.forces[name]
    for name, contact in model.contacts.items():
        if isinstance(contact.law, CompliantContact):
            law = copy(contact.law)
            law.friction = law.viscous_friction = 0.0
            law.friction_law, law.static_friction, law.stribeck_velocity = "regularised", None, None
            made.contacts[name] = replace(contact, law=law)
        elif getattr(contact.law, "friction", 0.0):
            raise NotImplementedError(
                f'friction="ignored" and "held" do not know the law of contact "{name}" ({contact.law.kind}); they '
                "know dt.CompliantContact and dt.JointFriction"
            )
    return made


def _hold(system: System, made: Model, at: Any, t: float | None) -> None:
    """Constraints in the place of friction: no velocity of joints, nor along surfaces of points that touch.

    They restrict velocities: positions settle as far as they allow. Of equations that say the same, as those of the
    feet of a rigid body do, independent ones are kept; the others would lock it as soon as it leans a little.
    """
    before = set(made.constraints)
    state = instant(system, at, t)
    for name, force in system.model.forces.items():
        if isinstance(force, JointFriction):
            joint = force.joint if isinstance(force.joint, str) else force.joint.name
            for k in range(len(system.joints[joint].v)):
                made.add_constraint(_free_name(made, f"{name}_holds_{k}"), JointMotion(force.joint, None, k, 0.0))
    rubbing = [
        name
        for name, contact in system.model.contacts.items()
        if isinstance(contact.law, CompliantContact) and contact.law.friction > 0.0
    ]
    if not rubbing:
        _keep_independent(made, before, state.q)
        return
    y = system.whole_state(state.q, np.zeros(system.nv), state.z)[None]
    result = Result(system, np.array([state.t]), y, True, Reason("end-time", ""), Stats("", 0, 0, 0, 0.0))
    nearest = TOUCHES * length_of(system, state.q)
    found = 0
    for name in rubbing:
        found += _hold_points(system, made, name, result, y, nearest)
    if not found:
        names = ", ".join(f'"{name}"' for name in rubbing)
        raise ValueError(
            f'friction="held": no point of contact {names} touches at the start (gap up to {nearest:.2g} m), so that '
            'there is nothing to hold. Start from where they touch: at=dt.equilibrium(model, friction="ignored")'
        )
    _keep_independent(made, before, state.q)


def _keep_independent(made: Model, before: set[str], q: Any) -> None:
    """Leave out the constraints that follow from others at the start."""
    from scipy.linalg import qr

    system = compile_model(made)
    equations = Equations.of(system)
    equations.put(q, np.zeros(system.nv), system.initial_z(), 0.0)
    equations.residual(np.zeros(system.nv), np.zeros(system.closures.rows))
    G = equations.jacobian * coordinate_sizes(system, length_of(system, q))
    names = [label.rpartition(".rate_equation")[0] for label in equation_labels(system)]
    own = np.array([bool(name) and name not in before for name in names])
    rows = G[own] @ (np.eye(system.nv) - np.linalg.pinv(G[~own]) @ G[~own])
    factors: Any = qr(rows.T, mode="r", pivoting=True)
    sizes = np.abs(np.diag(factors[0]))
    kept = set(factors[1][: len(sizes)][sizes > NEW * max(float(sizes.max(initial=0.0)), 1e-300)].tolist())
    for k, number in enumerate(np.flatnonzero(own)):
        if k not in kept:
            del made.constraints[names[number]]


def _hold_points(system: System, made: Model, name: str, result: Result, y: Any, nearest: float) -> int:
    """How many points of a contact were held."""
    points = points_over_time(result, name)
    pairs = _bodies_of_points(system, name)
    count = 0
    for k in range(points.gap.shape[1]):
        if points.gap[0, k] > nearest + OPEN:
            continue
        a, b = pairs[k]
        place, axes = points.place[0, k], points.frame[0, k].reshape(3, 3)
        markers: list[str] = []
        for side, body in (("a", a), ("b", b)):
            R, p = _pose(system, body, y)
            marker = _free_name(made, f"held_{len(made.markers)}_{side}")
            made.add_marker(marker, made.ground if body == GROUND else made.bodies[body], position=R.T @ (place - p))
            markers.append(marker)
        for m, axis in enumerate(axes[1:]):
            slip = " + ".join(
                f"({float(axis[i])!r})*({markers[1]}.velocity.{x} - {markers[0]}.velocity.{x})"
                for i, x in enumerate("xyz")
            )
            made.add_constraint(_free_name(made, f"{_word(name)}_holds_{k}_{m}"), Equation(slip))
        count += 1
    return count


def _bodies_of_points(system: System, name: str) -> list[tuple[str, str]]:
    """Names of the bodies of each point of a contact."""
    of, number = set_of(system, name)
    if of.near is not None:
        raise NotImplementedError(
            f'friction="held": contact "{name}" has so many pairs that they are not all listed; hold what touches by '
            "constraints of your own, such as dt.PointOnLine"
        )
    pairs = of.contacts.slot_pair[np.flatnonzero(of.contacts.element[of.contacts.slot_pair] == number)]
    return [of.bodies[int(pair)] for pair in pairs]


def _pose(system: System, body: str, y: Any) -> tuple[Any, Any]:
    if body == GROUND:
        return np.eye(3), np.zeros(3)
    marker = system.marker_index(body)
    frame = observe(system, np.zeros(1), y, FRAMES, [marker]).frames[0, 0]
    return frame[:9].reshape(3, 3), frame[9:12]


def _word(name: str) -> str:
    return "".join(each if each.isalnum() else "_" for each in name)


def _free_name(model: Model, name: str) -> str:
    while name in model.markers or name in model.constraints:
        name += "_"
    return name
