"""Systems of points on ground have rates of their own: the same as those of the general recursions."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.short_cuts import only_points
from support.random_models import random_rotation

SPEED = (0.3, -0.2, 0.5)


def cloud(joint, springs=True, rotated=True) -> dt.Model:
    """Five bodies with mass centres beside their joints, some with rotors, springs, a push that follows one."""
    rng = np.random.default_rng(4)
    m = dt.Model("cloud", gravity=(0.3, -0.4, -9.0))
    for k in range(5):
        R = random_rotation(rng) if rotated else dt.Rotation.identity()
        inertia = dt.Inertia(rng.uniform(1, 2), com=rng.normal(size=3), matrix=np.eye(3))
        m.add_body(f"b{k}", inertia, position=rng.normal(size=3), rotation=R)
        m.add_joint(f"j{k}", joint(), m.ground, f"b{k}", q0=rng.normal(size=3), v0=SPEED)
    if springs:
        for k in range(4):
            m.add_marker(f"m{k}", f"b{k}", rng.normal(size=3))
            m.add_force(f"s{k}", dt.SpringDamper(f"m{k}", f"b{k + 1}", 20.0, 1.0, 0.4))
        m.add_force("hold", dt.SpringDamper(m.ground, "b3", 30.0, 0.5, 0.2))
        m.add_force("push", dt.AppliedForce("m0", ("sin(t)", 2.0, "m0.velocity.z"), frame="marker"))
        m.add_force("torque", dt.JointTorque("j1", 3.0, coordinate=2))
    return m


def shifts() -> dt.Joint:
    return dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"), dt.Prismatic("z"))


@pytest.mark.parametrize("springs", [True, False])
def test_same_motion_as_three_prismatic_joints(springs):
    """Runs of both, to the round-off that the solver's steps multiply."""
    fast, slow = dt.compile(cloud(dt.Translation, springs)), dt.compile(cloud(shifts, springs))
    assert only_points(fast.tree)
    assert not only_points(slow.tree)
    a, b = (dt.simulate(each, duration=1.0, outputs=0.1, solver=dt.RK4(step=1e-3)) for each in (fast, slow))
    for x, y in ((a.q, b.q), (a.v, b.v)):
        assert np.allclose(x, y, rtol=0, atol=1e-12)
    assert np.allclose(a["j3.reaction_torque"], b["j3.reaction_torque"], rtol=0, atol=1e-10)
    assert np.allclose(a["b2.acceleration"], b["b2.acceleration"], rtol=0, atol=1e-10)


def test_falling_points_in_closed_form():
    """Free fall, exact for a method of order 4."""
    r = dt.simulate(cloud(dt.Translation, springs=False), duration=0.5, solver=dt.RK4(step=0.05))
    fall = np.array(SPEED) * 0.5 + 0.125 * np.array([0.3, -0.4, -9.0])
    moved = r["b1.position"][-1] - r["b1.position"][0]
    assert np.allclose(moved, fall, atol=1e-14)


def test_other_systems_are_no_points():
    """On another body, or beside a joint that turns."""
    m = cloud(dt.Translation)
    m.add_body("rider", dt.Inertia.point(1.0))
    m.add_joint("on", dt.Translation(), "b0", "rider")
    assert not only_points(dt.compile(m).tree)
    m = cloud(dt.Translation)
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, "rod")
    assert not only_points(dt.compile(m).tree)
