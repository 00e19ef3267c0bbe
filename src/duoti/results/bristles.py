"""Friction of contacts with bristles (`model.bristle_contacts`) over time, from the states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.model.bristle_contacts import BristleContactForce
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.elements import name_of
from duoti.results.observe import FRAMES, observe
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.results.result import Result
    from duoti.system.system import System


def bristle_friction(result: Result, name: str, slip: Reals, frame: Reals) -> Reals:
    """[time, point, 2]: friction on b for a unit of normal force, along the second and third row of `frame`.

    slip: velocity of b less that of a in the same directions; points in the order of `contact.build`.
    """
    system, law = result.system, result.model.contacts[name].law
    assert isinstance(law, CompliantContact)
    y: Any = np.array(result.states)
    bent = np.concatenate([_bristles(system, result.t, y, force) for force in _elements(system, name)], axis=1)
    z = np.einsum("nikj,nij->nik", frame[:, :, 1:], bent)
    speed = np.linalg.norm(slip, axis=2, keepdims=True)
    level = np.full_like(speed, law.friction)
    if law.stribeck_velocity is not None:
        level += (law.breakaway_friction - law.friction) * np.exp(-((speed / law.stribeck_velocity) ** 2))
    rate = slip - law.bristle_stiffness * speed / level * z
    held = law.bristle_stiffness * z
    held /= np.maximum(np.linalg.norm(held, axis=2, keepdims=True) / law.breakaway_friction, 1.0)
    return -(held + law.bristle_damping * rate + law.viscous_friction * slip)


def _elements(system: System, name: str) -> list[BristleContactForce]:
    """The force elements of a contact, in the order of the pairs of `contact.build`: by kinds, no welded ones."""
    body, of = system.loads.markers.body, system.marker_index
    found = [
        force for force in system.model.forces.values()
        if isinstance(force, BristleContactForce) and force.contact == name
        and body[of(name_of(force.marker_a))] != body[of(name_of(force.marker_b))]
    ]  # fmt: skip
    return sorted(found, key=lambda force: force.pair.kind)


def _bristles(system: System, t: Reals, y: Reals, force: BristleContactForce) -> Reals:
    """[time, point, 3]: deflections in world axes."""
    first = system.tree.nq + system.tree.nv + list(system.model.states).index(force.states[0])
    z = y[:, first : first + len(force.states)].reshape(len(y), -1, 3)
    marker = system.marker_index(name_of(force.marker_a))
    R_WM = observe(system, t, y, FRAMES, [marker]).frames[:, 0, :9].reshape(-1, 3, 3)
    return np.einsum("njk,kl,nil->nij", R_WM, np.asarray(force.shape_a.pose.twelve[:9]).reshape(3, 3), z)
