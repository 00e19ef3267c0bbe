"""Check of sensors: the contacts that they name, and how many numbers they have."""

from __future__ import annotations

from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.errors import did_you_mean
from duoti.model.model import Model
from duoti.model.quantities import sensors_of
from duoti.model.sensors import joint_name, rigid_fault


@register_check("structure", order=255)
def check_sensors(model: Model, found: Findings) -> None:
    """Add what is wrong with sensors beside their single numbers and references."""
    for item, sensor in sensors_of(model).items():
        who = ElementId("sensor", str(item))
        if sensor.faults():
            continue
        for name in sensor.contacts:
            if name not in model.contacts:
                found.error("unknown-name", (who,), f'{who}: there is no contact "{name}"',
                            remedy=did_you_mean(name, model.contacts).strip(), key="contact",
                            unknown=(name,))  # fmt: skip
        if sensor.joint is not None and joint_name(sensor.joint) not in model.joints:
            continue  # told where references are checked
        for fault in sensor.size_faults(model):
            found.error("bad-element", (who,), f"{who}: {fault.text}", key=fault.key)
        if sensor.sampled and (why := rigid_fault(model, sensor)):
            found.error("bad-element", (who,), f"{who}: {why[0]}", why[1], why[2], "period")
        joint = model.joints.get(joint_name(sensor.joint)) if sensor.joint is not None else None
        if sensor.type in ("encoder", "tachometer") and joint is not None and not joint.nv:
            both = who, ElementId("joint", joint.name)
            found.error("bad-element", both, f"{who}: joint {joint.name} does not move",
                        remedy="name a joint that has coordinates", key="joint")  # fmt: skip
