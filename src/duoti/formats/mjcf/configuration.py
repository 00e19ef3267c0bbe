"""Positions and inertia of an imported tree in one configuration, for numbers that MJCF derives from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.formats.xml.reading import Array
from duoti.model.elements import GROUND, JointElement
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model
from duoti.spatial import Inertia, Pose, Rotation, axis_vector

if TYPE_CHECKING:
    from duoti.formats.mjcf.bodies import Builder
    from duoti.formats.mjcf.joints import JointData

MOST_DOFS = 1000  # beyond this a mass matrix would take long


def body_poses(model: Model, values: dict[str, float]) -> dict[str, Pose]:
    """World poses of all bodies with these hinges and slides moved, the other joints at zero."""
    placement = place_bodies(model)
    poses = {GROUND: Pose()}
    for name, element in model.joints.items():  # an importer adds them outward from the world
        X_FM = _motion(element, values.get(name, 0.0))
        poses[element.child] = (
            poses[element.parent] @ placement.on_parent[name] @ X_FM @ placement.on_child[name].inverse()
        )
    return poses


def _motion(element: JointElement, value: float) -> Pose:
    if isinstance(element.joint, Revolute):
        return Pose(Rotation.about(element.joint.axis, value))
    if isinstance(element.joint, Prismatic):
        return Pose(position=value * axis_vector(element.joint.axis))
    return Pose()


def felt_inertia(builder: Builder, joint: JointData) -> float:
    """Inertia that a force in a joint feels in the configuration of the file, all others free: 1 / (M^-1)_jj.

    [kg m² or kg]; zero, with a note, if the mass matrix is singular or huge.
    """
    if not builder.felt:
        builder.felt = _all_inertias(builder.model)
    if joint.name not in builder.felt:
        builder.reading.note(
            joint.element, f"the mass matrix is singular or larger than {MOST_DOFS}; dampratio, springdamper left out"
        )
    return builder.felt.get(joint.name, 0.0)


def _all_inertias(model: Model) -> dict[str, float]:
    """That of all joints with one rate."""
    found = _inverse_mass(model)
    if found is None:
        return {"": 0.0}
    inverse, _, _, place_of = found
    return {name: 1.0 / float(inverse[i, i]) for name, i in place_of.items() if model.joints[name].nv == 1}


def body_inverse_weights(model: Model) -> dict[str, float] | None:
    """How much a force of 1 N at the mass centre of each body accelerates it, as mean over the directions [1/kg].

    What MuJoCo calls body_invweight0 (translation); None if the mass matrix is singular or huge.
    """
    found = _inverse_mass(model)
    if found is None:
        return None
    inverse, columns, carried_by, _ = found
    placement = place_bodies(model)
    weights = {GROUND: 0.0}
    for name, rates in carried_by.items():
        if name == GROUND:
            continue
        inertia = model.bodies[name].inertia
        at = placement.bodies[name] @ (np.zeros(3) if inertia is None else inertia.com)
        J = np.array([columns[i][3:] + np.cross(columns[i][:3], at) for i in rates]).reshape(-1, 3)
        weights[name] = float(np.trace(J.T @ inverse[np.ix_(rates, rates)] @ J)) / 3.0
    return weights


def _inverse_mass(model: Model) -> tuple[Array, list[Array], dict[str, list[int]], dict[str, int]] | None:
    """M^-1 with M = sum of J_b^T I_b J_b over the bodies; twists of all rates about the world's origin; which of them
    carry each body; the first of each joint. None if M is singular or huge."""
    if sum(element.nv for element in model.joints.values()) > MOST_DOFS:
        return None
    placement = place_bodies(model)
    columns: list[Array] = []
    place_of: dict[str, int] = {}
    carried_by: dict[str, list[int]] = {GROUND: []}
    for name, element in model.joints.items():
        X_WF = placement.bodies[element.parent] @ placement.on_parent[name]
        R = X_WF.rotation @ element.joint.frame()
        place_of[name] = len(columns)
        for row in element.joint.subspace_at_zero:
            turn, shift = R @ np.array(row[:3]), R @ np.array(row[3:])
            columns.append(np.concatenate([turn, shift + np.cross(X_WF.position, turn)]))
        carried_by[element.child] = [*carried_by[element.parent], *range(place_of[name], len(columns))]
    M = np.diag([r for element in model.joints.values() for r in element.rotor_inertias])
    for name, rates in carried_by.items():
        if name != GROUND and rates:
            inertia = model.bodies[name].inertia
            assert inertia is not None
            J = np.array([columns[i] for i in rates]).T
            M[np.ix_(rates, rates)] += J.T @ _spatial(inertia.moved(placement.bodies[name])) @ J  # pyright: ignore
    if not np.linalg.cond(M) < 1e14:
        return None
    return np.linalg.inv(M), columns, carried_by, place_of


def _spatial(inertia: Inertia) -> Array:
    """6 x 6 matrix about the world's origin, angular part first."""
    x, y, z = (inertia.mass * inertia.com).tolist()
    H = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.block([[inertia.about((0.0, 0.0, 0.0)), H], [H.T, inertia.mass * np.eye(3)]])
