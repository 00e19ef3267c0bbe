"""Quantities that results have and a law cannot read: forces of elements, energies, ..."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from duoti.model.errors import ChannelError
from duoti.model.forces.base import Force
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop


def is_implicit(force: Any) -> bool:
    """Whether the force of an element follows from the motion of the whole model: dry friction, a rigid stop."""
    return isinstance(force, JointFriction) or (isinstance(force, JointStop) and force.stiffness is None)


def _offered(model: Any, name: str) -> str:
    """What events may read of the force element that a name begins with; "" if there is none."""
    from duoti.model.names import ends_in, force_quantity

    item = name.rpartition(".")[0]
    if not isinstance(model.forces.get(item), Force):
        return ""
    every = [f"{item}.{what}" for what in model.forces[item].channels(model)]
    found = [f"{each}{end}" for each in every for end in ends_in(model, each) if force_quantity(model, f"{each}{end}")]
    return f'of force "{item}" events read {", ".join(found)}' if found else ""


def why_unread(model: Any, names: Sequence[str], kinds: Collection[str], in_event: bool = False) -> str:
    """Why a law (in_event: of an event) cannot read one of these names, if it is a channel of such a kind; or ""."""
    from duoti.model.names import find_quantity, force_quantity

    for name in names:
        try:
            quantity = find_quantity(model, name)
        except ChannelError:
            if in_event and (offered := _offered(model, name)):
                return f'there is no quantity "{name}"; {offered}'
            continue
        if quantity.kind not in kinds:
            continue
        if quantity.kind == "force" and quantity.component is None and quantity.size > 1 and in_event:
            return f'"{name}" has {quantity.size} components: write one of them, such as "{name}.x" or "{name}[0]"'
        what = "is a channel of results, and no law or event reads it"
        if not in_event and force_quantity(model, name):
            what = "is the force of an element: events and controllers read it, laws of forces and states do not"
        return (
            f'"{name}" {what}. Write there what it follows from: '
            "the law of a force with the coordinates, positions and rates that it depends on; or read the reaction "
            "of a joint that bears it, such as A.reaction_force.z"
        )
    return ""
