"""Initial states of systems with loops, whatever the tree or the coordinates.

The user's initial values belong to joints. A system whose tree has all those joints is assembled directly; for another
tree (absolute coordinates, or a cut where an initial value was given) the assembled state is carried over.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from duoti.analyses.states.assemble import Assembly, assemble
from duoti.dynamics.close_loops import CLOSED
from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import given_numbers, initial_values
from duoti.model.errors import ModelError
from duoti.model.joints.free import Free
from duoti.model.mechanism.placement import place_bodies
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.evaluate.relative_coordinates import moved_frame, relative_state
from duoti.system.arrays import Reals, Work
from duoti.system.compile.compiler import compile_model
from duoti.system.system import FrameKey, System

MET = 1e-6  # difference [rad or m] between a given initial value and the assembled one that is not worth a word


def _given(system: System, name: str) -> bool:
    element = system.model.joints[name]
    return element.q0 is not None or element.v0 is not None


def closed_state(system: System, t: float = 0.0, work: Work | None = None) -> tuple[Reals, Reals]:
    """q and v with closed loops at the time t, from the model's initial values. work: one that may be used for it."""
    known = None if system.callbacks.calls_python else _KNOWN.get(system)  # a law in Python may change its mind
    if known is None or known[0] != t:
        q, v, well = _assembled(system, t, work)
        if well and not system.callbacks.calls_python:
            _KNOWN[system] = t, q.copy(), v.copy()
        return q, v
    return known[1].copy(), known[2].copy()


_KNOWN: WeakKeyDictionary[System, tuple[float, Reals, Reals]] = WeakKeyDictionary()


def first_state(system: System) -> tuple[Reals, Reals]:
    """Position and velocity in which a run would begin: loops closed, if there are any."""
    return closed_state(system) if system.closures.rows else system.initial_state()


def _assembled(system: System, t: float, work: Work | None) -> tuple[Reals, Reals, bool]:
    """q, v, and whether they close the loops so well that there was nothing to warn about."""
    lost = [name for name, layout in system.joints.items() if layout.closure >= 0 and _given(system, name)]
    if not lost and not system.virtual:
        assembly = assemble(system, t=t, work=work)
        return assembly.q, assembly.v, _closes(assembly)
    source = compile_model(system.model)  # keeps joints with initial values in its tree where it can
    assembly = assemble(source, t=t)
    _refuse_unmet(source, assembly.q, assembly.v)
    q, v = _carry_over(source, assembly.q, assembly.v, system)
    closed = assemble(system, q, v, t)
    return closed.q, closed.v, _closes(assembly) and _closes(closed)


def _closes(assembly: Assembly) -> bool:
    return max(assembly.after.values(), default=0.0) <= CLOSED


def _frames(system: System, q: Reals, v: Reals, markers: list[int]) -> Reals:
    return observe(system, np.zeros(1), system.whole_state(q, v)[None], FRAMES, markers).frames


def joint_state(system: System, name: str, q: Reals, v: Reals) -> tuple[Reals, Reals]:
    """Coordinates and velocities of a joint in a state, whether it is in the tree or cut."""
    layout = system.joints[name]
    if layout.closure < 0:
        return q[layout.q], v[layout.v]
    frames = _frames(system, q, v, [layout.parent_marker, layout.child_marker])
    found_q, found_v = relative_state(system.model.joints[name].joint, frames[:, 0], frames[:, 1])
    return found_q[0], found_v[0]


def _carry_over(source: System, q: Reals, v: Reals, target: System) -> tuple[Reals, Reals]:
    """The same state in the coordinates of another tree of the same model."""
    new_q, new_v = target.initial_state()
    for name, layout in target.joints.items():
        if layout.closure < 0:
            new_q[layout.q], new_v[layout.v] = joint_state(source, name, q, v)
    reference = place_bodies(target.model).bodies
    for body, layout in target.virtual.items():
        X_WB = reference[body]
        frame = _frames(source, q, v, [source.markers[FrameKey(ElementId("body", body))]])[:, 0]
        at = moved_frame(frame, np.zeros(3), X_WB.rotation.inverse())  # parallel to the world in the reference
        ground = np.zeros((1, 18))
        ground[0, :9], ground[0, 9:12] = np.eye(3).ravel(), X_WB.position
        found_q, found_v = relative_state(Free(), ground, at)
        new_q[layout.q], new_v[layout.v] = found_q[0], found_v[0]
    return new_q, new_v


def _refuse_unmet(system: System, q: Reals, v: Reals) -> None:
    """Raise ModelError if a given initial value of a cut joint is not what the loop allows."""
    found = Findings()
    for name, layout in system.joints.items():
        element = system.model.joints[name]
        if layout.closure < 0 or not _given(system, name):
            continue
        states = zip(("q0", "v0"), (element.q0, element.v0), joint_state(system, name, q, v), strict=True)
        for key, given, value in states:
            if given is None:
                continue
            wanted, rates = initial_values(element.joint, given, rates=key == "v0"), key == "v0"
            named = given_numbers(element.joint, given, rates)
            if np.max(np.abs(wanted - value)[named], initial=0.0) > MET:
                found.error(
                    "initial-value", (ElementId("joint", name),),
                    f'joint "{name}": {key}={wanted.tolist()} contradicts the other initial values of its loop, '
                    f"which make it {np.round(value, 9).tolist()}",
                    remedy="leave out one of them; the loop determines it", key=key,
                )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))
