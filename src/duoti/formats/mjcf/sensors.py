"""Sensors of MJCF that have a counterpart here; the others are noted."""

from __future__ import annotations

from duoti.formats.mjcf.bodies import Builder
from duoti.formats.xml.names import free_name
from duoti.formats.xml.xml_tree import Element
from duoti.model.elements import JointElement, name_of
from duoti.model.sensors import Accelerometer, ContactSensor, Encoder, ForceTorque, Gyroscope, Sensor, Tachometer

AT_SITES = ("accelerometer", "gyro", "force", "torque", "touch")
OF_JOINTS = ("jointpos", "jointvel")
TURNING = ("revolute", "spherical")
"""Joints whose drives are torques: the force through them is that of the sensor of MuJoCo, the torque is not."""


def add_sensors(builder: Builder) -> None:
    """All sensors of the file."""
    for section in builder.document.sections["sensor"]:
        for element in section:
            made = _at_site(builder, element) if element.tag in AT_SITES else _of_joint(builder, element)
            if made is not None:
                wanted = element.get("name") or f"{element.get('site') or element.get('joint')}_{element.tag}"
                taken = {**builder.model.sensors, **builder.model.states, **builder.model.joints}
                builder.model.add_sensor(free_name(wanted, taken), made)
                if builder.reading.number(element, "cutoff"):
                    builder.reading.note(element, "its cutoff is left out", changes_motion=False)


def _of_joint(builder: Builder, element: Element) -> Sensor | None:
    joint = element.get("joint")
    if element.tag not in OF_JOINTS:
        text = f"a sensor of type {element.tag} is left out; results have the quantities of all bodies and joints"
        builder.reading.note(element, text, changes_motion=False)
        return None
    if joint not in builder.joints:
        builder.reading.error(element, f'there is no joint "{joint}"')
        return None
    data = builder.joints[joint]
    return Tachometer(data.name) if element.tag == "jointvel" else Encoder(data.name, bias=data.ref)


def _at_site(builder: Builder, element: Element) -> Sensor | None:
    site = element.get("site")
    if site not in builder.sites:
        builder.reading.error(element, f'there is no site "{site}"')
        return None
    marker = builder.sites[site]
    if element.tag == "accelerometer":
        return Accelerometer(marker)
    if element.tag == "gyro":
        return Gyroscope(marker)
    body = builder.model.body_name(marker)
    if element.tag == "touch":
        return _touch(builder, element, body)
    joint = _joint_above(builder, body)
    if joint is None or not (joint.kind == "fixed" or (element.tag == "force" and joint.kind in TURNING)):
        kind = "of a body on ground" if joint is None else f"in a joint of type {joint.kind}"
        builder.reading.note(
            element, f"a {element.tag} sensor {kind} is left out: here what drives a joint is no part of it",
            changes_motion=False,
        )  # fmt: skip
        return None
    return ForceTorque(joint.name, marker, direction="parent_to_child")


def _touch(builder: Builder, element: Element, body: str) -> Sensor | None:
    """The sum of the normal forces of all contacts of a body; that of MuJoCo adds up those within its site."""
    contacts = builder.model.contacts.items()
    of_body = [name for name, each in contacts if body in (name_of(each.a), name_of(each.b))]
    if not of_body:
        text = (
            f'a touch sensor on body "{body}" is left out: it has no contacts; load_mjcf(..., contacts=True) makes them'
        )
        builder.reading.note(element, text, changes_motion=False)
        return None
    if len(of_body) > 1:
        text = f'it adds up the {len(of_body)} contacts of body "{body}", within its site or not'
        builder.reading.note(element, text, changes_motion=False)
    return ContactSensor(of_body[0] if len(of_body) == 1 else of_body)


def _joint_above(builder: Builder, body: str) -> JointElement | None:
    """The joint that carries a body."""
    return next((each for each in builder.model.joints.values() if each.child == body), None)
