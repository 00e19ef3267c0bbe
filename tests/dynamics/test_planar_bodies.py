"""Bodies in planes on ground have rates of their own: the same as those of the general recursions."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.short_cuts import only_in_planes
from support.random_models import random_rotation


def discs(general: bool, springs: bool = True) -> dt.Model:
    """Bodies with any inertia in planes of any direction, and a hinge; general: and one that slides, beside them."""
    rng = np.random.default_rng(7)
    m = dt.Model("discs", gravity=(0.3, -0.4, -9.0))
    for k in range(5):
        A = rng.normal(size=(3, 3))
        inertia = dt.Inertia(rng.uniform(1, 2), com=rng.normal(size=3), matrix=np.eye(3) + 0.04 * (A + A.T))
        m.add_body(f"b{k}", inertia, position=rng.normal(size=3), rotation=random_rotation(rng))
        joint = dt.Revolute(rng.normal(size=3)) if k == 2 else dt.Planar(rng.normal(size=3))
        q0, v0 = rng.normal(size=(2, 1 if k == 2 else 3))
        more = {"rotor_inertia": 0.7} if k == 2 else {}
        m.add_joint(f"j{k}", joint, m.ground, f"b{k}", at=rng.normal(size=3), q0=q0, v0=v0, **more)
    if springs:
        for k in range(4):
            m.add_marker(f"m{k}", f"b{k}", rng.normal(size=3))
            m.add_force(f"s{k}", dt.SpringDamper(f"m{k}", f"b{k + 1}", 20.0, 1.0, 0.4))
        m.add_force("push", dt.AppliedForce("m0", ("sin(t)", 2.0, "m0.velocity.z"), frame="marker"))
        for k in range(3):
            m.add_force(f"torque{k}", dt.JointTorque("j1", 3.0 - k, coordinate=k))
        m.add_force("turn", dt.JointTorque("j2", 0.4))
    if general:
        m.add_body("beside", dt.Inertia.point(1.0), position=(9, 9, 9))
        m.add_joint("slide", dt.Prismatic("x"), m.ground, "beside", at=(9, 9, 9))
    return m


@pytest.mark.parametrize("springs", [True, False])
def test_same_motion_as_by_the_general_recursions(springs):
    """Runs of both, to the round-off that 1000 steps multiply."""
    fast, slow = dt.compile(discs(False, springs)), dt.compile(discs(True, springs))
    assert only_in_planes(fast.tree)
    assert not only_in_planes(slow.tree)
    a, b = (dt.simulate(each, duration=1.0, outputs=0.1, solver=dt.RK4(step=1e-3)) for each in (fast, slow))
    assert a.ok
    assert b.ok
    for k in range(5):
        for channel in (f"j{k}.q", f"j{k}.v", f"b{k}.position", f"b{k}.acceleration", f"j{k}.reaction_torque"):
            wanted = b[channel]
            assert np.allclose(a[channel], wanted, rtol=0, atol=1e-11 * max(1.0, np.abs(wanted).max())), channel


def test_other_systems_are_not():
    """Nodes on one that turns; hinges alone, which the general recursions treat as well; rotors that shift."""
    m = discs(False)
    m.add_body("rider", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("on", dt.Planar("z"), "b0", "rider")
    assert not only_in_planes(dt.compile(m).tree)
    m = dt.Model("rod")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, "rod")
    assert not only_in_planes(dt.compile(m).tree)
