"""Event-driven impacts against time stepping with small steps: two engines that share nothing but the geometry."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.event_driven.engine import ContactEngine


def tumbling(shape, inertia, rotation, velocity, angular_velocity, friction, restitution):
    m = dt.Model("tumbling")
    body = m.add_body("body", inertia, position=(0, 0, 0.35), rotation=rotation)
    start = {"velocity": velocity, "angular_velocity": angular_velocity}
    m.add_joint("free", dt.Free(), m.ground, body, v0=start)
    law = dt.RigidContact(friction=friction, restitution=restitution)
    m.add_contact("floor", law, m.ground, body, shapes=(dt.Shape.plane(), shape))
    return m


EGG = dt.Shape.ellipsoid((0.10, 0.12, 0.08)), dt.Inertia(1.0, matrix=np.diag([0.0020, 0.0025, 0.0030]))
ROLL = dt.Shape.capsule(0.1, 0.2), dt.Inertia.cylinder(1.0, radius=0.1, length=0.4, axis="z")

STARTS = {  # an egg whose rebounds come to an end while it rolls, one that slips again, a rod without rebound
    "egg that rolls": (*EGG, (-0.4, -0.3, -0.7, -1.1), (-0.4, 0.5, -0.1), (2.9, -0.6, 0.1), 0.78, 0.3),
    "egg that slips": (*EGG, (-0.7, 0.9, -0.5, 0.9), (1.5, 0.0, -0.3), (-3.9, -0.1, 2.6), 0.21, 0.3),
    "rod that rocks": (*ROLL, (0.137, 0.252, -0.333, 0.898), (-1.29, 0.79, -0.51), (3.56, -1.53, 1.12), 0.78, 0.0),
    "rod": (*ROLL, (0.9, 0.3, 0.2, -0.1), (0.5, 0.3, -0.2), (2.0, -3.0, 1.0), 0.45, 0.0),
}


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_both_engines_find_the_same_motion(start):
    shape, inertia, rotation, *rest = start
    m = tumbling(shape, inertia, dt.Rotation(np.array(rotation) / np.linalg.norm(rotation)), *rest)
    event_driven = dt.simulate(m, 0.6, outputs=0.05, solver=dt.DOPRI5())
    assert event_driven.ok, event_driven.reason
    assert np.min(event_driven["floor.gap"]) > -1e-9  # a contact at rest is projected to round-off of the positions
    assert event_driven.stats.steps < 5000  # a slip that begins is not stiff: it was 94 178
    errors = []
    for step in (2e-4, 2e-5):
        time_stepping = dt.simulate(m, 0.6, outputs=0.05, solver=dt.Moreau(step=step))
        errors.append(np.max(np.abs(event_driven["body.position"] - time_stepping["body.position"])))
    # of first order: impacts are late by up to a step at up to 3 m/s, and each impact makes what is there larger
    assert errors[1] < 10 * 3.0 * 2e-5
    assert errors[1] < 0.4 * errors[0]


def test_a_fall_through_the_floor_is_seen():
    m = tumbling(*EGG, (1, 0, 0, 0), (0, 0, 0), (0, 0, 0), 0.3, 0.0)
    system = dt.compile(m)
    of = rigid_contacts(system)
    assert of is not None
    engine = ContactEngine(system, of)
    standing = np.zeros(system.nq + system.nv + 2)
    standing[3] = 1.0  # position, then quaternion
    fallen = standing.copy()
    fallen[2] = -0.5
    assert not engine.missed_in(np.array([standing, standing]))
    assert '"floor" is closed by 0.23 m' in engine.missed_in(np.array([standing, fallen]))


def test_a_sliding_box_has_no_impacts():
    """Points that slide and are met by round-off only are not listed."""
    m = dt.Model("crate", gravity=(1, 0, -9.81))
    box = m.add_body("crate", dt.Inertia.box(2.0, size=(0.4, 0.3, 0.2)), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, box, v0={"velocity": (1.0, 0.4, 0)})
    shapes = (dt.Shape.plane(), dt.Shape.box((0.4, 0.3, 0.2)))
    m.add_contact("floor", dt.RigidContact(friction=0.3, restitution=0.4), m.ground, box, shapes=shapes)
    assert dt.simulate(m, 1.0, solver=dt.DOPRI5()).impacts == ()
