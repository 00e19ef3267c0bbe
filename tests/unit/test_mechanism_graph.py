"""The mechanism as a bond graph with unknown reactions, against the recursions: two ways that share only the joints."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.mechanism_graph import mechanism_graph, reactions_by_graph
from duoti.examples import four_bar, robot_arm


def arm() -> dt.Model:
    m = dt.Model("arm", gravity=(0.5, -0.3, -9.81))
    inertia = dt.Inertia(2.0, com=(0.1, 0.05, -0.02), matrix=[[0.1, 0.01, 0], [0.01, 0.2, 0.02], [0, 0.02, 0.15]])
    joints = (dt.Revolute("z"), dt.Universal("x", "y"), dt.Prismatic((0, 1, 1)), dt.Spherical())
    for k, joint in enumerate(joints):
        rate = 0.7 - 0.4 * k if joint.nv == 1 else [0.3 + 0.2 * i for i in range(joint.nv)]
        m.add_body(f"b{k}", inertia, position=(0.3 * k, 0.1 * k, 0))
        m.add_joint(f"J{k}", joint, "ground" if not k else f"b{k - 1}", f"b{k}", at=(0.3 * k, 0.1 * k, 0), v0=rate)
    m.add_force("motor", dt.JointTorque("J0", "3"))
    m.add_force("push", dt.JointTorque("J2", "-5"))
    m.add_force("pull", dt.AppliedForce("b3", (1, 2, 3)))
    return m


@pytest.mark.parametrize("build", [arm, four_bar.build, robot_arm.build], ids=["arm", "four-bar", "robot"])
def test_same_accelerations_and_reactions(build):
    m = build()
    for body in m.bodies.values():  # rods without thickness have no momentum about their axis
        i = body.inertia
        body.inertia = dt.Inertia(i.mass, i.com, i.matrix + 1e-3 * np.eye(3))
    r = dt.simulate(m, 0.2, outputs=0.1, solver=dt.DOP853(rtol=1e-11, atol=1e-11))
    found = reactions_by_graph(r.system, r.q[2], r.v[2], t=float(r.t[2]))
    size = max(np.max(np.abs(r[f"{body}.acceleration"][2])) for body in m.bodies)
    for body in m.bodies:
        alpha = r[f"{body}.angular_acceleration"][2]
        assert found.angular_acceleration[body] == pytest.approx(alpha, abs=1e-7 * (1 + np.max(np.abs(alpha)))), body
        R, omega = r[f"{body}.rotation"][2], r[f"{body}.angular_velocity"][2]
        lever = dt.Rotation.from_any(R).matrix @ m.bodies[body].inertia.com
        a = r[f"{body}.acceleration"][2] + np.cross(alpha, lever) + np.cross(omega, np.cross(omega, lever))
        assert found.acceleration[body] == pytest.approx(a, abs=1e-7 * size), body  # differences of dJc/dt: 1e-9
    if build is four_bar.build:
        return  # over-constrained in space: the reactions of least norm depend on how equations are scaled
    for joint in m.joints:
        force, torque = r[f"{joint}.reaction_force"][2], r[f"{joint}.reaction_torque"][2]
        assert found.reaction_force[joint] == pytest.approx(force, abs=1e-6 * (1 + np.max(np.abs(force)))), joint
        assert found.reaction_torque[joint] == pytest.approx(torque, abs=1e-6 * (1 + np.max(np.abs(torque)))), joint


def test_the_graph_keeps_integral_causality_and_can_be_drawn():
    g = mechanism_graph(arm())
    assert g.causality().derivative == []
    assert g.draw().startswith("<svg")
    assert {"b0.vx", "b0.J", "J0.c0", "J0.child"} <= set(g.elements)
