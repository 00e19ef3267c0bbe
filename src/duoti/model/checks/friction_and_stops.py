"""The part of the model check that looks at friction and stops of joints."""

from __future__ import annotations

from typing import Any

from duoti.model.checks.findings import Findings
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.forces.one_way_clutch import KINDS, OneWayClutch
from duoti.model.joint_friction import slots_of_friction
from duoti.model.joints import Joint
from duoti.model.model import Model
from duoti.spelling import with_article

ARMS = {
    "revolute": ("radius", "axial_radius", "bending_arm"),
    "universal": ("radius", "axial_radius", "bending_arm"),
    "spherical": ("radius",),
    "prismatic": ("overlap", "torsion_arm"),
    "cylindrical": ("radius", "overlap"),
    "planar": ("radius",),
    "screw": ("radius",),
}
"""Which arms count in a type of joint."""
NEEDED = {
    "revolute": ("radius", "axial_radius"),
    "universal": ("radius", "axial_radius"),
    "spherical": ("radius",),
    "cylindrical": ("radius",),
    "screw": ("radius",),
}
"""Arms of which at least one must be there, for friction from the load to have an effect."""
ALL_ARMS = ("radius", "axial_radius", "bending_arm", "overlap", "torsion_arm")


def check_joint_friction(model: Model, who: ElementId, force: Any, found: Findings) -> None:
    """Friction in joints that have none, without the arms that it needs or with some that have no effect."""
    if isinstance(force, JointStop):
        _check_stop(model, who, force, found)
    if not isinstance(force, JointFriction):
        return
    name = name_of(force.joint)  # pyright: ignore[reportArgumentType]
    element = model.joints[name]
    if not isinstance(element.joint, Joint):  # pyright: ignore[reportUnnecessaryIsInstance]
        return
    both, kind = (who, ElementId("joint", name)), element.kind
    if isinstance(force, OneWayClutch):
        if kind not in KINDS:
            found.error("friction", both, f'{who}: joint "{name}" is {kind}; one-way clutches need a joint of one rate',
                        remedy=f"it is for joints of the types {', '.join(KINDS)}", key="joint")  # fmt: skip
        return
    if kind not in ARMS:
        found.error(
            "friction", both, f'{who}: joint "{name}" is {kind}; no law of friction is known for such joints',
            remedy=f"it is for joints of the types {', '.join(ARMS)}", key="joint",
        )  # fmt: skip
        return
    for arm in ALL_ARMS:
        if getattr(force, arm) is not None and arm not in ARMS[kind]:
            found.warning("friction", both, f'{who}: {arm} has no effect in the {kind} joint "{name}"',
                        remedy=f"it takes {', '.join(ARMS[kind])}", key=arm)  # fmt: skip
    loaded = force.friction > 0.0 or bool(force.static_friction)
    needed = NEEDED.get(kind, ())
    if needed and loaded and not any(getattr(force, arm) for arm in needed):
        arms = with_article(" or ".join(needed))
        found.error("friction", both, f'{who}: friction in the {kind} joint "{name}" needs {arms} [m]',
                    "it is the arm of the friction force", f"give {'= or '.join(needed)}=", needed[0])  # fmt: skip
    elif force.bending_arm and "bending_arm" in ARMS[kind] and not force.radius:
        found.error("friction", both, f"{who}: bending_arm has no effect without a radius",
                    "forces in the bearings, moment / bending_arm, rub at the radius of the pin", "give radius=",
                    "bending_arm")  # fmt: skip
    elif force.preload and not any(slot.arms.always for slot in slots_of_friction(model, who.name)):
        found.error("friction", both, f"{who}: preload has no arm", remedy="give radius=", key="preload")


def _check_stop(model: Model, who: ElementId, force: JointStop, found: Findings) -> None:
    name = name_of(force.joint)  # pyright: ignore[reportArgumentType]
    both = (who, ElementId("joint", name))
    if force.stiffness is not None and force.restitution:
        found.warning("limits", both, f"{who}: a spring has no restitution", "it has a stiffness",
                      "give its damping, or leave out the stiffness", "restitution")  # fmt: skip
    if model.joints[name].limits is None:
        found.warning("limits", both, f'{who}: joint "{name}" has no limits at which it could stop',
                    remedy="give limits=[(lower, upper)] to add_joint", key="joint")  # fmt: skip
    others = [
        other
        for other, each in model.forces.items()
        if isinstance(each, JointStop) and other != who.name and name_of(each.joint) == name  # pyright: ignore[reportArgumentType]
    ]
    if others and who.name > min(others):
        found.error("limits", both, f'{who}: force "{min(others)}" is a stop of joint "{name}" already',
                    remedy="leave one of them out", key="joint")  # fmt: skip
