"""Event-driven runs where forces of several points are not unique: bodies that friction holds, and rims that tip."""

import numpy as np
import pytest

import duoti as dt

G = 9.81


def test_a_box_between_pads_is_held() -> None:
    """30 N on either side with a friction of 0.5 hold 19.6 N of weight, if all corners of the pads press alike."""
    m = dt.Model("gripper")
    box = m.add_body("box", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, box)
    for name, side in (("left", -1), ("right", 1)):
        pad = m.add_body(name, dt.Inertia.box(0.2, size=(0.02, 0.06, 0.06)), position=(0.06 * side, 0, 0.2))
        m.add_joint(f"{name} slide", dt.Prismatic("x"), m.ground, pad)
        m.add_force(f"{name} push", dt.JointTorque(f"{name} slide", -30.0 * side))
        m.add_contact(f"{name} pad", dt.RigidContact(friction=0.5), pad, box)
    r = dt.simulate(m, 0.1, solver=dt.DOPRI5())
    assert r.ok
    assert np.max(np.abs(r["box.position"] - [0, 0, 0.2])) < 1e-12
    assert r["left pad.force.z"][-1] == pytest.approx(G, rel=1e-9)


def test_a_cylinder_tips_about_its_rim_and_does_not_slide() -> None:
    """Pushed at its top by 1.02 of what holds it, on a box as on a plane; friction of 3.3 N of 17.7 N is needed."""
    ends = []
    for floor in (dt.Shape.box((4, 4, 0.1), position=(0, 0, -0.05)), dt.Shape.plane()):
        m = dt.Model("tips")
        b = m.add_body("b", dt.Inertia.cylinder(2.0, radius=0.1, length=0.6), position=(0, 0, 0.3))
        m.add_joint("free", dt.Free(), m.ground, b)
        m.add_contact("k", dt.RigidContact(friction=0.9), m.ground, b, shapes=(floor, dt.Shape.cylinder(0.1, 0.6)))
        m.add_marker("top", b, position=(0, 0, 0.3))
        m.add_force("push", dt.AppliedForce("top", (1.02 * 2 * G * 0.1 / 0.6, 0, 0)))
        r = dt.simulate(m, 0.5, solver=dt.DOPRI5())
        assert r.ok
        ends.append((r["b.position.x"][-1], r["b.angular_velocity.y"][-1]))
    J = 2 * (0.1**2 / 4 + 0.6**2 / 12) + 2 * (0.3**2 + 0.1**2)  # about the rim
    assert ends[0][1] > 0.02 * 2 * G * 0.1 / J * 0.5  # the moment that is left over at the start, and it grows
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)  # rtol 1e-8, and a start that is unstable
